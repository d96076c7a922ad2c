import { createIdentityService } from "latchkey";
import { StorageUnavailable } from "latchkey/ports";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { testRunner } from "../support/lambda-runner.js";
import { arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { bootstrapKey, startWorld, storages, uuid, type World } from "../support/world.js";

describe.each(storages)("a failing storage on %s", (_name, open) => {
  /** A world whose storage fails with `failure.now` as long as it is set. */
  async function startFragile(): Promise<{ world: World; failure: { now: Error | undefined } }> {
    const failure: { now: Error | undefined } = { now: undefined };
    const storage = watchStorage(open(), {
      beforeCall: () => {
        if (failure.now !== undefined) throw failure.now;
      },
    });
    const world = await startWorld(storage);
    expectOk(await world.caller.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
    return { world, failure };
  }

  requirement("errors.500", "is an empty 500 whose stack is only logged", async () => {
    const { world, failure } = await startFragile();
    failure.now = new Error("secret detail of the database");
    for (const answer of [
      await world.caller.get(`/api/group/${uuid(1)}`),
      await world.caller.get("/api/group/search"),
      await world.caller.post("/api/group", { group: { name: "H" } }),
    ]) {
      expectEmpty(answer, 500);
      expect(JSON.stringify(answer.headers)).not.toContain("secret");
    }
    expect(world.log).toHaveLength(3);
    expect(world.log[0]).toMatchObject({
      level: "error",
      fields: { err: failure.now, method: "GET", path: "/api/group/:groupId" },
    });
    failure.now = undefined;
    expectOk(await world.caller.get(`/api/group/${uuid(1)}`));
  });

  requirement("errors.503", "is a 503 with an Errors body while it cannot be reached, on reads and writes", async () => {
    const { world, failure } = await startFragile();
    failure.now = new StorageUnavailable("The database is away.");
    for (const answer of [
      await world.caller.get(`/api/group/${uuid(1)}`),
      await world.caller.post("/api/group", { group: { name: "H" } }),
      await world.caller.patch(`/api/group/${uuid(1)}`, { group: { name: "H" } }),
    ]) {
      expectRefusal(answer, 503, "[storageUnavailable]");
      expect(answer.text).not.toContain("away");
    }
    await expect(world.identity.groups.list()).rejects.toMatchObject({ status: 503, code: "[storageUnavailable]" });
    failure.now = undefined;
    expect((await world.caller.get("/api/group")).each("groups", "name")).toEqual(["G"]);
  });

  requirement("errors.503", "for a moment loses no record of a login", async () => {
    const { world, failure } = await startFragile();
    await arrangeLogin(world);
    expectOk(await world.caller.post("/api/login", loginBody()));
    failure.now = new StorageUnavailable("The database is away.");
    await expect(world.identity.settle()).rejects.toThrow("The database is away.");
    failure.now = undefined;
    await world.identity.settle();
    const { total } = await world.identity.loginRecords.search({ search: { userId: ids.user } });
    expect(total).toBe(1);
  });

  requirement("errors.503", "is closed although another part of the service fails to", async () => {
    const runner = { ...testRunner(), close: () => Promise.reject(new Error("The guests do not end.")) };
    const identity = await createIdentityService({ storage: open(), apiKey: bootstrapKey, lambdas: { runner } });
    await expect(identity.close()).rejects.toThrow("The guests do not end.");
    await expect(identity.ping()).rejects.toThrow();
  });

  requirement("errors.503", "is a 503 after the service was closed", async () => {
    const { world } = await startFragile();
    await world.identity.close();
    expectRefusal(await world.caller.get(`/api/group/${uuid(1)}`), 503, "[storageUnavailable]");
    expectRefusal(await world.caller.post("/api/group", { group: { name: "H" } }), 503, "[storageUnavailable]");
    await expect(world.identity.ping()).rejects.toThrow();
  });
});
