// What the storage finds by a compiled filter, against `matches` asked about every record.
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matches } from "../../../adapters/scim/filter/match.js";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import { groupType, userType } from "../../../adapters/scim/schema/schemas.js";
import { compileUserFilter } from "../../../adapters/scim/search/compile-filter.js";
import { compileGroupFilter } from "../../../adapters/scim/search/compile-group-filter.js";
import { expectOk } from "../../support/answer.js";
import { hasPostgres, testDatabase } from "../../support/postgres.js";
import { fc, isLong } from "../../support/properties.js";
import { filter as anyFilter } from "../filter/random-filters.js";
import { type Population, populate } from "./population.js";
import { filters, searchable, value } from "./random-searches.js";

const { newStorage } = testDatabase(hasPostgres);

const storages: Readonly<Record<string, () => Storage>> = {
  memory: () => memoryStorage(),
  SQLite: () => sqliteStorage({ filename: ":memory:", searchIndexFrom: 4 }),
  ...(isLong && { Postgres: () => newStorage({ searchIndexFrom: 4 }) }),
};

const runs = { numRuns: isLong ? 2000 : 40 };
const declared = new Set(searchable);

describe.each(Object.entries(storages))("on %s", (_name, open) => {
  let population: Population;
  beforeAll(async () => {
    population = await populate(open(), isLong ? Date.now() : 1);
  });
  afterAll(() => population.identity.close());

  test("a compiled filter finds all users that match, and an exact one no others", { timeout: 300_000 }, async () => {
    const { identity, users, groups } = population;
    const ids = [...users.keys()];
    const check = async (text: string) => {
      const filter = parseFilter(userType, text);
      const { query = { match_all: {} }, isExact } = compileUserFilter(filter, declared);
      const found = await identity.users.search({ search: { query, numberOfResults: 1000 } });
      const foundIds = new Set(found.users.map(({ id }) => id));
      const matching = ids.filter((id) => matches(filter, users.get(id) ?? {}));
      expect(matching.filter((id) => !foundIds.has(id))).toEqual([]);
      if (isExact) expect([foundIds.size, found.total]).toEqual([matching.length, matching.length]);
    };
    const text = fc.oneof(
      filters(ids, [...groups.keys()]),
      anyFilter.map(({ text }) => text),
    );
    await fc.assert(fc.asyncProperty(text, check), runs);
  });

  test("a compiled filter finds all groups that match, and an exact one no others", { timeout: 300_000 }, async () => {
    const { caller, groups, users } = population;
    const member = fc.constantFrom(...users.keys(), "x", [...users.keys()][0]?.toUpperCase() ?? "");
    const test = fc.oneof(
      fc
        .tuple(fc.constantFrom("eq", "co", "sw", "ew", "ne"), value)
        .map(([operator, text]) => `displayName ${operator} ${JSON.stringify(text)}`),
      value.map((text) => `externalId eq ${JSON.stringify(text)}`),
      member.map((id) => `members.value eq "${id}"`),
      member.map((id) => `members[value eq "${id}"]`),
      fc.constantFrom("displayName pr", "id pr", "externalId pr"),
    );
    const joint = fc.constantFrom("and", "and", "or");
    const text = fc.oneof(
      test,
      fc.tuple(test, joint, test).map((parts) => parts.join(" ")),
    );
    const check = async (text: string) => {
      const filter = parseFilter(groupType, text);
      const { criteria, memberId, isExact } = compileGroupFilter(filter, new Set(["scim.externalId"]));
      const answer = expectOk(await caller.post("/api/group/search", { search: { ...criteria, numberOfResults: 1000 } }));
      const isMember = (id: string) =>
        memberId === undefined || matches(parseFilter(groupType, `members eq "${memberId}"`), groups.get(id) ?? {});
      const foundIds = answer.each("groups", "id").map(String).filter(isMember);
      const matching = [...groups].filter(([, group]) => matches(filter, group)).map(([id]) => id);
      expect(matching.filter((id) => !foundIds.includes(id))).toEqual([]);
      if (isExact) expect(foundIds).toHaveLength(matching.length);
    };
    await fc.assert(fc.asyncProperty(text, check), runs);
  });
});
