import type { AuditLog } from "latchkey/types";
import { describe, expect, test } from "vitest";
import { families } from "../../src/families/index.js";
import { valueAt } from "../../src/shared/objects.js";
import { expectOk } from "../support/answer.js";
import { auditing, entriesOf, readEntries } from "../support/audit-entries.js";
import { allFamilyCases, callerFor, familyCases, makeRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents } from "../support/world.js";

/** Families that are not addressed one by one: audit-changes.test.ts and import-jobs-forms.test.ts have them. */
const others = [
  "entityGrants",
  "groupMembers",
  "identityProviderLinks",
  "importJobs",
  "integrations",
  "passkeys",
  "userActionLogs",
  "userComments",
];
const familyOf = (name: string): string => (/^(generated|imported)Keys$/.test(name) ? "keys" : name);

test("every family that is audited is tried", () => {
  const named = Object.entries(families).filter(([, { row }]) => row.auditName !== undefined);
  const tried = new Set([...allFamilyCases.map(({ name }) => familyOf(name)), ...others]);
  expect(new Set(named.map(([name]) => name))).toEqual(tried);
});

forEachStorage((startPlain) => {
  const start = auditing(startPlain);

  describe.each(familyCases)("$name", (family) => {
    const { wrapper } = family;
    const noun = Reflect.get(families, familyOf(family.name)).row.auditName;
    // Entries lose their tenant with the tenant; events keep what they said.
    const asShown = (entry: AuditLog): AuditLog => (family.name === "tenants" ? { ...entry, tenantId: undefined } : entry);

    requirement(["audit.families", "audit.changes"], "each change writes one entry, and causes one event", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const caller = callerFor(world, family);
      const [created] = (await readEntries(world)).slice(-1);
      const id = valueAt(created?.newValue, "id");
      expect(created).toMatchObject({ message: `Created the ${noun} ${id}`, insertUser: expect.stringMatching(/^apiKey:/) });
      expect(created).not.toHaveProperty("oldValue");

      world.clock.advance(1_000);
      const [field = ""] = family.textField;
      const patch = { [wrapper]: { [field]: family.texts[0] } };
      const [changed, ...more] = await entriesOf(world, async () => expectOk(await caller.mergePatch(made.path, patch)));
      expect(changed).toMatchObject({ message: `Changed the ${noun} ${id}`, insertInstant: world.clock.instant });
      expect(more).toEqual([]);
      const differing = { [field]: family.texts[0], lastUpdateInstant: world.clock.instant };
      expect(changed?.oldValue).toEqual(created?.newValue);
      expect(changed?.newValue).toMatchObject({ ...(created?.newValue as object), ...differing });

      const put = { ...made.request, [wrapper]: { ...made.body(3)[wrapper] } };
      const replaced = await entriesOf(world, async () => expectOk(await caller.put(made.path, put)));
      expect(replaced.map(({ message }) => message)).toEqual([`Changed the ${noun} ${id}`]);
      expect(replaced[0]?.oldValue).toEqual(changed?.newValue);

      const removed = await entriesOf(world, async () => expectOk(await caller.delete(`${made.path}${family.deleteQuery}`)));
      // A consent that is revoked already is not changed by being revoked.
      if (family.name === "userConsents") expect(removed).toEqual([]);
      else {
        expect(removed.map(({ message }) => message)).toEqual([`Removed the ${noun} ${id}`]);
        expect(removed[0]?.oldValue).toEqual(replaced[0]?.newValue);
        expect(removed[0]).not.toHaveProperty("newValue");
      }
      const events = await readEvents(world.storage, "audit-log.create");
      const told = new Map(events.map(({ auditLog }) => [(auditLog as AuditLog).id, asShown(auditLog as AuditLog)]));
      expect([...told.keys()].toSorted((a, b) => a - b)).toEqual(events.map((_event, index) => index + 1));
      for (const entry of [...(await readEntries(world)), ...removed]) expect(told.get(entry.id)).toEqual(asShown(entry));
    });

    requirement("audit.tenants", "an entry is published in the tenant of its record", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const [entry] = (await readEntries(world)).slice(-1);
      const tenantId = family.name === "tenants" ? made.id : family.isGlobal ? undefined : world.defaultTenantId;
      expect(entry?.tenantId).toBe(tenantId);
    });

    requirement("audit.undone", "records no dry run and no refusal", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const caller = callerFor(world, family);
      const [field = ""] = family.textField;
      const patch = { [wrapper]: { [field]: family.texts[0] } };
      const told = await entriesOf(world, async () => {
        expectOk(await caller.mergePatch(`${made.path}?dryRun=true`, patch));
        const query = family.deleteQuery === "" ? "?" : `${family.deleteQuery}&`;
        expectOk(await caller.delete(`${made.path}${query}dryRun=true`));
        expect((await caller.mergePatch(made.path, { [wrapper]: { [field]: 7 } })).status).toBe(400);
        expect((await caller.mergePatch(made.path, patch, { "if-match": '"other"' })).status).toBe(412);
        expect((await caller.post(made.collection, { [wrapper]: 7 })).status).toBe(400);
      });
      expect(told).toEqual([]);
    });
  });
});
