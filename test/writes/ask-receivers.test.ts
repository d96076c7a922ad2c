import type { IdentityServiceOptions } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { rerunningStorage } from "../support/rerunning-storage.js";
import { type Sink, startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, type Start, startWorld, storages, uuid, type World } from "../support/world.js";

const type = "group.create";

interface Asked {
  readonly world: World;
  readonly sink: Sink;
  /** What the receiver answers. */
  readonly answer: { status: number; body: string };
  /** The names of the groups that the receiver was asked about, or told of. */
  readonly names: () => readonly string[];
}

/** A service whose tenant wants the one receiver of new groups to agree. */
async function startAsked(start: Start, options: Partial<IdentityServiceOptions> = {}): Promise<Asked> {
  const world = await start({ allowPrivateNetwork: true, ...options });
  const answer = { status: 201, body: "" };
  const sink = await startSink((_request, response) => void response.writeHead(answer.status).end(answer.body));
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { [type]: true } });
  const events = { [type]: { enabled: true, transactionType: "AbsoluteMajority" as const } };
  const patch = { tenant: { eventConfiguration: { events } } };
  await world.identity.tenants.patch({ tenantId: world.defaultTenantId, patch });
  const names = (): readonly string[] => sink.received.map(({ body }) => JSON.parse(body).event.group.name);
  return { world, sink, answer, names };
}

const group = (name: string): { readonly group: { readonly name: string } } => ({ group: { name } });

async function namesOf({ caller }: World): Promise<unknown> {
  return (await caller.get("/api/group")).each("groups", "name");
}

