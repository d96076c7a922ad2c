// A member that only the schema of a family knows is accepted and dropped, where its rules list the members of a record by hand.
import { isDeepStrictEqual } from "node:util";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "../../scripts/openapi/json-schema.js";
import { withMember } from "../../src/shared/objects.js";
import type { Answer } from "../support/answer.js";
import { allFamilyCases, callerFor, type FamilyCase, familyCases, makeRecord, type Place } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { startWorld, type World } from "../support/world.js";
import listed from "./accepted-members.json" with { type: "json" };

/** The members that are not in both answers, by the reason. */
type Exceptions = Readonly<Record<string, readonly string[]>>;
/** Members that answers do not have as they were sent. */
const changed: Exceptions = listed.changed;
/** Members whose first value a PUT keeps. */
const fixed: Exceptions = listed.fixed;
/** Members whose call is refused with each value that is tried here. */
const untried: Exceptions = listed.untried;

const texts = [
  "#1a5fb4",
  "Text 7",
  "https://www.example.com/a",
  "ann@example.com",
  "fr",
  "Europe/Paris",
  "2001-02-03",
  "+14155550100",
];
const numbers = [7, 2, 61, 1_800];

/** The members of a record that a body may have, by their paths; lists and free objects have none of their own. */
function membersOf(schema: JsonSchema, path: readonly string[] = []): readonly (readonly [string, JsonSchema])[] {
  if (schema.properties === undefined) return [[path.join("."), schema]];
  return Object.entries(schema.properties).flatMap(([name, member]) => membersOf(member, [...path, name]));
}

/** Values to try for a member, which differ from its default by the second. */
function valuesFor(schema: JsonSchema, ids: readonly string[]): readonly unknown[] {
  const { additionalProperties, anyOf, enum: options, format, items, properties, type } = schema;
  const inner = (one: JsonSchema): readonly unknown[] => valuesFor(one, ids);
  if (anyOf !== undefined) return anyOf.flatMap(inner);
  if (format === "uuid") return ids;
  if (options !== undefined) return options;
  if (type === "boolean") return [true, false];
  if (type === "integer" || type === "number") return numbers;
  if (type === "string") return texts;
  if (items !== undefined) return inner(items).map((item) => [item]);
  if (properties !== undefined)
    return [Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)[0]]))];
  if (typeof additionalProperties === "object") return inner(additionalProperties).map((value) => ({ fr: value }));
  return [{ k: "v" }];
}

interface Trial {
  readonly world: World;
  readonly family: FamilyCase;
  readonly place: Place;
  readonly path: string;
  readonly number: number;
}

type Outcome = "answered" | "changed" | "fixed" | "untried";

/** Creates a record with a value that the call accepts, and sends another one in a PUT. */
async function outcomeOf({ family, number, path, place, world }: Trial, values: readonly unknown[]): Promise<Outcome> {
  const caller = callerFor(world, family);
  const at = `${family.wrapper}.${path}`;
  const bodyWith = (value: unknown): object => withMember(place.body(number), at.split("."), value);
  const isAnswered = (answer: Answer, value: unknown): boolean => isDeepStrictEqual(answer.at(at), value);
  for (const [index, value] of values.entries()) {
    const created = await caller.post(place.collection, bodyWith(value));
    if (created.status !== 200) continue;
    const url = place.url(created.textAt(`${family.wrapper}.id`));
    let outcome: Outcome = isAnswered(created, value) ? "answered" : "changed";
    for (const other of outcome === "answered" ? values.slice(index + 1) : []) {
      const updated = await caller.put(url, bodyWith(other));
      if (updated.status !== 200) continue;
      if (!isAnswered(updated, other)) outcome = isAnswered(updated, value) ? "fixed" : "changed";
      break;
    }
    await caller.delete(`${url}${family.deleteQuery}`);
    return outcome;
  }
  return "untried";
}

requirement(
  "wire.accepted-members",
  "each member that a body may have is in the answers of POST and PUT, or in a list",
  async () => {
    const world = await startWorld(memoryStorage());
    const records = [];
    for (const [index, family] of allFamilyCases.entries())
      records.push({ family, ...(await makeRecord(world, family, world.defaultTenantId, index + 1)) });
    const ids = records.map(({ id }) => id);
    const found: Record<Outcome, string[]> = { answered: [], changed: [], fixed: [], untried: [] };
    for (const { family, ...place } of records.filter((record) => familyCases.includes(record.family))) {
      const body = z.toJSONSchema(family.request as z.ZodType, { io: "input", unrepresentable: "any" }) as JsonSchema;
      for (const [index, [path, schema]] of membersOf(body.properties?.[family.wrapper] ?? {}).entries())
        found[await outcomeOf({ world, family, place, path, number: (index % 40) + 50 }, valuesFor(schema, ids))].push(
          `${family.name}.${path}`,
        );
    }
    const isVisited = (member: string): boolean => familyCases.some(({ name }) => member.startsWith(`${name}.`));
    const listedIn = (exceptions: Exceptions): readonly string[] => Object.values(exceptions).flat().filter(isVisited).toSorted();
    expect(found.changed.toSorted(), "accepted and dropped: store the member in the rules of its family").toEqual(
      listedIn(changed),
    );
    expect(found.fixed.toSorted(), "dropped by PUT").toEqual(listedIn(fixed));
    expect(found.untried.toSorted(), "give the test a value that the call accepts").toEqual(listedIn(untried));
    expect(found.answered.length).toBeGreaterThan(100);
  },
);
