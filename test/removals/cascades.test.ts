import { describe, expect, test } from "vitest";
import { hasRemovalEvents, tables } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { readEntries } from "../support/audit-entries.js";
import { ids } from "../support/logins.js";
import { isLong } from "../support/properties.js";
import { crowd, fillCrowd } from "../support/removal-crowd.js";
import { expectEventsOfGone, type Filled, fillTenant, readContents, tablesBelow, takeEvents } from "../support/removals.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents } from "../support/world.js";

/** Tables without events: the reference has none for their records. A new table stands here or publishes events. */
const withoutEvents = [
  ...["accessLists", "apiKeys", "apiKeyTenants", "apiKeyUses", "apiKeyWarnings", "applicationRoles", "applications", "attempts"],
  ...["auditChain", "auditDigests", "auditLogNumbers", "auditLogs", "auditQueue"],
  ...[
    "consents",
    "earlierReceivers",
    "emailTemplates",
    "entityGrants",
    "entityTypePermissions",
    "entityTypes",
    "eventLogNumbers",
    "eventLogs",
  ],
  ...[
    "connectors",
    "events",
    "formFields",
    "identityProviderApplications",
    "identityProviderDomains",
    "identityProviderTenants",
    "identityProviders",
    "importJobs",
    "importParts",
    "forms",
    "installations",
    "integrations",
    "keyPurposes",
    "keys",
    "lambdaVersions",
    "lambdas",
    "loginRecords",
    "logoutTokens",
    "mails",
    "messageTemplates",
    "messengers",
    "oneTimeIds",
    "passkeys",
  ],
  ...[
    "pendingLinks",
    "pendingLogins",
    "references",
    "setAside",
    "tenants",
    "textMessages",
    "themes",
    "usedProofs",
    "webhookApplications",
  ],
  ...["userActionLogs", "userActionReasons", "userActions", "userComments", "userConsents"],
  ...["webhookAttemptLogs", "webhookEventLogs", "webhookTenants", "webhooks"],
];

/** How a record of a table is removed. */
const removals: Readonly<Record<string, (filled: Filled) => string>> = {
  applicationRoles: ({ applicationRoles }) => `/api/application/${ids.application}/role/${applicationRoles}`,
  applications: ({ applications }) => `/api/application/${applications}?hardDelete=true`,
  consents: ({ consents }) => `/api/consent/${consents}`,
  entities: ({ entities }) => `/api/entity/${entities}`,
  groups: ({ groups }) => `/api/group/${groups}`,
  users: ({ users }) => `/api/user/${users}?hardDelete=true`,
  identityProviders: ({ identityProviders }) => `/api/identity-provider/${identityProviders}`,
  webhooks: ({ webhooks }) => `/api/webhook/${webhooks}`,
};