forEachStorage((start) => {
  describe("tx.askReceivers", () => {
    requirement("transaction.ask", "asks about what is stored, and nobody is sent it again", async () => {
      const { names, sink, world } = await startAsked(start);
      const created = await world.identity.transaction(async (tx) => {
        const made = await tx.groups.create(group("A"));
        expect(names()).toEqual([]);
        await tx.askReceivers();
        expect(names()).toEqual(["A"]);
        return made.group;
      });
      const { event } = JSON.parse(sink.received[0]?.body ?? "{}");
      expect(event.group).toEqual(created);
      expect(await readEvents(world.storage, type)).toEqual([event]);
      await world.identity.settle();
      expect(names()).toEqual(["A"]);
    });

    requirement("transaction.ask", "asks nobody about a record whose name is taken", async () => {
      const { names, world } = await startAsked(start);
      await world.identity.groups.create(group("A"));
      const refused = world.identity.transaction(async (tx) => {
        await tx.groups.create(group("A"));
        await tx.askReceivers();
      });
      await expect(refused).rejects.toMatchObject({ code: "[duplicate]group.name" });
      expect(names()).toEqual(["A"]);
    });

    requirement("transaction.ask-refused", "throws 504 with the errors of the receivers; the host rolls back", async () => {
      const { answer, world } = await startAsked(start);
      const error = { code: "[rival]group.name", message: "Not here." };
      Object.assign(answer, { status: 400, body: JSON.stringify({ fieldErrors: { "group.name": [error] } }) });
      const before = (await readEvents(world.storage)).length;
      const refused = world.identity.transaction(async (tx) => {
        await tx.groups.create(group("A"));
        await tx.askReceivers();
      });
      const code = "[WebhookTransactionException]";
      await expect(refused).rejects.toMatchObject({ status: 504, code, fieldErrors: { "group.name": [error] } });
      expect([await namesOf(world), (await readEvents(world.storage)).length]).toEqual([[], before]);
    });

    requirement("transaction.ask-again", "asks about new events only, and about refused ones again", async () => {
      const { answer, names, world } = await startAsked(start);
      await world.identity.transaction(async (tx) => {
        await tx.askReceivers();
        await tx.groups.create(group("A"));
        await tx.askReceivers();
        await tx.groups.create(group("B"));
        answer.status = 500;
        await expect(tx.askReceivers()).rejects.toMatchObject({ status: 504 });
        answer.status = 201;
        await tx.askReceivers();
        await tx.askReceivers();
        await tx.groups.create(group("C"));
      });
      expect(names()).toEqual(["A", "B", "B"]);
      expect(await namesOf(world)).toEqual(["A", "B", "C"]);
      // The one that nobody was asked about is sent after the commit, as without the call.
      await world.identity.settle();
      expect(names()).toEqual(["A", "B", "B", "C"]);
    });

    requirement("transaction.ask", "asks nobody about calls that failed, dry runs and other types", async () => {
      const { names, world } = await startAsked(start);
      await world.identity.transaction(async (tx) => {
        await tx.groups.create(group("A"));
        await expect(tx.groups.create(group("a"))).rejects.toMatchObject({ status: 400 });
        await tx.groups.create(group("B"), { dryRun: true });
        await tx.users.create({ user: { email: "ada@example.com" } });
        await tx.askReceivers();
      });
      expect(names()).toEqual(["A"]);
    });

    requirement("transaction.ask", "sends an event after the commit where the host stores what was refused", async () => {
      const { answer, names, world } = await startAsked(start);
      await world.identity.transaction(async (tx) => {
        await tx.groups.create(group("A"));
        answer.status = 500;
        await tx.askReceivers().catch(() => undefined);
        answer.status = 201;
      });
      await world.identity.settle();
      expect([names(), await namesOf(world)]).toEqual([["A", "A"], ["A"]]);
    });

    requirement("transaction.ask", "asks about events that the host publishes", async () => {
      const { names, world } = await startAsked(start);
      await world.identity.transaction(async (tx) => {
        await tx.events.publish({ type, group: { id: uuid(9), name: "Own" } }, { tenantId: world.defaultTenantId });
        await tx.askReceivers();
      });
      expect(names()).toEqual(["Own"]);
    });

    requirement("on-write.asked", "is not needed in onWrite: its writes are asked about with the operation", async () => {
      const { answer, names, world } = await startAsked(start, {
        onWrite: async (tx, { family, id }) => void (family === "users" && (await tx.groups.create(group(`Of ${id}`)))),
      });
      const create = (id: string) => world.caller.post(`/api/user/${id}`, { user: { email: `${id}@example.com` } });
      answer.status = 500;
      expectRefusal(await create(uuid(1)), 504, "[WebhookTransactionException]");
      expect([names(), await namesOf(world)]).toEqual([[`Of ${uuid(1)}`], []]);
      expect((await world.caller.get(`/api/user/${uuid(1)}`)).status).toBe(404);
      answer.status = 201;
      expectOk(await create(uuid(2)));
      expect([names()[1], await namesOf(world)]).toEqual([`Of ${uuid(2)}`, [`Of ${uuid(2)}`]]);
      await world.identity.transaction(async (tx) => {
        await tx.users.create({ userId: uuid(3), user: { email: "three@example.com" } });
        await tx.users.create({ userId: uuid(4), user: { email: "four@example.com" } });
        await tx.askReceivers();
      });
      expect(names().slice(2).toSorted()).toEqual([`Of ${uuid(3)}`, `Of ${uuid(4)}`]);
      await world.identity.settle();
      expect(names()).toHaveLength(4);
    });

    requirement("on-write.asked", "asks within onWrite about the operation as well", async () => {
      const { answer, names, world } = await startAsked(start, { onWrite: (tx) => tx.askReceivers() });
      expectOk(await world.caller.post("/api/group", group("A")));
      answer.status = 500;
      expectRefusal(await world.caller.post("/api/group", group("B")), 504, "[WebhookTransactionException]");
      await world.identity.settle();
      expect([names(), await namesOf(world)]).toEqual([["A", "B"], ["A"]]);
    });
  });
}, embeddedPostgres());

describe.each(storages)("tx.askReceivers on %s", (_name, open) => {
  requirement("transaction.ask-retried", "asks in each run of a transaction that meets another one", async () => {
    const { sink, world } = await startAsked((options) => startWorld(rerunningStorage(open()), options));
    await world.identity.transaction(async (tx) => {
      await tx.groups.create(group("A"));
      await tx.askReceivers();
    });
    const ids = sink.received.map(({ body }) => JSON.parse(body).event.id);
    expect(new Set(ids).size).toBe(2);
    expect((await readEvents(world.storage, type)).map(({ id }) => id)).toEqual([ids[1]]);
  });
});
