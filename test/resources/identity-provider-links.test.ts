import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { identityProviderLinksTable } from "../../src/records/identity-provider-links/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { auditing, entriesOf } from "../support/audit-entries.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";

const path = "/api/identity-provider/link";
const account = { identityProviderId: uuid(950), identityProviderUserId: "Ann|7" };
const taken = "[duplicate]identityProviderLink.identityProviderUserId";

async function startLinked(start: Start, options: object = {}): Promise<{ readonly world: World; readonly userId: string }> {
  const world = await start(options);
  const identityProvider = { name: "Provider", type: "Google", buttonText: "Log in", client_id: "c", client_secret: "s" };
  expectOk(await world.caller.post(`/api/identity-provider/${uuid(950)}`, { identityProvider }));
  return { world, userId: await makeUser(world, world.defaultTenantId, "ann@example.com") };
}

forEachStorage((start) => {
  describe("a link to an identity provider", () => {
    requirement("link.create", "links one user to an account, found by both", async () => {
      const { userId, world } = await startLinked(auditing(start));
      const { caller, clock, defaultTenantId: tenantId } = world;
      const fields = { ...account, data: { a: 1 }, displayName: "Ann", token: "a token", userId };
      const entries = await entriesOf(world, async () => {
        const made = expectOk(await caller.post(path, { identityProviderLink: fields }));
        expect(made.at("identityProviderLink")).toMatchObject({ ...fields, insertInstant: clock.instant, tenantId });
      });
      expect(entries).toMatchObject([{ message: expect.stringMatching(/^Created the identity provider link/), tenantId }]);
      const stored = await world.storage.find(globalScope, identityProviderLinksTable, undefined);
      const events = await readEvents(world.storage);
      expect(JSON.stringify([entries, stored, events])).not.toContain("a token");
      const found = await caller.get(`${path}?${new URLSearchParams(account)}`);
      expect(found.at("identityProviderLink")).toMatchObject(fields);
      for (const query of [`userId=${userId}`, `userId=${userId}&identityProviderId=${uuid(950)}`])
        expect((await caller.get(`${path}?${query}`)).at("identityProviderLinks")).toMatchObject([fields]);
      const other = `${path}?userId=${userId}&identityProviderId=${uuid(951)}`;
      expect((await caller.get(other)).at("identityProviderLinks")).toEqual([]);
      const wrongCase = { ...account, identityProviderUserId: "ann|7" };
      expectEmpty(await caller.get(`${path}?${new URLSearchParams(wrongCase)}`), 404);
      expectRefusal(await caller.get(path), 400, "[missing]userId");
      expectRefusal(await caller.get(`${path}?identityProviderUserId=a`), 400, "[missing]identityProviderId");
    });

    requirement("link.conflict", "is 409 for an account that is linked, also when two come at once", async () => {
      const { userId, world } = await startLinked(start);
      const other = await makeUser(world, world.defaultTenantId, "bob@example.com");
      const ask = (id: string) => world.caller.post(path, { identityProviderLink: { ...account, userId: id } });
      const answers = await Promise.all([ask(userId), ask(other)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expectRefusal(await ask(userId), 409, taken);
      const tenantId = await makeTenant(world, "Other");
      expectOk(await ask(await makeUser(world, tenantId, "ann@example.com")));
    });

    requirement("link.create", "refuses what is missing, and users out of sight", async () => {
      const { userId, world } = await startLinked(start);
      const least = ["[blank]identityProviderLink.identityProviderUserId", "[missing]identityProviderLink.identityProviderId"];
      expectRefusal(await world.caller.post(path, { identityProviderLink: { userId } }), 400, ...least);
      const bound = await callerOfTenant(world, await makeTenant(world, "Other"));
      const body = { identityProviderLink: { ...account, userId } };
      expectRefusal(await bound.post(path, body), 400, "[invalid]identityProviderLink.userId");
      const long = { ...account, identityProviderUserId: "x".repeat(256), userId };
      const code = "[tooLong]identityProviderLink.identityProviderUserId";
      expectRefusal(await world.caller.post(path, { identityProviderLink: long }), 400, code);
    });

    requirement("link.search", "is counted and listed by its provider and its user, within the tenant", async () => {
      const { userId, world } = await startLinked(start);
      const { caller, clock, defaultTenantId } = world;
      const otherTenantId = await makeTenant(world, "Other");
      const bob = await makeUser(world, world.defaultTenantId, "bob@example.com");
      const eve = await makeUser(world, otherTenantId, "eve@example.com");
      const accounts = [
        [userId, "1"],
        [bob, "2"],
        [bob, "3"],
        [eve, "4"],
      ] as const;
      for (const [user, identityProviderUserId] of accounts) {
        expectOk(await caller.post(path, { identityProviderLink: { ...account, identityProviderUserId, userId: user } }));
        clock.advance(1);
      }
      const of = `identityProviderId=${account.identityProviderId}`;
      const found = expectOk(await caller.get(`${path}/search?${of}&numberOfResults=2`));
      expect(found.body).toMatchObject({
        total: 4,
        identityProviderLinks: [
          { identityProviderUserId: "1", identityProviderName: "Provider", identityProviderType: "Google", userId },
          { identityProviderUserId: "2", userId: bob },
        ],
      });
      const count = async (query: string) => expectOk(await caller.get(`${path}/search?${query}&numberOfResults=0`)).at("total");
      expect(await count(`${of}&userId=${bob}`)).toBe(2);
      expect(await count(`userId=${bob}`)).toBe(2);
      expect(await count(`${of}&tenantId=${defaultTenantId}`)).toBe(3);
      expect(await count(`identityProviderId=${uuid(951)}`)).toBe(0);
      const posted = await caller.post(`${path}/search`, { search: { ...account, identityProviderUserId: undefined } });
      expect(expectOk(posted).at("total")).toBe(4);
      const bound = await callerOfTenant(world, otherTenantId);
      const own = expectOk(await bound.get(`${path}/search?${of}`));
      expect(own.body).toMatchObject({ total: 1, identityProviderLinks: [{ userId: eve }] });
      expectRefusal(await caller.get(`${path}/search?orderBy=token`), 400, "[invalid]orderBy");
    });

    requirement("link.remove", "is removed by account and user, and goes with the user", async () => {
      const { userId, world } = await startLinked(start);
      const { caller } = world;
      const query = new URLSearchParams({ ...account, userId });
      for (const removal of [`${path}?${query}`, `/api/user/${userId}?hardDelete=true`]) {
        expectOk(await caller.post(path, { identityProviderLink: { ...account, userId } }));
        const stranger = new URLSearchParams({ ...account, userId: uuid(9) });
        expectEmpty(await caller.delete(`${path}?${stranger}`), 404);
        expectRefusal(await caller.delete(`${path}?${new URLSearchParams(account)}`), 400, "[missing]userId");
        expect((await caller.delete(removal)).status).toBe(200);
        expectEmpty(await caller.get(`${path}?${new URLSearchParams(account)}`), 404);
      }
      const events = await readEvents(world.storage, "user.identity-provider.unlink");
      expect(events).toHaveLength(2);
      expect(events[0]).toMatchObject({ identityProviderLink: account, linkedObjectId: userId, user: { id: userId } });
    });

    requirement("link.versions", "had no wrapper before 1.43.0", async () => {
      const { userId, world } = await startLinked(start, { version: "1.42.0" });
      const made = expectOk(await world.caller.post(path, { ...account, displayName: "Ann", userId }));
      expect(made.at("identityProviderLink")).toMatchObject({ ...account, displayName: "Ann" });
      expect(
        (await world.identity.handle({ method: "GET", path: `${path}/pending/x`, query: "", headers: {} }))?.status,
      ).not.toBe(200);
    });
  });

  describe("a link that waits for its user", () => {
    requirement("link.pending", "is shown, and links one user once within the time of the tenant", async () => {
      const { userId, world } = await startLinked(start);
      const { caller, clock, defaultTenantId: tenantId, identity } = world;
      const pendingIdPLink = { ...account, displayName: "Ann", email: "ann@provider.example" };
      const open = () => identity.identityProviderLinks.createPending({ pendingIdPLink }, { tenantId });
      const { pendingIdPLinkId } = await open();
      const shown = await caller.get(`${path}/pending/${pendingIdPLinkId}?userId=${userId}`);
      expect(shown.body).toEqual({ linkCount: 0, pendingIdPLink });
      const body = { identityProviderLink: { userId }, pendingIdPLinkId };
      const foreign = await makeUser(world, await makeTenant(world, "Other"), "eve@example.com");
      const eve = { ...body, identityProviderLink: { userId: foreign } };
      expectRefusal(await caller.post(path, eve), 400, "[invalid]identityProviderLink.userId");
      const answers = await Promise.all([caller.post(path, body), caller.post(path, body)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.any(Number)]);
      expect(answers.find(({ status }) => status === 200)?.at("identityProviderLink")).toMatchObject({
        ...account,
        displayName: "Ann",
      });
      expectEmpty(await caller.get(`${path}/pending/${pendingIdPLinkId}`), 404);
      expectRefusal(await caller.post(path, body), 400, "[invalid]pendingIdPLinkId");
      const late = await open();
      clock.advance(3_600_000);
      expectEmpty(await caller.get(`${path}/pending/${late.pendingIdPLinkId}`), 404);
      const externalIdentifierConfiguration = { pendingAccountLinkTimeToLiveInSeconds: 60 };
      expectOk(await caller.patch(`/api/tenant/${tenantId}`, { tenant: { externalIdentifierConfiguration } }));
      const soon = await open();
      clock.advance(59_999);
      expectOk(await caller.get(`${path}/pending/${soon.pendingIdPLinkId}`));
      clock.advance(1);
      expectEmpty(await caller.get(`${path}/pending/${soon.pendingIdPLinkId}`), 404);
    });
  });
});
