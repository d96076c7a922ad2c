import type { EventUser, PublishInput } from "latchkey/types";
import { describe, expect } from "vitest";
import { requiredFields } from "../../src/delivery/events/publish-given.js";
import { expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { makeTenant, onEveryStorage, readEvents, uuid, type World } from "../support/world.js";

const user: EventUser = { id: uuid(1), email: "ada@example.com" };

/** Whatever a host without types may hand in. */
function publishAny({ identity }: World, event: object): Promise<unknown> {
  return identity.events.publish(event as PublishInput);
}

onEveryStorage((start) => {
  describe("an event that a host publishes", () => {
    requirement("event.publish", "is recorded with an envelope of its own, and with its twin", async () => {
      const world = await start();
      const { defaultTenantId: tenantId, clock } = world;
      const { event } = await world.identity.events.publish({ type: "user.create", tenantId, user });
      const envelope = { actor: { type: "host" }, createInstant: clock.instant, linkedObjectId: user.id, tenantId };
      expect(event).toEqual({ ...envelope, id: expect.any(String), type: "user.create", user });
      const events = await readEvents(world.storage);
      expect(events[0]).toEqual(event);
      expect(events.map(({ type }) => type)).toEqual(["user.create", "user.create.complete"]);
    });

    requirement("event.publish", "reaches webhooks as those of the service do", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.password.breach": true } });
      await world.identity.start();
      const { event } = await world.identity.events.publish({ type: "user.password.breach", user, info: { os: "Plan 9" } });
      await expect.poll(() => sink.received.length, { timeout: 10_000 }).toBe(1);
      expect(JSON.parse(sink.received[0]?.body ?? "{}")).toEqual({ event });
      expect(event.info).toEqual({ os: "Plan 9" });
    });

    requirement("event.publish-transaction", "commits or rolls back with the host's own transaction", async () => {
      const world = await start();
      const fail = world.identity.transaction(async (tx) => {
        await tx.events.publish({ type: "user.deactivate", user });
        throw new Error("The host changes its mind.");
      });
      await expect(fail).rejects.toThrow("changes its mind");
      expect(await readEvents(world.storage)).toEqual([]);
      await world.identity.transaction((tx) => tx.events.publish({ type: "user.deactivate", user }));
      expect(await readEvents(world.storage, "user.deactivate")).toHaveLength(1);
    });

    requirement("event.publish-asked", "is asked about first where the tenant wants it", async () => {
      const world = await start({ allowPrivateNetwork: true });
      let status = 500;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.reactivate": true } });
      const eventConfiguration = { events: { "user.reactivate": { enabled: true, transactionType: "AbsoluteMajority" } } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration } }));
      const publish = (): Promise<unknown> => world.identity.events.publish({ type: "user.reactivate", user });
      await expect(publish()).rejects.toMatchObject({ status: 504, code: "[WebhookTransactionException]" });
      expect(await readEvents(world.storage)).toEqual([]);
      status = 200;
      await publish();
      expect(await readEvents(world.storage)).toHaveLength(1);
      expect(sink.received).toHaveLength(2);
    });

    requirement("event.publish-dry", "leaves nothing in a dry run", async () => {
      const world = await start();
      const { event } = await world.identity.events.publish({ type: "user.deactivate", user }, { dryRun: true });
      expect(event.type).toBe("user.deactivate");
      expect(await readEvents(world.storage)).toEqual([]);
    });

    requirement("event.publish-secrets", "contains no password, even if the host passes one", async () => {
      const world = await start();
      const kept = { ...user, password: "hunter2", salt: "s" };
      await publishAny(world, { type: "user.bulk.create", users: [kept] });
      await publishAny(world, { type: "user.update", user: kept, original: kept });
      for (const event of await readEvents(world.storage)) expect(JSON.stringify(event)).not.toMatch(/hunter2|salt/);
    });

    requirement("event.publish-refused", "is refused where the table of events does not have it", async () => {
      const world = await start({ version: "1.60.0", plan: "community" });
      const refusals: readonly (readonly [object, string])[] = [
        [{}, "[missing]type"],
        [{ type: "user.dance", user }, "[invalid]type"],
        [{ type: "__proto__", user }, "[invalid]type"],
        [{ type: 7, user }, "[invalid]type"],
        [{ type: "test", message: "m" }, "[invalid]type"],
        [{ type: "user.create.complete", user }, "[invalid]type"],
        [{ type: "entity.create", entity: { id: uuid(1) } }, "[invalid]type"],
        [{ type: "user.password.breach", user }, "[notLicensed]type"],
        [{ type: "user.create" }, "[missing]user"],
        [{ type: "user.create", user: null }, "[missing]user"],
        [{ type: "user.create", tenantId: uuid(77), user }, "[invalid]tenantId"],
        [{ type: "user.create", tenantId: "x", user }, "[invalid]tenantId"],
        [{ type: "user.create", linkedObjectId: "x", user }, "[invalid]linkedObjectId"],
        [{ type: "kickstart.success", tenantId: world.defaultTenantId, instanceId: uuid(1) }, "[invalid]tenantId"],
      ];
      for (const [event, code] of refusals)
        await expect(publishAny(world, event), JSON.stringify(event)).rejects.toMatchObject({ status: 400, code });
      await makeTenant(world, "Another");
      await expect(publishAny(world, { type: "user.create", user })).rejects.toMatchObject({ code: "[TenantIdRequired]" });
      expect(await readEvents(world.storage)).toEqual([]);
    });

    requirement("event.publish-refused", "must say all that its kind says, and may be of any kind", async () => {
      const world = await start({ version: "1.69.0" });
      for (const [type, required] of Object.entries(requiredFields)) {
        const members = Object.fromEntries(Object.keys(required).map((name) => [name, { id: uuid(1) }]));
        await publishAny(world, { type, ...members });
        for (const name of Object.keys(required)) {
          const lacking = { type, ...members, [name]: undefined };
          await expect(publishAny(world, lacking)).rejects.toMatchObject({ code: `[missing]${name}` });
        }
        expect([type, (await readEvents(world.storage, type)).length]).toEqual([type, 1]);
      }
    });

    requirement("event.publish-bound", "is of the tenant that the caller is bound to, and none of the instance", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "North");
      const bound = world.identity.as({ kind: "host", tenantId });
      const { event } = await bound.events.publish({ type: "user.create", tenantId: world.defaultTenantId, user });
      expect(event.tenantId).toBe(tenantId);
      const ofInstance = { type: "kickstart.success", instanceId: uuid(1) } as const;
      await expect(bound.events.publish(ofInstance)).rejects.toMatchObject({ status: 401 });
      await world.identity.apiKeys.create({
        apiKey: { key: "a-key-of-some-grants", permissions: { endpoints: { "/api/group": ["POST"] } } },
      });
      const principal = await world.identity.findPrincipal("a-key-of-some-grants");
      const limited = world.identity.as(principal ?? { kind: "host" });
      await expect(limited.events.publish({ type: "user.create", user })).rejects.toMatchObject({ status: 401 });
    });
  });
});
