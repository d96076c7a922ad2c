import type { ConfigDocument, ConfigRecord } from "latchkey";
import { expect, vi } from "vitest";
import { fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";
import { populate } from "./support/populate.js";

vi.setConfig({ testTimeout: 120_000 });

const withData = [
  "accessLists",
  "consents",
  "formFields",
  "forms",
  "tenants",
  "applications",
  "groups",
  "webhooks",
  "entityTypes",
  "entities",
] as const;

const name = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
const data = fc.dictionary(name, fc.oneof(name, fc.integer(), fc.boolean(), fc.array(name, { maxLength: 3 })), { maxKeys: 4 });

forEachStorage((start) => {
  requirement(
    ["config.edit", "config.apply"],
    "any edit of any record is planned as it is, done, and then nothing is left to do",
    async () => {
      const { identity, defaultTenantId } = await start();
      await populate(identity, defaultTenantId);
      const edit = fc.asyncProperty(fc.constantFrom(...withData), fc.nat(), data, async (family, number, value) => {
        const document = await identity.config.export();
        const records = document[family] ?? [];
        const index = number % records.length;
        const before = records[index]?.data ?? {};
        const edited = records.map((record: ConfigRecord, at: number) => (at === index ? { ...record, data: value } : record));
        const wanted: ConfigDocument = { ...document, [family]: edited };
        const plan = await identity.config.plan(wanted, { prune: true });
        const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(value));
        expect(plan.changes.map((change) => [change.action, change.family])).toEqual(isSame ? [] : [["update", family]]);
        for (const { path } of plan.changes[0]?.diff ?? []) expect(path).toMatch(/^data[.[]/);
        expect((await identity.config.apply(plan)).changes).toEqual(plan.changes);
        expect((await identity.config.plan(wanted, { prune: true })).changes).toEqual([]);
        expect((await identity.config.export())[family]?.[index]?.data ?? {}).toEqual(value);
      });
      await fc.assert(edit, { numRuns: 6 });
    },
  );

  requirement("config.apply", "a document of hundreds of records is done in one go", async () => {
    const { identity } = await start();
    const groups = Array.from({ length: 300 }, (_, number) => ({
      name: `Group ${number}`,
      roleIds: [`Default/Shop/role ${number % 30}`],
    }));
    const roles = Array.from({ length: 30 }, (_, number) => ({ name: `role ${number}` }));
    const document: ConfigDocument = { formatVersion: 1, applications: [{ name: "Shop", roles }], groups };
    expect((await identity.config.apply(document)).changes).toHaveLength(331);
    expect((await identity.config.plan(document, { prune: true })).changes).toEqual([]);
  });
});

function sorted(value: unknown): unknown {
  return Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
}
