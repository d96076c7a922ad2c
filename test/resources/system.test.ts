import { memoryStorage } from "latchkey/memory";
import { type Storage, StorageUnavailable } from "latchkey/ports";
import { describe, expect, onTestFinished, vi } from "vitest";
import { type Answer, expectEmpty, expectOk } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, callerOfTenant, forEachStorage, makeTenant, startWorld, uuid } from "../support/world.js";

const paths = ["/api/status", "/api/prometheus/metrics"];

/** A storage that does not answer while it is told so. */
function pausable(): { readonly storage: Storage; pause(ping: () => Promise<void>): void } {
  const inner = memoryStorage();
  let ping = (): Promise<void> => inner.ping();
  const storage = { ...boundStorage(inner), ping: () => ping() };
  return {
    storage,
    pause(instead) {
      ping = instead;
    },
  };
}

const away = (): Promise<void> => Promise.reject(new StorageUnavailable("away"));
const broken = (): Promise<void> => Promise.reject(new Error("broken"));

forEachStorage((start) => {
  requirement("system.status", "returns the version and the storage's state to a key", async () => {
    const { caller, clock, storage } = await start({ version: "1.63.0" });
    const startInstant = clock.instant;
    clock.advance(1_000);
    const { isDurable, isShared } = storage.capabilities;
    expect(expectOk(await caller.get("/api/status")).body).toEqual({
      startInstant,
      storage: { answers: true, indexes: [], isDurable, isShared },
      version: "1.63.0",
    });
  });

  requirement("system.version", "is returned to keys of one tenant too, and refused without a key", async () => {
    const world = await start();
    const bound = await callerOfTenant(world, await makeTenant(world, "Other"));
    for (const caller of [world.caller, bound, world.caller.inTenant(world.defaultTenantId)])
      expect(expectOk(await caller.get("/api/system/version")).body).toEqual({ version: "1.65.0" });
    expectEmpty(await new Caller(world.identity, {}).get("/api/system/version"), 401);
    expect(await world.identity.system.version()).toEqual({ version: "1.65.0" });
  });

  requirement("system.health", "is public, and returns only the status", async () => {
    const { identity, caller } = await start();
    for (const anybody of [caller, new Caller(identity, {}), new Caller(identity, { Authorization: "wrong" })])
      expectEmpty(await anybody.get("/api/health"), 200);
    expect(await identity.system.health()).toBeUndefined();
  });

  requirement(["system.global", "auth.required"], "status and metrics are for global keys, without a tenant header", async () => {
    const world = await start();
    const bound = await callerOfTenant(world, world.defaultTenantId);
    expectOk(
      await world.caller.post("/api/api-key", {
        apiKey: { key: "narrow", permissions: { endpoints: { "/api/status": ["GET"] } } },
      }),
    );
    for (const path of paths) {
      expectOk(await world.caller.get(path));
      expectEmpty(await bound.get(path), 401);
      expectEmpty(await world.caller.inTenant(world.defaultTenantId).get(path), 401);
      expectEmpty(await new Caller(world.identity, {}).get(path), 401);
      expect((await world.as("narrow").get(path)).status).toBe(path === "/api/status" ? 200 : 401);
    }
    const basic = `Basic ${Buffer.from(`apikey:${bootstrapKey}`).toString("base64")}`;
    for (const path of paths) expectOk(await world.as(basic).get(path));
  });

  requirement("system.metrics", "count requests by route, method and status, and report the service's state", async () => {
    const { caller, identity } = await start();
    const group = expectOk(await caller.post("/api/group", { group: { name: "G" } })).textAt("group.id");
    for (const id of [group, group, uuid(9), "no id"]) await caller.get(`/api/group/${id}`);
    await new Caller(identity, {}).get(`/api/group/${group}`);
    await caller.get("/api/no-such-path");
    const answer = expectOk(await caller.get("/api/prometheus/metrics"));
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = answer.text.split("\n");
    const labels = 'method="GET",route="/api/group/:groupId"';
    for (const line of [
      `latchkey_http_requests_total{${labels},status="200"} 2`,
      `latchkey_http_requests_total{${labels},status="404"} 1`,
      `latchkey_http_requests_total{${labels},status="400"} 1`,
      `latchkey_http_requests_total{${labels},status="401"} 1`,
      'latchkey_http_requests_total{method="POST",route="/api/group",status="200"} 1',
      `latchkey_http_request_duration_seconds_bucket{le="+Inf",${labels}} 5`,
      `latchkey_http_request_duration_seconds_count{${labels}} 5`,
      'latchkey_info{version="1.65.0"} 1',
      "latchkey_known_api_keys 1",
      "latchkey_storage_up 1",
    ])
      expect(lines).toContain(line);
    expect(answer.text).toMatch(/^latchkey_outbox_events [1-9]\d*$/m);
    expect(answer.text).not.toContain("no-such-path");
    expect(answer.text).not.toContain(group);
    expect(await identity.system.metrics()).toContain("latchkey_storage_up 1\n");
  });
});

describe("a storage that does not answer", () => {
  requirement("system.status", "is 452, with details for a key that is known", async () => {
    const { storage, pause } = pausable();
    const { caller, identity, log } = await startWorld(storage, { localMetrics: true });
    expectOk(await caller.get("/api/status"));
    pause(away);
    const answer = await caller.get("/api/status");
    expect([answer.status, answer.at("storage.answers")]).toEqual([452, false]);
    expectEmpty(await new Caller(identity, {}).get("/api/status"), 452);
    expect(await identity.system.status()).toMatchObject({ storage: { answers: false } });
    expect(log).toEqual([]);
    pause(broken);
    expectEmpty(await caller.get("/api/status"), 500);
    expect(log).toHaveLength(1);
  });

  requirement("system.status", "in time is taken for one that does not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { storage, pause } = pausable();
    const { caller } = await startWorld(storage);
    pause(() => new Promise(() => undefined));
    const answers: Promise<Answer>[] = [
      caller.get("/api/status"),
      caller.get("/api/health"),
      caller.get("/api/prometheus/metrics"),
    ];
    for (let turn = 0; turn < 1_000 && vi.getTimerCount() < 3; turn++) await new Promise(setImmediate);
    vi.advanceTimersByTime(5_000);
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([452, 500, 200]);
    expect(vi.getTimerCount()).toBe(0);
  });

  requirement("system.health", "is an empty 500, and no news to the log", async () => {
    const { storage, pause } = pausable();
    const { identity, log } = await startWorld(storage);
    for (const ping of [away, broken]) {
      pause(ping);
      expectEmpty(await new Caller(identity, {}).get("/api/health"), 500);
    }
    expect(log).toEqual([]);
  });

  requirement("system.metrics", "is a measurement", async () => {
    const { storage, pause } = pausable();
    const { caller } = await startWorld(storage);
    pause(away);
    const { text } = expectOk(await caller.get("/api/prometheus/metrics"));
    expect(text).toContain("\nlatchkey_storage_up 0\n");
    expect(text).not.toContain("latchkey_outbox_events");
  });
});
