import type { Kysely } from "kysely";
import { createIdentityService, type IdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished } from "vitest";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, onEveryStorage, readEvents, testSecret, uuid } from "../support/world.js";

onEveryStorage((start) => {
  describe("identity.transaction", () => {
    requirement("service.transaction", "keeps all calls, or none when the work rejects", async () => {
      const { identity, caller, storage } = await start();
      const kept = await identity.transaction(async (tx) => {
        const { group } = await tx.groups.create({ group: { name: "A" } });
        const { user } = await tx.users.create({ user: { email: "a@example.com" } });
        await tx.groupMembers.add({ members: { [group.id]: [{ userId: user.id }] } });
        expect((await tx.groups.retrieve({ groupId: group.id })).group).toEqual(group);
        return group.id;
      });
      expect((await caller.get(`/api/group/member/search?groupId=${kept}`)).at("total")).toBe(1);
      const events = await readEvents(storage);
      const failure = new Error("The host changed its mind.");
      const lost = identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "B" } });
        await tx.groups.remove({ groupId: kept });
        throw failure;
      });
      await expect(lost).rejects.toBe(failure);
      expect((await caller.get("/api/group")).each("groups", "name")).toEqual(["A"]);
      expect(await readEvents(storage)).toEqual(events);
    });

    requirement("service.transaction-nested", "undoes only the refused call when the host catches it", async () => {
      const { identity, caller, storage } = await start();
      await identity.transaction(async (tx) => {
        await tx.groups.create({ group: { name: "A" } });
        await expect(tx.groups.create({ group: { name: "a" } })).rejects.toMatchObject({ code: "[duplicate]group.name" });
        await expect(tx.groups.create({ group: { name: "C" }, roleIds: [uuid(9)] })).rejects.toMatchObject({
          code: "[invalid]roleIds",
        });
        const roles = [{ name: "x" }, { name: "X" }];
        await expect(tx.applications.create({ application: { name: "P", roles } })).rejects.toMatchObject({ status: 400 });
        await tx.groups.create({ group: { name: "B" } });
        await tx.groups.create({ group: { name: "D" } }, { dryRun: true });
      });
      expect((await caller.get("/api/group")).each("groups", "name")).toEqual(["A", "B"]);
      expect((await caller.get("/api/application")).at("applications")).toEqual([]);
      expect(await readEvents(storage, "group.create")).toHaveLength(2);
    });

    requirement(
      "service.transaction-parallel",
      "keeps every call that is started side by side, but the refused ones",
      async () => {
        const { identity, caller } = await start();
        const names = ["a", "b", "c", "B", "d", "e", "A"];
        const outcomes = await identity.transaction((tx) =>
          Promise.allSettled(names.map((name) => tx.groups.create({ group: { name } }))),
        );
        const kept = names.filter((_, index) => outcomes[index]?.status === "fulfilled");
        expect(kept).toEqual(["a", "b", "c", "d", "e"]);
        expect((await caller.get("/api/group")).each("groups", "name")).toEqual(kept);
      },
    );

    requirement("service.transaction-outside", "refuses calls that go past its tx, reads as well as writes", async () => {
      const { identity, caller } = await start();
      await identity.transaction(async (tx) => {
        await expect(identity.groups.create({ group: { name: "A" } })).rejects.toThrow(/through its tx/);
        await expect(identity.groups.list()).rejects.toThrow(/through its tx/);
        await expect(identity.as({ kind: "host" }).groups.list()).rejects.toThrow(/through its tx/);
        await tx.groups.create({ group: { name: "B" } });
      });
      await identity.groups.create({ group: { name: "C" } });
      expect((await caller.get("/api/group")).each("groups", "name")).toEqual(["B", "C"]);
    });

    requirement("key.effective-at-once", "accepts a revoked key until the commit, and no longer", async () => {
      const { identity, as } = await start();
      await identity.apiKeys.create({ keyId: uuid(1), apiKey: { key: "revoked" } });
      expectOk(await as("revoked").get("/api/group"));
      const lost = identity.transaction(async (tx) => {
        await tx.apiKeys.remove({ keyId: uuid(1) });
        throw new Error("Undone.");
      });
      await expect(lost).rejects.toThrow("Undone.");
      expectOk(await as("revoked").get("/api/group"));
      await identity.transaction((tx) => tx.apiKeys.remove({ keyId: uuid(1) }));
      expect((await as("revoked").get("/api/group")).status).toBe(401);
    });
  });
});

interface HostDatabase {
  readonly orders: { readonly id: number; readonly groupId: string };
}

async function startWithOrders(): Promise<IdentityService<Kysely<HostDatabase>>> {
  const storage = sqliteStorage<HostDatabase>({ filename: ":memory:" });
  const identity = await createIdentityService({ storage, secret: testSecret, apiKey: bootstrapKey });
  onTestFinished(() => identity.close());
  await identity.transaction(({ db }) =>
    db.schema
      .createTable("orders")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("groupId", "text")
      .execute(),
  );
  return identity;
}

describe("a host's own rows on SQLite", () => {
  const ordersOf = (identity: IdentityService<Kysely<HostDatabase>>): Promise<unknown[]> =>
    identity.transaction(({ db }) => db.selectFrom("orders").selectAll().orderBy("id").execute());

  requirement("service.transaction", "commit together with ours", async () => {
    const identity = await startWithOrders();
    const groupId = await identity.transaction(async ({ db, groups }) => {
      const { group } = await groups.create({ group: { name: "G" } });
      const result = await db.insertInto("orders").values({ id: 1, groupId: group.id }).executeTakeFirst();
      expect(result.numInsertedOrUpdatedRows).toBe(1n);
      return group.id;
    });
    expect(await ordersOf(identity)).toEqual([{ id: 1, groupId }]);
    expect((await identity.groups.list()).groups.map((group) => group.id)).toEqual([groupId]);
  });

  requirement("service.transaction", "are lost together with ours", async () => {
    const identity = await startWithOrders();
    const lost = identity.transaction(async ({ db, groups }) => {
      await groups.create({ group: { name: "G" } });
      await db.insertInto("orders").values({ id: 1, groupId: "x" }).execute();
      await db.insertInto("orders").values({ id: 1, groupId: "y" }).execute();
    });
    await expect(lost).rejects.toMatchObject({ code: expect.stringContaining("SQLITE_CONSTRAINT") });
    expect(await ordersOf(identity)).toEqual([]);
    expect((await identity.groups.list()).groups).toEqual([]);
  });

  requirement("service.transaction-nested", "survive a refused call of ours", async () => {
    const identity = await startWithOrders();
    await identity.transaction(async ({ db, groups }) => {
      await db.insertInto("orders").values({ id: 1, groupId: "x" }).execute();
      await expect(groups.create({ group: { name: "" } })).rejects.toMatchObject({ status: 400 });
      await expect(groups.create({ group: { name: "G" }, roleIds: [uuid(1)] })).rejects.toMatchObject({ status: 400 });
      await db.insertInto("orders").values({ id: 2, groupId: "y" }).execute();
    });
    expect(await ordersOf(identity)).toHaveLength(2);
    expect((await identity.groups.list()).groups).toEqual([]);
  });

  requirement("service.transaction", "cannot be reached with a handle whose transaction is over", async () => {
    const identity = await startWithOrders();
    const handle = await identity.transaction(async ({ db }) => db);
    await expect(handle.selectFrom("orders").selectAll().execute()).rejects.toThrow(/is over/);
  });
});
