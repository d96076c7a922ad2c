import type { AuditLog } from "latchkey/types";
import { describe, expect } from "vitest";
import { valueAt } from "../../src/shared/objects.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { auditing, entriesOf, readEntries } from "../support/audit-entries.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { grantOn, grantPath, startMall } from "../support/grants.js";
import { integrationsPath } from "../support/integrations.js";
import { memberPath, startClub } from "../support/members.js";
import { everySecret, plantings } from "../support/planted-secrets.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

const messages = (entries: readonly AuditLog[]): string[] => entries.map(({ message }) => message);

forEachStorage((startPlain) => {
  const start = auditing(startPlain);

  describe("members of groups", () => {
    requirement(["audit.bulk", "audit.families"], "are recorded one by one, with the state before", async () => {
      const club = await startClub(start);
      const { world, caller, red, ann, bob, cy } = club;
      const put = (members: readonly object[]) => () => caller.put(memberPath, { members: { [red]: members } });
      const member = (index: number, userId: string, data?: object): object => ({
        id: uuid(index),
        userId,
        ...(data && { data }),
      });
      const added = await entriesOf(world, () =>
        caller.post(memberPath, { members: { [red]: [member(1, ann), member(2, bob)] } }),
      );
      expect(messages(added)).toEqual([1, 2].map((index) => `Created the group member ${uuid(index)}`));
      expect(added[0]?.newValue).toMatchObject({ id: uuid(1), userId: ann, groupId: red });
      const changed = await entriesOf(world, put([member(1, ann, { vip: true }), member(3, cy)]));
      const [removal, addition, change, ...more] = changed;
      expect(removal).toMatchObject({ message: `Removed the group member ${uuid(2)}`, oldValue: { userId: bob } });
      expect(addition).toMatchObject({ message: `Created the group member ${uuid(3)}`, newValue: { userId: cy } });
      expect(change).toMatchObject({
        oldValue: { data: {} },
        newValue: { data: { vip: true } },
        tenantId: world.defaultTenantId,
      });
      expect(more).toEqual([]);
      const again = { members: { [red]: [{ userId: ann, data: { vip: true } }] } };
      expect(await entriesOf(world, () => caller.post(memberPath, again))).toEqual([]);
      const other = { members: { [red]: [{ userId: ann, data: { vip: false } }] } };
      const [patched] = await entriesOf(world, () => caller.post(memberPath, other));
      expect(patched).toMatchObject({ oldValue: { data: { vip: true } }, newValue: { data: { vip: false } } });
      const gone = await entriesOf(world, () => caller.delete(memberPath, { memberIds: [uuid(1), uuid(3), uuid(9)] }));
      expect([...messages(gone)].sort()).toEqual([1, 3].map((index) => `Removed the group member ${uuid(index)}`));
      expect(await entriesOf(world, () => caller.delete(`${memberPath}/${uuid(1)}`))).toEqual([]);
    });
  });

  describe("an entry", () => {
    requirement("audit.families", "records grants, and integrations, which have no id", async () => {
      const mall = await startMall(start);
      const { world, caller, api, client } = mall;
      const recipient = { recipientEntityId: client };
      const query = `${grantPath(api)}?recipientEntityId=${client}`;
      const told = await entriesOf(world, async () => {
        expectOk(await grantOn(mall, { ...recipient, permissions: ["read"] }));
        expectOk(await grantOn(mall, { ...recipient, permissions: ["admin"] }));
        expectOk(await caller.delete(query));
      });
      const id = valueAt(told[0]?.newValue, "id");
      expect(messages(told)).toEqual(["Created", "Changed", "Removed"].map((verb) => `${verb} the entity grant ${id}`));
      expect(told[1]).toMatchObject({ oldValue: { permissions: ["read"] }, newValue: { permissions: ["admin"] } });
      const broker = { enabled: true, defaultTopic: "t", producer: { "sasl.jaas.config": "of the broker" } };
      const patch = { integrations: { broker } };
      const [entry] = await entriesOf(world, async () => expectOk(await caller.patch(integrationsPath, patch)));
      expect(entry).toMatchObject({ message: "Changed the integrations", newValue: { broker: { defaultTopic: "t" } } });
      expect(JSON.stringify(entry)).not.toContain("of the broker");
    });

    requirement("audit.changes", "shows a record in wire format, with its separately stored parts", async () => {
      const world = await start();
      const roles = [{ name: "editor" }, { name: "author" }];
      const applicationId = await makeApplication(world, world.defaultTenantId, "Blog", roles);
      const [application] = await readEntries(world);
      const shown = (await world.caller.get(`/api/application/${applicationId}`)).at("application") as {
        readonly oauthConfiguration: Readonly<Record<string, unknown>>;
      };
      const { clientSecret: _secret, ...oauthConfiguration } = shown.oauthConfiguration;
      expect(application?.newValue).toEqual({ ...shown, oauthConfiguration });
      const groupId = await makeGroup(world, world.defaultTenantId, "Editors", [uuid(900)]);
      const [change] = await entriesOf(world, () =>
        world.caller.patch(`/api/group/${groupId}`, { roleIds: [uuid(901)], group: { data: { a: 1 } } }),
      );
      expect(change?.newValue).toEqual((await world.caller.get(`/api/group/${groupId}`)).at("group"));
      const names = (value: unknown): string[] =>
        Object.values((value as { roles: object }).roles)
          .flat()
          .map(({ name }) => name);
      expect(names(change?.oldValue)).toEqual(["editor"]);
      expect(names(change?.newValue).toSorted()).toEqual(["author", "editor"]);
    });

    requirement(["audit.changes", "audit-log.user"], "names who did it", async () => {
      const world = await start();
      const key = await callerOfTenant(world, world.defaultTenantId);
      const keyId = valueAt((await readEntries(world))[0]?.newValue, "id");
      const [byKey] = await entriesOf(world, () => key.post("/api/group", { group: { name: "By key" } }));
      expect(byKey?.insertUser).toBe(`apiKey:${keyId}`);
      const [byHost] = await entriesOf(world, () => world.identity.groups.create({ group: { name: "By the host" } }));
      expect(byHost?.insertUser).toBe("host");
    });

    requirement("audit.undone", "commits and rolls back with the host's transaction", async () => {
      const world = await start();
      const { identity } = world;
      const lost = identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "Lost" } });
        throw new Error("undone");
      });
      await expect(lost).rejects.toThrow("undone");
      expect(await readEntries(world)).toEqual([]);
      await identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "One" } });
        await expect(tx.groups.create({ group: { name: "One" } })).rejects.toThrow();
        await tx.groups.create({ group: { name: "Two" } }, { dryRun: true });
        await tx.groups.create({ group: { name: "Three" } }, { auditReason: "Together" });
      });
      const entries = await readEntries(world);
      expect(entries.map(({ id, newValue, reason }) => [id, (newValue as { name: string }).name, reason])).toEqual([
        [2, "One", undefined],
        [3, "Three", "Together"],
      ]);
      expect(await readEvents(world.storage, "audit-log.create")).toHaveLength(3);
    });

    requirement(
      "audit.tenants",
      "is seen in the tenant of its record alone, and that of a removed tenant outlives it",
      async () => {
        const world = await start();
        const tenants = [await makeTenant(world, "A"), await makeTenant(world, "B")] as const;
        const [ofA] = [await callerOfTenant(world, tenants[0])];
        const [groupA] = await Promise.all(tenants.map((tenantId) => makeGroup(world, tenantId, "Editors")));
        const seen = expectOk(await ofA.get("/api/system/audit-log/search?message=group")).at("auditLogs") as AuditLog[];
        expect(messages(seen)).toEqual([`Created the group ${groupA}`]);
        for (const [index, query] of ["", "?async=true"].entries()) {
          const tenantId = tenants[index] ?? "";
          expect((await world.caller.delete(`/api/tenant/${tenantId}${query}`)).status).toBe(index === 0 ? 200 : 202);
          const entry = (await readEntries(world)).at(-1);
          expect(entry).toMatchObject({ message: `Removed the tenant ${tenantId}`, oldValue: { id: tenantId } });
          expect(entry).not.toHaveProperty("tenantId");
          expect(entry).not.toHaveProperty("newValue");
        }
      },
    );

    requirement("audit.size", "leaves out what is too large, and says so", async () => {
      const world = await start();
      const made = async (length: number): Promise<AuditLog | undefined> => {
        const group = { name: `Of ${length}`, data: { text: "x".repeat(length) } };
        return (await entriesOf(world, async () => expectOk(await world.caller.post("/api/group", { group }))))[0];
      };
      expect((await made(65_000))?.newValue).toMatchObject({ name: "Of 65000" });
      expect((await made(65_536))?.newValue).toEqual({
        leftOut: expect.stringMatching(/^The value is too large.*: 65\d{3} characters/),
      });
    });

    requirement("audit.secrets", "holds nothing secret of what was made, changed or removed", async () => {
      const world = await start();
      for (const [, method, path, body] of plantings) {
        expectOk(await world.caller.send(method, path, body));
        if (method === "POST") expectOk(await world.caller.patch(path.replace("/import", ""), toPatch(body)));
        else expectOk(await world.caller.patch(path, body));
      }
      for (const [, method, path] of plantings.toReversed())
        if (method === "POST") expectEmpty(await world.caller.delete(`${path.replace("/import", "")}?hardDelete=true`), 200);
      const entries = JSON.stringify(await readEntries(world));
      const events = JSON.stringify(await readEvents(world.storage, "audit-log.create"));
      expect((await readEntries(world)).length).toBe(plantings.length * 3 - 1);
      for (const secret of everySecret)
        expect([secret, entries.includes(secret), events.includes(secret)]).toEqual([secret, false, false]);
    });

    requirement("audit-log.event", "is stored by a version without the event", async () => {
      const world = await start({ version: "1.29.0" });
      const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
      expect(messages(await readEntries(world))).toEqual([`Created the user ${userId}`]);
      expect(await readEvents(world.storage, "audit-log.create")).toEqual([]);
    });
  });
});

// A patch that changes nothing but the record's version, with the name again where the family has one.
function toPatch(body: object): object {
  return Object.fromEntries(Object.entries(body).map(([wrapper, { name }]) => [wrapper, name === undefined ? {} : { name }]));
}
