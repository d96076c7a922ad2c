import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hasPostgres } from "../support/postgres.js";
import { embeddedPostgres, reusedStorages } from "../support/postgres-worlds.js";
import { forEachStorage, readEvents, startWorld, uuid } from "../support/world.js";

const emails = ["a@example.com", "b@example.com", "c@example.com"];

forEachStorage((start) => {
  describe("users who are created one by one in a transaction", () => {
    test("are read by it, one after the other", async () => {
      const { identity } = await start();
      await identity.transaction(async (tx) => {
        for (const [index, email] of emails.entries()) {
          const { user } = await tx.users.create({ user: { email } });
          expect((await tx.users.retrieve({ userId: user.id })).user).toEqual(user);
          expect((await tx.users.search({ search: { queryString: "*" } })).total).toBe(index + 1);
        }
      });
      expect((await identity.users.search({ search: { queryString: "*" } })).total).toBe(3);
    });

    test("are not there when their call was undone, and can be created afterwards", async () => {
      const { identity, storage } = await start();
      await identity.transaction(async (tx) => {
        await tx.users.create({ userId: uuid(1), user: { email: "a@example.com" } }, { dryRun: true });
        await expect(tx.users.find({ email: "a@example.com" })).rejects.toMatchObject({ status: 404 });
        await tx.users.create({ userId: uuid(2), user: { email: "a@example.com" } });
      });
      expect((await identity.users.find({ email: "a@example.com" })).user?.id).toBe(uuid(2));
      expect((await readEvents(storage, "user.create")).map(({ linkedObjectId }) => linkedObjectId)).toEqual([uuid(2)]);
    });

    test("are refused with the errors of their fields, and those before and after them stay", async () => {
      const { identity, storage } = await start();
      await identity.transaction(async (tx) => {
        const create = (id: number, email: string, username: string) =>
          tx.users.create({ userId: uuid(id), user: { email, username } });
        await create(1, "a@example.com", "a");
        await expect(create(2, "a@example.com", "b")).rejects.toMatchObject({ code: "[duplicate]user.email" });
        await expect(create(3, "b@example.com", "a")).rejects.toMatchObject({ code: "[duplicate]user.username" });
        await expect(create(1, "b@example.com", "b")).rejects.toMatchObject({ code: "[duplicate]userId" });
        await create(4, "b@example.com", "b");
      });
      const kept = [uuid(1), uuid(4)];
      for (const userId of kept) expect((await identity.users.retrieve({ userId })).user?.id).toBe(userId);
      expect((await identity.users.search({ search: { queryString: "*" } })).total).toBe(2);
      expect((await readEvents(storage, "user.create")).map(({ linkedObjectId }) => linkedObjectId).toSorted()).toEqual(kept);
    });
  });

  test("are all refused for one whose key is taken, after a full round of inserts too", async () => {
    const { identity, storage } = await start();
    await identity.users.create({ user: { email: "taken@example.com" } });
    const creating = identity.transaction(async (tx) => {
      for (let index = 0; index < 40; index++)
        await tx.users.create({ user: { email: index === 20 ? "taken@example.com" : `u${index}@example.com` } });
    });
    await expect(creating).rejects.toMatchObject({ status: 400, code: "[duplicate]user.email" });
    expect((await identity.users.search({ search: { queryString: "*" } })).total).toBe(1);
    expect(await readEvents(storage, "user.create")).toHaveLength(1);
  });
}, embeddedPostgres());

const openPostgres = reusedStorages();

if (hasPostgres)
  test("on Postgres, a user who is created in a transaction costs one statement", async () => {
    const { identity } = await startWorld(openPostgres());
    const create = async (count: number): Promise<readonly string[]> => {
      const query = vi.spyOn(pg.Client.prototype, "query");
      onTestFinished(() => query.mockRestore());
      await identity.transaction(async (tx) => {
        for (let index = 0; index < count; index++) await tx.users.create({ user: { username: `u${count}-${index}` } });
      });
      const texts = query.mock.calls.map(([given]) => String((given as unknown as { readonly text: string }).text));
      query.mockRestore();
      return texts;
    };
    const isUser = (text: string): boolean => text.startsWith("insert into") && text.includes("latchkey_users");
    await create(1);
    const few = await create(2);
    const many = await create(40);
    expect([few.filter(isUser).length, many.filter(isUser).length]).toEqual([2, 40]);
    expect(many.length - 40).toBeLessThanOrEqual(few.length - 2);
  });
