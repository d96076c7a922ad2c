import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { identityProviderLinksTable } from "../../src/records/identity-provider-links/family.js";
import { usersTable } from "../../src/records/users/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { logInWith, providerId, startWithProvider } from "../support/identity-providers.js";
import { claimsOf, ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, makeTenant, readEvents, startWorld, uuid, type World } from "../support/world.js";

const email = "ann@example.com";

async function countUsers(world: World): Promise<number> {
  return (await world.storage.find(globalScope, usersTable, undefined)).length;
}

async function makeAnn(world: World, fields: object = {}): Promise<void> {
  expectOk(
    await world.caller.post(`/api/user/${ids.user}`, { user: { email, username: "Ann", password, verified: true, ...fields } }),
  );
}

forEachStorage((start) => {
  describe("a login by an identity provider", () => {
    requirement(
      ["external-login.finish", "external-login.registration"],
      "makes a user, a registration and a link, once",
      async () => {
        const world = await startWithProvider(start);
        world.script.user = { displayName: "Ann", email, profile: { firstName: "Ann", imageUrl: 7 }, token: "of the provider" };
        const answer = expectOk(await logInWith(world));
        const user = answer.at("user") as { readonly id: string };
        expect(user).toMatchObject({ email, firstName: "Ann", verified: true, lastLoginInstant: world.clock.instant });
        expect(answer.at("user.registrations.0")).toMatchObject({ applicationId: ids.application, roles: ["buyer"] });
        expect(claimsOf(answer.textAt("token"))).toMatchObject({
          authenticationType: "OPENID_CONNECT",
          sub: user.id,
          roles: ["buyer"],
        });
        const links = await world.caller.get(`/api/identity-provider/link?userId=${user.id}`);
        expect(links.at("identityProviderLinks")).toMatchObject([
          {
            ...{ displayName: "Ann", identityProviderId: providerId, identityProviderName: "The OpenIDConnect" },
            ...{ identityProviderType: "OpenIDConnect", identityProviderUserId: "ann|7" },
            ...{ lastLoginInstant: world.clock.instant, tenantId: world.defaultTenantId, token: "of the provider" },
          },
        ]);
        world.clock.advance(1_000);
        world.script.user = { displayName: "Ann B.", email: "other@example.com", token: "a later one" };
        expect(expectOk(await logInWith(world)).textAt("user.id")).toBe(user.id);
        expect(await countUsers(world)).toBe(1);
        const after = await world.caller.get(`/api/identity-provider/link?userId=${user.id}`);
        expect(after.at("identityProviderLinks.0")).toMatchObject({
          ...{ displayName: "Ann B.", lastLoginInstant: world.clock.instant, token: "a later one" },
        });
        const logins = await readEvents(world.storage, "user.login.success");
        expect(logins).toHaveLength(2);
        const named = {
          authenticationType: "OPENID_CONNECT",
          identityProviderId: providerId,
          identityProviderName: "The OpenIDConnect",
        };
        expect(logins[0]).toMatchObject(named);
        for (const type of ["user.create", "user.registration.create", "user.identity-provider.link"])
          expect(await readEvents(world.storage, type)).toHaveLength(1);
        expect(JSON.stringify(await readEvents(world.storage))).not.toContain("of the provider");
        await world.identity.settle();
        const records = await world.caller.post("/api/system/login-record/search", { search: { userId: user.id } });
        expect(records.at("logins")).toMatchObject([{ identityProviderId: providerId }, { identityProviderId: providerId }]);
      },
    );

    requirement("external-login.finish", "asks for a second factor and for verification as any login does", async () => {
      const world = await startWithProvider(start);
      const emailConfiguration = { unverified: { behavior: "Gated" }, verifyEmail: true };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { emailConfiguration } }));
      world.script.user = { email, isEmailVerified: false };
      expect((await logInWith(world)).status).toBe(212);
      expect((await logInWith(world, "as:other")).status).toBe(232);
      world.script.user = { email: "bob@example.com", isEmailVerified: true };
      expectOk(await logInWith(world, "as:bob"));
    });

    requirement("external-login.registration", "registers nobody where the application does not", async () => {
      const applicationConfiguration = { [ids.application]: { createRegistration: false, enabled: true } };
      const world = await startWithProvider(start, { fields: { applicationConfiguration } });
      world.script.user = { email };
      const answer = await logInWith(world);
      expect(answer.status).toBe(202);
      expect(answer.at("user.registrations")).toEqual([]);
    });

    requirement("external-login.races", "makes one user of many first logins at once", async () => {
      const world = await startWithProvider(start);
      world.script.user = { email };
      const answers = await Promise.all(Array.from({ length: 5 }, () => logInWith(world)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(answers.map((answer) => answer.textAt("user.id"))).size).toBe(1);
      expect(await countUsers(world)).toBe(1);
      expect(await readEvents(world.storage, "user.identity-provider.link")).toHaveLength(1);
    });

    requirement(
      "external-login.failures",
      "is refused, unavailable, pending or broken with its status, and never 500",
      async () => {
        const world = await startWithProvider(start, { fields: { debug: true } });
        expectRefusal(await logInWith(world, "wrong"), 400, "[identityProviderRefused]");
        expectRefusal(await logInWith(world, "down"), 502, "[identityProviderUnavailable]");
        expectRefusal(await logInWith(world, "later"), 409, "[identityProviderPending]");
        expectRefusal(await logInWith(world, "broken"), 502, "[identityProviderUnavailable]");
        expect(world.log.some(({ message }) => message.includes("client of identity providers"))).toBe(true);
        expect(await readEvents(world.storage, "user.login.failed")).toMatchObject([{ reason: { code: "credentials" } }]);
        for (const id of ["", "x".repeat(256), "a\0b", "\ud800"]) {
          world.script.user = { id };
          expectRefusal(await logInWith(world), 400, "[identityProviderRefused]");
        }
        const entries = await world.caller.post("/api/system/event-log/search", { search: { type: "Debug" } });
        expect(entries.at("total")).toBeGreaterThan(3);
      },
    );

    requirement("external-login.failures", "is described in the event log without the tokens of the provider", async () => {
      const world = await startWithProvider(start, { fields: { debug: true } });
      const tokens = { access_token: "access of ann", refresh_token: "refresh of ann" };
      const userInfo = { name: "Ann", echo: "refresh of ann" };
      world.script.user = { email, lambdaArguments: { tokens, userInfo }, token: "refresh of ann" };
      expectOk(await logInWith(world));
      const entries = await world.caller.post("/api/system/event-log/search", { search: { type: "Debug" } });
      expect(entries.text).toContain("vouches for");
      expect(entries.text).toContain("Ann");
      expect(entries.text).not.toContain("of ann");
    });

    requirement("external-login.failures", "slows the source of refused answers, and nobody else", async () => {
      const world = await startWithProvider(start, { options: { throttle: { login: { maxFailures: 3 } } } });
      world.script.user = { email };
      const from = (ipAddress: string, token: string) =>
        world.caller.post("/api/identity-provider/login", {
          ...{ applicationId: ids.application, data: { token }, identityProviderId: providerId, ipAddress },
        });
      const statuses: number[] = [];
      for (let tries = 0; tries < 8; tries++) statuses.push((await from("192.0.2.1", "wrong")).status);
      expect([423, 429]).toContain(statuses.at(-1));
      expectOk(await from("192.0.2.2", "right"));
    });

    requirement("external-login.finish", "names a provider that serves the application, or is refused", async () => {
      const world = await startWithProvider(start);
      const refused = async (body: object, code: string) => expectRefusal(await logInWith(world, "right", body), 400, code);
      await refused({ identityProviderId: uuid(1) }, "[invalid]identityProviderId");
      await refused({ applicationId: uuid(1) }, "[invalid]applicationId");
      await refused({ identityProviderId: undefined }, "[missing]identityProviderId");
      await refused({ identityProviderId: 7 }, "[invalidJSON]identityProviderId");
      await refused({ data: "x" }, "[invalidJSON]data");
      const off = { identityProvider: { applicationConfiguration: { [ids.application]: { enabled: false } } } };
      expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, off));
      await refused({}, "[disabled]identityProviderId");
      const other = await makeTenant(world, "Other");
      const elsewhere = await world.caller.inTenant(other).post("/api/identity-provider/login", {
        ...{ applicationId: ids.application, data: { token: "right" }, identityProviderId: providerId },
      });
      expectRefusal(elsewhere, 400, "[invalid]applicationId");
    });

    requirement(
      "external-login.finish",
      "wants a credential where the application does, and no client means no login",
      async () => {
        const world = await startWithProvider(start, { options: { identityProviders: [] } });
        expectRefusal(await logInWith(world), 400, "[notConfigured]identityProviderId");
        const application = { loginConfiguration: { requireAuthentication: true } };
        expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
        expectEmpty(await logInWith(world), 401);
      },
    );

    requirement("external-login.finish", "is no login of somebody who is locked, expired or prevented", async () => {
      const world = await startWithProvider(start);
      world.script.user = { email };
      await makeAnn(world, { expiry: world.clock.instant + 1_000 });
      expectOk(await logInWith(world));
      world.clock.advance(2_000);
      expectEmpty(await logInWith(world), 410);
      expectOk(await world.caller.delete(`/api/user/${ids.user}`));
      expectEmpty(await logInWith(world), 404);
    });
  });

  describe("a linking strategy", () => {
    const strategies = {
      CreatePendingLink: { known: 232, unknown: 232 },
      Disabled: { known: 404, unknown: 404 },
      LinkAnonymously: { known: 200, unknown: 200 },
      LinkByEmail: { known: 200, unknown: 200 },
      LinkByEmailForExistingUser: { known: 200, unknown: 404 },
      LinkByUsername: { known: 232, unknown: 200 },
      LinkByUsernameForExistingUser: { known: 232, unknown: 404 },
    };
    const linking = new Set(["LinkByEmail", "LinkByEmailForExistingUser"]);
    for (const [linkingStrategy, { known, unknown }] of Object.entries(strategies))
      requirement("external-login.linking", `${linkingStrategy} answers ${known} and ${unknown}`, async () => {
        const world = await startWithProvider(start, { fields: { linkingStrategy } });
        await makeAnn(world);
        world.script.user = { email, username: "ann" };
        const answer = await logInWith(world);
        expect(answer.status).toBe(known);
        if (known === 200) expect(answer.textAt("user.id") === ids.user).toBe(linking.has(linkingStrategy));
        if (linkingStrategy === "LinkAnonymously") expect(answer.at("user.email") ?? answer.at("user.username")).toBeUndefined();
        world.script.user = { email: "new@example.com", username: "New" };
        const first = await logInWith(world, "as:new");
        expect(first.status).toBe(unknown);
        if (linkingStrategy === "LinkByUsername") expect(first.at("user")).toMatchObject({ username: "New" });
      });

    requirement("external-login.linking", "a pending link is finished by its user, and noLink links nobody", async () => {
      const world = await startWithProvider(start, { fields: { linkingStrategy: "CreatePendingLink" } });
      await makeAnn(world);
      world.script.user = { displayName: "Ann", email };
      expectEmpty(await logInWith(world, "right", { noLink: true }), 404);
      const { pendingIdPLinkId } = (await logInWith(world)).body as { pendingIdPLinkId: string };
      const body = { identityProviderLink: { userId: ids.user }, pendingIdPLinkId };
      expectOk(await world.caller.post("/api/identity-provider/link", body));
      expect(expectOk(await logInWith(world, "right", { noLink: true })).textAt("user.id")).toBe(ids.user);
      const { pendingIdPLinkId: late } = (await logInWith(world, "as:late")).body as { pendingIdPLinkId: string };
      expectOk(await world.caller.delete(`/api/identity-provider/${providerId}`));
      expectEmpty(await world.caller.get(`/api/identity-provider/link/pending/${late}`), 404);
    });

    requirement("external-login.linking", "links no more accounts of a user than the tenant allows", async () => {
      const world = await startWithProvider(start);
      const limited = { [world.defaultTenantId]: { limitUserLinkCount: { enabled: true, maximumLinks: 1 } } };
      expectOk(
        await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider: { tenantConfiguration: limited } }),
      );
      world.script.user = { email };
      expectOk(await logInWith(world));
      const { pendingIdPLinkId } = (await logInWith(world, "as:second")).body as { pendingIdPLinkId: string };
      const links = await world.caller.post("/api/identity-provider/link/search", { search: { identityProviderId: providerId } });
      const userId = links.textAt("identityProviderLinks.0.userId");
      const body = { identityProviderLink: { userId }, pendingIdPLinkId };
      expectRefusal(await world.caller.post("/api/identity-provider/link", body), 400, "[tooMany]identityProviderLink.userId");
      expectOk(await logInWith(world));
    });
  });
});

requirement("external-login.races", "A login that finds its user made between two reads goes on as that user", async () => {
  const storage = memoryStorage();
  let isFirst = true;
  const meet: typeof storage.find = async (scope, table, ...rest) => {
    const found = await storage.find(scope, table, ...rest);
    if (table !== identityProviderLinksTable || !isFirst) return found;
    isFirst = false;
    expectOk(await logInWith(world));
    return found;
  };
  const world = await startWithProvider((options) => startWorld({ ...watchStorage(storage, {}), find: meet }, options));
  world.script.user = { email };
  expectOk(await logInWith(world));
  expect(await countUsers(world)).toBe(1);
});