// Of sessions at the OpenID provider, applications get logout tokens: test/oidc/logout-tokens.test.ts.
test("every table publishes events of removed records or is listed", () => {
  const publishing = tables.filter(hasRemovalEvents).map(({ name }) => name);
  expect([...publishing, ...withoutEvents].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("every table whose records take others along has a test here", () => {
  const parents = tables.map(({ name }) => name).filter((name) => tablesBelow(name).length > 0);
  // Types of entities are in use while there are entities, keys and logs are removed by their own calls, which have no events.
  // Versions of lambdas are part of them: test/lambdas/versions.test.ts.
  const others = ["apiKeys", "entityTypes", "importJobs", "keys", "lambdas", "userActions", "webhookEventLogs"];
  expect([...Object.keys(removals), ...others].sort()).toEqual(parents.sort());
});

const many = isLong ? 2_500 : 1_100;

forEachStorage((start) => {
  describe("removing a record", () => {
    for (const [table, toPath] of Object.entries(removals))
      requirement("cascade.events", `of ${table} publishes the event of each record that goes along`, async () => {
        const world = await start({ version: "1.69.0" });
        const filled = await fillTenant(world);
        const before = await readContents(world);
        expectEmpty(await world.caller.delete(toPath(filled)), 200);
        const gone = await expectEventsOfGone(world, before);
        expect(gone).toEqual(expect.arrayContaining([table, ...tablesBelow(table)]));
      });

    requirement("cascade.order", "publishes what goes along first, and shows the record as it was", async () => {
      const world = await start();
      const { users } = await fillTenant(world);
      const { caller } = world;
      const user = expectOk(await caller.get(`/api/user/${users}`)).at("user");
      await takeEvents(world);
      expectEmpty(await caller.delete(`/api/user/${users}?hardDelete=true`), 200);
      const events = await takeEvents(world);
      expect(events.map(({ type }) => type)).toEqual([
        ...["user.registration.delete", "user.registration.delete.complete"],
        ...["group.member.remove", "group.member.remove.complete", "user.identity-provider.unlink", "jwt.refresh-token.revoke"],
        ...["user.delete", "user.delete.complete"],
      ]);
      expect(events.at(-1)).toMatchObject({ actor: { type: "apiKey" }, linkedObjectId: users, user });
      for (const event of events) expect(event).toMatchObject({ actor: { type: "apiKey" }, tenantId: world.defaultTenantId });
    });

    requirement("cascade.role", "that is a role publishes the groups and registrations that lose it", async () => {
      const world = await start();
      const { applicationRoles, groups } = await fillTenant(world);
      const { caller } = world;
      const path = `/api/application/${ids.application}/role/${applicationRoles}`;
      expectOk(await caller.patch(path, { role: { name: "customer" } }));
      expectEmpty(await caller.delete(path), 200);
      const events = await takeEvents(world);
      const [first, second] = events.filter(({ type }) => type === "user.registration.update");
      expect(events.filter(({ type }) => type === "user.registration.update.complete")).toHaveLength(2);
      expect(first).toMatchObject({ original: { roles: ["buyer"] }, registration: { roles: ["customer"] } });
      expect(second).toMatchObject({ original: { roles: ["customer"] }, registration: { roles: [] }, user: { id: ids.user } });
      const [lost, ...more] = events.filter(({ type }) => type === "group.update");
      expect(more).toEqual([]);
      const original = { roles: { [ids.application]: [{ id: applicationRoles }] } };
      expect(lost).toMatchObject({ linkedObjectId: groups, group: { roles: {} }, original });
    });

    requirement("cascade.unaudited", "leaves one entry in the audit log", async () => {
      const world = await start({ auditChanges: true });
      const { users } = await fillTenant(world);
      expectEmpty(await world.caller.delete(`/api/user/${users}?hardDelete=true`), 200);
      const messages = (await readEntries(world)).flatMap(({ message }) => message ?? []);
      expect(messages.filter((message) => message.startsWith("Removed"))).toEqual([`Removed the user ${users}`]);
    });

    requirement("cascade.unasked", "asks receivers about the event of the call alone", async () => {
      const types = ["user.registration.delete", "user.delete", "group.member.remove", "jwt.refresh-token.revoke"];
      const world = await start({ allowPrivateNetwork: true });
      const { caller, storage } = world;
      const { users } = await fillTenant(world);
      // Records of logins are written a little later.
      await world.identity.settle();
      let status = 500;
      const sink = await startSink((_request, response) => void response.writeHead(status).end());
      const eventsEnabled = Object.fromEntries(types.map((type) => [type, true]));
      await makeWebhook(world, { url: sink.url, global: true, eventsEnabled });
      const setting = { enabled: true, transactionType: "AbsoluteMajority" };
      const eventConfiguration = { events: Object.fromEntries(types.map((type) => [type, setting])) };
      expectOk(await caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration } }));
      const [before, events] = [await readContents(world), await readEvents(storage)];
      const path = `/api/user/${users}?hardDelete=true`;
      expectRefusal(await caller.delete(path), 504, "[WebhookTransactionException]");
      expect(await readContents(world)).toEqual(before);
      expect(await readEvents(storage)).toEqual(events);
      status = 200;
      expectEmpty(await caller.delete(path), 200);
      await expectEventsOfGone(world, before);
      const asked = sink.received.map(({ body }) => JSON.parse(body).event.type);
      expect(asked).toEqual(["user.delete", "user.delete"]);
    });

    requirement("cascade.members", "publishes memberships, 1,000 in an event", async () => {
      const world = await start();
      const { caller, storage, defaultTenantId } = world;
      await fillCrowd(world, defaultTenantId, many);
      expectEmpty(await caller.delete(`/api/group/${crowd.group}`), 200);
      const events = await readEvents(storage, "group.member.remove");
      const lists = events.map(({ members }) => members as readonly { readonly id: string }[]);
      expect(lists.map(({ length }) => length).sort()).toEqual(isLong ? [1_000, 1_000, 500] : [100, 1_000]);
      expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(many);
      expect(events[0]).toMatchObject({ group: { id: crowd.group }, tenantId: defaultTenantId });
    });

    requirement("cascade.members", "publishes registrations one by one", async () => {
      const world = await start();
      const { caller, defaultTenantId, storage } = world;
      await fillCrowd(world, defaultTenantId, many);
      expectEmpty(await caller.delete(`/api/application/${crowd.application}?hardDelete=true`), 200);
      const events = await readEvents(storage, "user.registration.delete");
      expect(new Set(events.map(({ user }) => (user as { readonly id: string }).id)).size).toBe(many);
    });

    requirement("cascade.whole", "does nothing at all in a dry run, nor where something is in use", async () => {
      const world = await start();
      const { applications, groups, users } = await fillTenant(world);
      const { caller, storage } = world;
      const before = await readContents(world);
      const events = await readEvents(storage);
      expectEmpty(await caller.delete(`/api/user/${users}?hardDelete=true&dryRun=true`), 200);
      expectEmpty(await caller.delete(`/api/group/${groups}?dryRun=true`), 200);
      const undone = world.identity.transaction(async (tx) => {
        await tx.applications.remove({ applicationId: applications ?? "", hardDelete: true });
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await readContents(world)).toEqual(before);
      expect(await readEvents(storage)).toEqual(events);
    });
  });
});
