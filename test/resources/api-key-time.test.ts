import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { watchStorage } from "../support/watched-storage.js";
import { makeTenant, startWorld, storagesOfRules, uuid } from "../support/world.js";

const path = "/api/api-key";

/** Lets one kind of time stand still until it is advanced. */
function fakeTime(kind: "performance" | "setInterval"): void {
  vi.useFakeTimers({ toFake: [kind] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe("two processes on one SQLite file", () => {
  requirement("key.other-process", "see a change of a key within a second, and a new key at once", async () => {
    fakeTime("performance");
    const filename = `${makeDirectory()}/identity.db`;
    const here = await startWorld(sqliteStorage({ filename }));
    const there = await startWorld(sqliteStorage({ filename }));
    expectEmpty(await there.as("shared").get("/api/group"), 401);
    expectOk(await here.caller.post(`${path}/${uuid(1)}`, { apiKey: { key: "shared" } }));
    expectOk(await there.as("shared").get("/api/group"));
    expectOk(await here.caller.patch(`${path}/${uuid(1)}`, { apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } }));
    vi.advanceTimersByTime(1_000);
    expectEmpty(await there.as("shared").get("/api/group"), 401);
    expectEmpty(await there.as("shared").get("/api/user?username=nobody"), 404);
    expectEmpty(await here.caller.delete(`${path}/${uuid(1)}`), 200);
    vi.advanceTimersByTime(1_000);
    expectEmpty(await there.as("shared").get("/api/user?username=nobody"), 401);
  });
});

describe.each(storagesOfRules())("the last use of keys on %s", (_name, open) => {
  requirement(["tenant.delete", "key.last-used"], "goes with the key when its tenant goes", async () => {
    fakeTime("setInterval");
    const world = await startWorld(open());
    const tenantId = await makeTenant(world, "Other");
    expectOk(await world.caller.post(`${path}/${uuid(1)}`, { apiKey: { key: "used", tenantId } }));
    expectOk(await world.as("used").get("/api/group"));
    vi.advanceTimersByTime(60_000);
    expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
    const again = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { apiKey: {} }));
    expect(again.at("apiKey")).not.toHaveProperty("lastUsedInstant");
  });

  requirement("key.last-used", "is stored for the others when a key that was used is gone", async () => {
    fakeTime("setInterval");
    const world = await startWorld(open());
    for (const number of [1, 2]) {
      expectOk(await world.caller.post(`${path}/${uuid(number)}`, { apiKey: { key: `k${number}` } }));
      expectOk(await world.as(`k${number}`).get("/api/group"));
    }
    expectEmpty(await world.caller.delete(`${path}/${uuid(1)}`), 200);
    vi.advanceTimersByTime(60_000);
    const readLastUse = async () => (await world.caller.get(`${path}/${uuid(2)}`)).at("apiKey.lastUsedInstant");
    await vi.waitFor(async () => expect(await readLastUse()).toBe(world.clock.instant), 10_000);
    expect(world.log).toEqual([]);
    const again = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { apiKey: {} }));
    expect(again.at("apiKey")).not.toHaveProperty("lastUsedInstant");
  });

  requirement("key.last-used", "is written once a minute, and by no request", async () => {
    fakeTime("setInterval");
    let transactions = 0;
    const storage = watchStorage(open(), {
      beforeCall: (call) => {
        if (call === "transaction") transactions++;
      },
    });
    const world = await startWorld(storage);
    expectOk(await world.caller.post(`${path}/${uuid(1)}`, { apiKey: { key: "busy" } }));
    transactions = 0;
    for (let count = 0; count < 50; count++) expectOk(await world.as("busy").get("/api/group"));
    expect(transactions).toBe(0);
    expect((await world.caller.get(`${path}/${uuid(1)}`)).at("apiKey")).not.toHaveProperty("lastUsedInstant");
    vi.advanceTimersByTime(60_000);
    const read = async () => (await world.caller.get(`${path}/${uuid(1)}`)).at("apiKey");
    const use = { lastUsedInstant: world.clock.instant, lastUsedIPAddress: "127.0.0.1" };
    await vi.waitFor(async () => expect(await read()).toMatchObject(use), 10_000);
    expect(transactions).toBe(1);
    vi.advanceTimersByTime(600_000);
    expect(transactions).toBe(2);
  });
});
