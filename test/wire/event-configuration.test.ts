import { describe, expect, test } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { globalScope } from "../../src/ports/storage.js";
import { tenantsTable } from "../../src/records/tenants/family.js";
import type { Tenant } from "../../src/records/tenants/schema.js";
import { toTenantDraft } from "../../src/tenants/tenants/rules.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { causes } from "../support/event-causes.js";
import { addRunRoutes, withLambdas } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

addRunRoutes();

const settingsOf = (names: readonly string[], setting: object): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, setting]));
const all = eventTypes.map(({ name }) => name);
const ofTenants = eventTypes.filter(({ scope }) => scope === "tenant");
const path = `/api/tenant/${uuid(1)}`;

/** What stays of the settings of every event when all ask for all receivers. */
const effective = Object.fromEntries(
  ofTenants.map(({ name, isTransactional }) => [
    name,
    { enabled: false, transactionType: isTransactional ? "AbsoluteMajority" : "None" },
  ]),
);

const asking = { enabled: false, transactionType: "AbsoluteMajority" };

/** Stores settings as a release that accepted every name did. */
async function storeSettings({ storage }: World, id: string, events: object): Promise<void> {
  const stored = await storage.retrieve(globalScope, tenantsTable, id);
  if (stored === undefined) throw new Error("There is no such tenant.");
  const tenant = JSON.parse(stored.json) as Tenant;
  const record = { ...tenant, eventConfiguration: { events } };
  const { columns } = toTenantDraft(tenant, undefined);
  const { insertInstant, lastUpdateInstant } = record;
  const instants = { insertInstant, lastUpdateInstant };
  const changed = { ...stored, ...instants, columns, json: JSON.stringify(record), version: stored.version + 1 };
  await storage.transaction((tx) => tx.update(globalScope, tenantsTable, changed));
}

async function callAll(world: World, events: object): Promise<readonly unknown[]> {
  const { caller } = world;
  const tenant = { name: "T", eventConfiguration: { events } };
  const answers = [
    await caller.post(path, { tenant }),
    await caller.put(path, { tenant }),
    await caller.patch(path, { tenant: { eventConfiguration: { events } } }),
    await caller.mergePatch(path, { tenant: { eventConfiguration: { events } } }),
    await caller.jsonPatch(path, [{ op: "replace", path: "/tenant/eventConfiguration/events", value: events }]),
    await caller.post("/api/tenant", { sourceTenantId: uuid(1), tenant: { name: "Copy" } }),
    await caller.get(path),
  ];
  return answers.map((answer) => expectOk(answer).at("tenant.eventConfiguration.events"));
}

test("the events that are never asked about are those of the reference", () => {
  const silent = ofTenants.filter(({ isTransactional }) => !isTransactional).map(({ name }) => name);
  expect(silent.filter((name) => !name.endsWith(".complete")).sort()).toEqual([
    ...["user.email.update", "user.identity-provider.link", "user.identity-provider.unlink"],
    ...["user.loginId.duplicate.create", "user.loginId.duplicate.update", "user.password.reset.send"],
    ...["user.password.reset.start", "user.password.reset.success", "user.password.update"],
    ...["user.two-factor.method.add", "user.two-factor.method.remove"],
  ]);
  const twins = all.filter((name) => name.endsWith(".complete"));
  expect(silent).toEqual(expect.arrayContaining(twins));
});

forEachStorage((start) => {
  describe("the settings of events", () => {
    requirement("tenant.event-settings", "keep what has an effect, however they are written", async () => {
      const world = await start();
      for (const events of await callAll(world, settingsOf(all, asking))) expect(events).toEqual(effective);
    });

    requirement("tenant.event-settings", "take names of every version in every version", async () => {
      const world = await start({ version: "1.5.0" });
      const tenant = { name: "Old", eventConfiguration: { events: settingsOf(all, asking) } };
      const answer = expectOk(await world.caller.post("/api/tenant", { tenant }));
      expect(answer.at("tenant.eventConfiguration.events")).toEqual(effective);
    });

    requirement("tenant.event-settings", "refuse every other name, those of every object too", async () => {
      const { caller } = await start();
      const names = ["user.created", "USER.CREATE", " user.create", "", "constructor", "toString", "hasOwnProperty", "*"];
      for (const name of names) {
        const body = { tenant: { name: "T", eventConfiguration: { events: { [name]: asking } } } };
        expectRefusal(await caller.post("/api/tenant", body), 400, `[invalidOption]${pathOf(name)}`);
      }
    });

    requirement("tenant.event-settings", "of earlier releases do not stand in the way of a PATCH or a copy", async () => {
      const world = await start();
      expectOk(await world.caller.post(path, { tenant: { name: "T" } }));
      const events = { "no.such.event": asking, "audit-log.create": asking, ...settingsOf(["user.create.complete"], asking) };
      await storeSettings(world, uuid(1), events);
      const kept = { "user.create.complete": { enabled: false, transactionType: "None" } };
      const copy = expectOk(await world.caller.post("/api/tenant", { sourceTenantId: uuid(1), tenant: { name: "Copy" } }));
      expect(copy.at("tenant.eventConfiguration.events")).toEqual(kept);
      const patched = expectOk(await world.caller.patch(path, { tenant: { name: "Renamed" } }));
      expect(patched.at("tenant.eventConfiguration.events")).toEqual(kept);
    });
  });

  describe("an event that its tenant disables", () => {
    const disabled = { enabled: false, transactionType: "None" };
    test.each(Object.entries(causes))("%s", async (name, cause) => {
      const world = await start({ version: "1.69.0", allowPrivateNetwork: true, ...withLambdas() });
      const names = ofTenants.map((type) => type.name);
      const eventConfiguration = { events: settingsOf(names, disabled) };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration } }));
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: settingsOf(all, true as never) });
      await world.identity.start();
      await cause({ world, begin: async () => undefined });
      await world.identity.settle();
      const sent = sink.received.map(
        ({ body }) => (JSON.parse(body) as { readonly event: { readonly type: string } }).event.type,
      );
      expect(sent.filter((type) => names.includes(type))).toEqual([]);
      expect(sent.includes(name)).toBe(eventTypes.some((type) => type.name === name && type.scope === "instance"));
    });

    requirement("tenant.event-disabled", "leaves its twin alone, and the twin it", async () => {
      const world = await start({ version: "1.69.0", allowPrivateNetwork: true });
      const sink = await startSink();
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: settingsOf(all, true as never) });
      const events = settingsOf(["user.create.complete", "group.create"], disabled);
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }));
      await world.identity.start();
      expectOk(await world.caller.post("/api/user", { user: { username: "ann" } }));
      expectOk(await world.caller.post("/api/group", { group: { name: "G" } }));
      await world.identity.settle();
      const sent = sink.received.map(
        ({ body }) => (JSON.parse(body) as { readonly event: { readonly type: string } }).event.type,
      );
      expect(sent.sort()).toEqual(["group.create.complete", "user.create"]);
    });
  });
});

function pathOf(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name);
  return `tenant.eventConfiguration.events${isPlain ? `.${name}` : `[${name}]`}`;
}
