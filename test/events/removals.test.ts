// Whatever is removed, and whenever in the life of a delivery: no event is missing, and nobody else's delivery stops.
import type { ServerResponse } from "node:http";
import { createIdentityService } from "latchkey";
import { describe, expect, onTestFinished, vi } from "vitest";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { readLogs } from "../support/broker.js";
import { Caller } from "../support/caller.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { bootstrapKey, forEachStorage, makeTenant, readEvents, type Start, testSecret, type World } from "../support/world.js";

const leaseMilliseconds = 30_000;
const eventsEnabled = { "group.create": true };

/** A tenant with one of each, whose webhook answers what the test says, beside another tenant and its webhook. */
interface Stage {
  readonly world: World;
  /** Of another service on the same storage. */
  readonly other: Caller;
  readonly tenantId: string;
  readonly userId: string;
  readonly applicationId: string;
  readonly webhookId: string;
  readonly sink: Sink;
  readonly bystander: Sink;
  /** Answers to hold back, or the status of the next answer. */
  readonly answer: { status: number | undefined; readonly held: ServerResponse[] };
}

async function setStage(start: Start): Promise<Stage> {
  const world = await start({ allowPrivateNetwork: true, delivery: { retryDelaysMilliseconds: [5_000], jitter: 0 } });
  const { clock, storage } = world;
  const options = { storage, secret: testSecret, apiKey: bootstrapKey, clock: clock.now, delivery: false } as const;
  const second = await createIdentityService(options);
  onTestFinished(() => second.close());
  const answer: Stage["answer"] = { status: 200, held: [] };
  const sink = await startSink((_request, response) =>
    answer.status === undefined ? void answer.held.push(response) : void response.writeHead(answer.status).end(),
  );
  const bystander = await startSink();
  const tenantId = await makeTenant(world, "Going");
  const userId = await makeUser(world, tenantId, "a@example.com");
  const applicationId = await makeApplication(world, tenantId, "Forum", []);
  const webhookId = await makeWebhook(world, { url: sink.url, tenantIds: [tenantId], eventsEnabled, readTimeout: 20_000 });
  await makeWebhook(world, { url: bystander.url, tenantIds: [world.defaultTenantId], eventsEnabled });
  await world.identity.settle();
  const other = new Caller(second, { Authorization: bootstrapKey });
  return { world, other, tenantId, userId, applicationId, webhookId, sink, bystander, answer };
}

interface Removal {
  readonly remove: (stage: Stage, groupId: string) => Promise<void>;
  /** Whether the receiver itself is what goes. */
  readonly endsReceiver?: boolean;
}

const removals: Readonly<Record<string, Removal>> = {
  tenant: { remove: async ({ other, tenantId }) => expectEmpty(await other.delete(`/api/tenant/${tenantId}`), 200) },
  user: { remove: async ({ other, userId }) => expectEmpty(await other.delete(`/api/user/${userId}?hardDelete=true`), 200) },
  group: { remove: async ({ other }, groupId) => expectEmpty(await other.delete(`/api/group/${groupId}`), 200) },
  application: {
    remove: async ({ applicationId, other }) =>
      expectEmpty(await other.delete(`/api/application/${applicationId}?hardDelete=true`), 200),
  },
  "webhook's tenant": {
    remove: async ({ other, webhookId, world }) =>
      void expectOk(await other.patch(`/api/webhook/${webhookId}`, replaced({ tenantIds: [world.defaultTenantId] }))),
  },
  "event of the tenant": {
    remove: async ({ other, tenantId }) => {
      const eventConfiguration = { events: { "group.create": { enabled: false } } };
      expectOk(await other.patch(`/api/tenant/${tenantId}`, { tenant: { eventConfiguration } }));
    },
  },
  webhook: {
    remove: async ({ other, webhookId }) => expectEmpty(await other.delete(`/api/webhook/${webhookId}`), 200),
    endsReceiver: true,
  },
  "event of the webhook": {
    remove: async ({ other, webhookId }) =>
      void expectOk(await other.patch(`/api/webhook/${webhookId}`, { webhook: { eventsEnabled: { "group.create": false } } })),
    endsReceiver: true,
  },
};

function replaced(webhook: object): object {
  return { webhook };
}

const logOf = async ({ world }: Stage, groupId: string): Promise<{ readonly id: string; readonly eventResult: string }> => {
  const found = (await readLogs(world)).find((log) => Reflect.get(log, "linkedObjectId") === groupId);
  if (found === undefined) throw new Error("There is no log of the event.");
  return found;
};

const groupsAt = (sink: Sink): readonly string[] => sink.received.map(({ body }) => JSON.parse(body).event.linkedObjectId);

/** Brings one event to a moment of its life, removes something, and lets its delivery go on. */
type Moment = (stage: Stage, groupId: string, remove: () => Promise<void>) => Promise<void>;

