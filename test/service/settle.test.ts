import type { HttpClient, OutboundOutcome, OutboundRequest } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { expectOk } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { Mailbox, plainTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage } from "../support/world.js";

/** Answers every call with what `statuses` has in turn, and 200 once it has no more. */
class FakeClient implements HttpClient {
  readonly sent: OutboundRequest[] = [];
  readonly statuses: number[] = [];
  isClosed = false;

  async send(request: OutboundRequest): Promise<OutboundOutcome> {
    this.sent.push(request);
    return { kind: "answered", status: this.statuses.shift() ?? 200, headers: {}, body: "", isCut: false };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

const wanted = { global: true, eventsEnabled: { "group.create": true } };

forEachStorage((start) => {
  requirement(["settle.delivers", "http.host"], "events leave without timers, and what failed is due later", async () => {
    const http = new FakeClient();
    const world = await start({ http, delivery: { retryDelaysMilliseconds: [1_000, 60_000], jitter: 0 } });
    await makeWebhook(world, wanted);
    await makeGroup(world, world.defaultTenantId, "Editors");
    expect(http.sent).toHaveLength(0);
    http.statuses.push(500, 500);
    expect(await world.identity.settle()).toBe(world.clock.instant + 1_000);
    expect(await world.identity.settle()).toBe(world.clock.instant + 1_000);
    expect(http.sent).toHaveLength(1);
    world.clock.advance(1_000);
    expect(await world.identity.settle()).toBe(world.clock.instant + 60_000);
    world.clock.advance(60_000);
    expect(await world.identity.settle()).toBeUndefined();
    expect(http.sent.map(({ url }) => url)).toEqual(new Array(3).fill("https://example.com/events"));
    await world.identity.close();
    expect(http.isClosed).toBe(true);
  });

  requirement("settle.delivers", "a thousand events leave in one go", async () => {
    const http = new FakeClient();
    const world = await start({ http });
    await makeWebhook(world, wanted);
    await world.identity.transaction(async (tx) => {
      for (let number = 0; number < 1_000; number++) await tx.groups.create({ group: { name: `Group ${number}` } });
    });
    expect(await world.identity.settle()).toBeUndefined();
    expect(new Set(http.sent.map(({ body }) => body)).size).toBe(1_000);
  });

  requirement(
    "settle.delivers",
    "mails leave without timers, and the event of one that is given up along with them",
    async () => {
      const box = new Mailbox();
      const http = new FakeClient();
      const world = await start({ mail: box.send, http, delivery: { retryDelaysMilliseconds: [1_000], jitter: 0 } });
      const { emailTemplate } = await world.identity.emailTemplates.create({ emailTemplate: plainTemplate });
      const to = { toAddresses: [{ address: "ana@example.com" }] };
      for (let mail = 0; mail < 9; mail++) await world.identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, ...to });
      box.outcomes.push({ kind: "failed", reason: "busy" });
      expect(await world.identity.settle()).toBe(world.clock.instant + 1_000);
      expect(box.sent).toHaveLength(9);
      world.clock.advance(1_000);
      expect(await world.identity.settle()).toBeUndefined();
      expect(box.sent).toHaveLength(10);
    },
  );

  requirement("settle.housekeeping", "expired records go, and the last uses of keys are stored", async () => {
    const world = await start();
    await world.identity.auditLogs.create({ auditLog: { message: "old" } });
    const { apiKey } = await world.identity.apiKeys.create({ apiKey: { key: "another-key-of-the-test-0123" } });
    expectOk(await world.as("another-key-of-the-test-0123").get("/api/group"));
    world.clock.advance(366 * 86_400_000);
    await world.identity.settle();
    expect((await world.identity.auditLogs.search({ search: {} })).total).toBe(0);
    const kept = await world.identity.apiKeys.retrieve({ keyId: apiKey.id });
    expect(kept.apiKey.lastUsedInstant).toBe(world.clock.instant - 366 * 86_400_000);
  });

  requirement("settle.outside", "it is refused inside of a transaction", async () => {
    const world = await start();
    const settle = world.identity.transaction(() => world.identity.settle());
    await expect(settle).rejects.toThrow("Inside identity.transaction");
  });
});

describe("the pauses between attempts", () => {
  test.each([-0.1, 1.1, Number.NaN])("a share of %s is refused", async (jitter) => {
    const { createIdentityService } = await import("latchkey");
    const { memoryStorage } = await import("latchkey/memory");
    await expect(createIdentityService({ storage: memoryStorage(), delivery: { jitter } })).rejects.toThrow("delivery.jitter");
  });
});

forEachStorage((start) => {
  requirement("delivery.jitter", "a pause is longer by the share at most", async () => {
    const http = new FakeClient();
    const world = await start({ http, delivery: { retryDelaysMilliseconds: [1_000], jitter: 1 } });
    await makeWebhook(world, wanted);
    for (let number = 0; number < 20; number++) await makeGroup(world, world.defaultTenantId, `Group ${number}`);
    http.statuses.push(...new Array(20).fill(500));
    const next = (await world.identity.settle()) ?? 0;
    expect(next).toBeGreaterThanOrEqual(world.clock.instant + 1_000);
    expect(next).toBeLessThan(world.clock.instant + 2_000);
    world.clock.advance(2_000);
    expect(await world.identity.settle()).toBeUndefined();
    expect(http.sent).toHaveLength(40);
  });
});