const moments: Readonly<Record<string, { readonly run: Moment; readonly isCalledBefore?: boolean }>> = {
  "waits in the outbox": {
    run: async ({ world }, _groupId, remove) => {
      await remove();
      await world.identity.settle();
    },
  },
  "is leased by a process that dies": {
    run: async ({ world }, _groupId, remove) => {
      const now = world.clock.instant;
      await world.storage.transaction((tx) => tx.lease(eventsTable, { limit: 100, now, until: now + leaseMilliseconds }));
      await remove();
      world.clock.advance(leaseMilliseconds + 1);
      await world.identity.settle();
    },
  },
  "is being called": {
    run: async ({ answer, sink, world }, _groupId, remove) => {
      answer.status = undefined;
      const settled = world.identity.settle();
      await vi.waitFor(() => expect(sink.received).toHaveLength(1), 10_000);
      await remove();
      release(answer);
      await settled;
    },
    isCalledBefore: true,
  },
  "is being called for long": {
    run: async ({ answer, sink, world }, groupId, remove) => {
      answer.status = undefined;
      await world.identity.start();
      await vi.waitFor(() => expect(sink.received).toHaveLength(1), 10_000);
      // Logged, and claimed there.
      await vi.waitFor(async () => expect((await readLogs(world)).map(({ id }) => id)).not.toEqual([]), 10_000);
      await remove();
      release(answer);
      await vi.waitFor(async () => expect((await readLogs(world)).some(isRunning)).toBe(false), 10_000);
      expect(groupsAt(sink)).toEqual([groupId]);
    },
    isCalledBefore: true,
  },
  "waits for another attempt": {
    run: async ({ answer, world }, _groupId, remove) => {
      answer.status = 500;
      await world.identity.settle();
      answer.status = 200;
      await remove();
      world.clock.advance(5_001);
      await world.identity.settle();
    },
  },
};

// Later requests are answered at once: a webhook of another tenant now hears of its groups.
function release(answer: Stage["answer"]): void {
  answer.status = 200;
  for (const response of answer.held) response.writeHead(200).end();
}

const isRunning = ({ eventResult }: { readonly eventResult: string }): boolean => eventResult === "Running";

forEachStorage((start) => {
  for (const [moment, { isCalledBefore = false, run }] of Object.entries(moments))
    describe(`an event that ${moment}`, () => {
      for (const [name, { endsReceiver = false, remove }] of Object.entries(removals))
        requirement("delivery.removal", `is not lost when the ${name} goes`, async () => {
          const stage = await setStage(start);
          const { bystander, sink, tenantId, webhookId, world } = stage;
          const groupId = await makeGroup(world, tenantId, "G");
          const theirs = await makeGroup(world, world.defaultTenantId, "Theirs");
          await run(stage, groupId, () => remove(stage, groupId));
          await world.identity.settle();
          const isDelivered = !endsReceiver || isCalledBefore;
          const { id } = await logOf(stage, groupId);
          const log = expectOk(await world.caller.get(`/api/system/webhook-event-log/${id}`)).at("webhookEventLog");
          expect(log).toMatchObject({ eventResult: isDelivered ? "Succeeded" : "Failed" });
          if (isDelivered) expect(groupsAt(sink)).toContain(groupId);
          else
            expect((log as { readonly attempts: readonly object[] }).attempts).toContainEqual(
              expect.objectContaining({ webhookCallResponse: { exception: "receiverRemoved" }, webhookId }),
            );
          expect(groupsAt(bystander)).toContain(theirs);
          const after = await makeGroup(world, world.defaultTenantId, "After");
          await world.identity.settle();
          await vi.waitFor(() => expect(groupsAt(bystander)).toContain(after), 10_000);
          await vi.waitFor(async () => expect(await readEvents(world.storage, "group.create")).toEqual([]), 10_000);
          expect(world.log.filter(({ level }) => level === "error")).toEqual([]);
        });
    });

  describe("the log of an event", () => {
    requirement("delivery.removal-log", "stays when its tenant goes, without the tenant, for global keys", async () => {
      const stage = await setStage(start);
      const { answer, other, tenantId, world } = stage;
      answer.status = 500;
      const groupId = await makeGroup(world, tenantId, "G");
      await world.identity.settle();
      world.clock.advance(5_001);
      await world.identity.settle();
      const { id, eventResult } = await logOf(stage, groupId);
      expect(eventResult).toBe("Failed");
      expectEmpty(await other.delete(`/api/tenant/${tenantId}`), 200);
      const log = expectOk(await world.caller.get(`/api/system/webhook-event-log/${id}`)).at("webhookEventLog");
      expect((log as { readonly attempts: readonly unknown[] }).attempts).toHaveLength(2);
      await makeTenant(world, "Other");
    });
  });
});
