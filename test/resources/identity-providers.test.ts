import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import {
  identityProviderApplicationsTable,
  identityProviderDomainsTable,
  identityProvidersTable,
} from "../../src/records/identity-providers/family.js";
import { identityProviderTypeRows, identityProviderTypes } from "../../src/records/identity-providers/types.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { auditing } from "../support/audit-entries.js";
import {
  arrangeApplication,
  arrangeProvider,
  leastFields,
  logInWith,
  providerBody,
  providerId,
  startWithProvider,
} from "../support/identity-providers.js";
import { makeLambda } from "../support/lambdas.js";
import { anybody, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";

const path = "/api/identity-provider";
const one = `${path}/${providerId}`;

async function startStage(start: Start, options: object = {}): Promise<World> {
  const world = await start(options);
  await arrangeApplication(world);
  return world;
}

forEachStorage((start) => {
  describe("an identity provider", () => {
    requirement(["provider.fields", "provider.required"], "of each type has its own fields, and needs some of them", async () => {
      const world = await startStage(start);
      for (const [number, type] of identityProviderTypes.entries()) {
        const { authenticationType: _claim, members, required } = identityProviderTypeRows[type];
        const url = `${path}/${uuid(1_000 + number)}`;
        const codes = Object.entries(required).map(([name, kind]) => `[${kind}]identityProvider.${name}`);
        const least = { identityProvider: { name: type, type } };
        const refused = await world.caller.post(url, least);
        const further = type === "OpenIDConnect" ? ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] : [];
        expectRefusal(refused, 400, ...codes, ...further.map((name) => `[blank]identityProvider.oauth2.${name}`));
        const foreign = {
          bundleId: "b",
          consumerSecret: "s",
          fields: "f",
          relyingPartyURL: "https://hypr.example",
          webAPIKey: "w",
        };
        const { identityProvider } = await providerBody(world, type);
        const made = expectOk(await world.caller.post(url, { identityProvider: { ...foreign, ...identityProvider } }));
        const shown = made.at("identityProvider") as Readonly<Record<string, unknown>>;
        expect(shown).toMatchObject({ ...leastFields[type], debug: false, enabled: true, name: `The ${type}`, type });
        for (const name of Object.keys(foreign)) expect(Object.hasOwn(shown, name)).toBe(members.includes(name));
        expect((await world.caller.get(url)).at("identityProvider")).toEqual(shown);
        const changed = await world.caller.put(url, { identityProvider: { ...shown, name: `${type} 2`, type: "Google" } });
        expect(expectOk(changed).at("identityProvider")).toEqual({
          ...shown,
          name: `${type} 2`,
          lastUpdateInstant: expect.any(Number),
        });
        expect((await world.caller.get(`${path}?type=${type}`)).each("identityProviders", "name")).toEqual([`${type} 2`]);
      }
      const search = await world.caller.post(`${path}/search`, {
        search: { applicationId: ids.application, name: "*2", numberOfResults: 3 },
      });
      expect(search.at("total")).toBe(identityProviderTypes.length);
      expectRefusal(await world.caller.get(`${path}?type=Other`), 400, "[couldNotConvert]type");
    });

    requirement("provider.secrets", "seals its secrets, and those of applications", async () => {
      const world = await startStage(auditing(start));
      const applicationConfiguration = {
        [ids.application]: { enabled: true, oauth2: { client_id: "own", client_secret: "secret of the shop" } },
      };
      const oauth2 = { client_id: "c", client_secret: "secret of all", issuer: "https://provider.example" };
      await arrangeProvider(world, "OpenIDConnect", { applicationConfiguration, oauth2 });
      const shown = await world.caller.get(one);
      expect(shown.at("identityProvider.oauth2.client_secret")).toBe("secret of all");
      expect(shown.at(`identityProvider.applicationConfiguration.${ids.application}.oauth2.client_secret`)).toBe(
        "secret of the shop",
      );
      expectOk(await world.caller.patch(one, { identityProvider: { debug: true } }));
      expect((await world.caller.get(one)).at("identityProvider")).toMatchObject({
        applicationConfiguration,
        debug: true,
        oauth2,
      });
      const stored = await world.storage.find(globalScope, identityProvidersTable, undefined);
      const audited = await world.caller.post("/api/system/audit-log/search", { search: {} });
      expect(audited.at("total")).toBeGreaterThan(2);
      for (const text of [JSON.stringify(stored), audited.text, JSON.stringify(await readEvents(world.storage))]) {
        expect(text).not.toContain("secret of all");
        expect(text).not.toContain("secret of the shop");
      }
      expect(await world.identity.secrets.rotate()).toMatchObject({ left: 0 });
    });

    requirement("provider.references", "names keys, lambdas, applications and tenants that exist and fit", async () => {
      const world = await startStage(start);
      const refused = async (fields: object, ...codes: string[]) =>
        expectRefusal(await world.caller.post(one, await providerBody(world, "OpenIDConnect", fields)), 400, ...codes);
      const reconcileId = await makeLambda(world, "GoogleReconcile");
      await refused({ lambdaConfiguration: { reconcileId } }, "[invalid]identityProvider.lambdaConfiguration.reconcileId");
      await refused(
        { applicationConfiguration: { [uuid(1)]: {} } },
        `[invalid]identityProvider.applicationConfiguration.${uuid(1)}`,
      );
      await refused({ tenantConfiguration: { [uuid(1)]: {} } }, `[invalid]identityProvider.tenantConfiguration.${uuid(1)}`);
      await refused({ applicationConfiguration: { x: {} } }, "[couldNotConvert]identityProvider.applicationConfiguration.x");
      await refused({ tenantId: uuid(1) }, "[invalid]identityProvider.tenantId");
      await refused({ oauth2: { client_id: "c", issuer: "file:///etc/passwd" } }, "[invalid]identityProvider.oauth2.issuer");
      const hmac = expectOk(await world.caller.post("/api/key/generate", { key: { algorithm: "HS256", name: "Shared" } }));
      const apple = await providerBody(world, "Apple", { keyId: hmac.textAt("key.id") });
      expectRefusal(await world.caller.post(one, apple), 400, "[invalid]identityProvider.keyId");
      const openId = await makeLambda(world, "OpenIDReconcile", { name: "Other" });
      await arrangeProvider(world, "OpenIDConnect", { lambdaConfiguration: { reconcileId: openId } });
      expectRefusal(await world.caller.delete(`/api/lambda/${openId}`), 400, "[inUse]lambdaId");
      const again = await providerBody(world, "OpenIDConnect", {});
      expectRefusal(await world.caller.post(path, again), 400, "[duplicate]identityProvider.name");
    });

    requirement("provider.tenants", "of a tenant serves it alone, and is seen by it alone", async () => {
      const world = await startWithProvider(start);
      const other = await makeTenant(world, "Other");
      const bound = await callerOfTenant(world, other);
      expectEmpty(await bound.get(one), 404);
      expectEmpty(await bound.delete(one), 404);
      expect((await bound.get(path)).at("identityProviders")).toEqual([]);
      const foreign = await providerBody(world, "OpenIDConnect", { tenantId: world.defaultTenantId });
      expectRefusal(
        await bound.post(path, foreign),
        400,
        `[invalid]identityProvider.applicationConfiguration.${ids.application}`,
      );
      const own = {
        identityProvider: {
          name: "The OpenIDConnect",
          type: "Google",
          ...leastFields.Google,
          enabled: true,
          tenantId: world.defaultTenantId,
        },
      };
      const made = expectOk(await bound.post(`${path}/${uuid(960)}`, own));
      expect(made.at("identityProvider.tenantId")).toBe(other);
      expectRefusal(await logInWith(world, "right", { identityProviderId: uuid(960) }), 400, "[invalid]identityProviderId");
      const link = { identityProviderLink: { identityProviderId: uuid(960), identityProviderUserId: "x", userId: ids.user } };
      const caller = world.caller.inTenant(world.defaultTenantId);
      expectOk(await caller.post(`/api/user/${ids.user}`, { user: { email: "ann@example.com" } }));
      expectRefusal(await caller.post(`${path}/link`, link), 400, "[invalid]identityProviderLink.identityProviderId");
      expectOk(await world.caller.delete(`/api/tenant/${other}`));
      expectEmpty(await world.caller.get(`${path}/${uuid(960)}`), 404);
    });

    requirement(
      "provider.removal",
      "goes with its links and domains, each with its event; an application leaves no trace",
      async () => {
        const world = await startWithProvider(start, { type: "SAMLv2", fields: { domains: ["Example.com", "example.com"] } });
        world.script.user = { email: "ann@example.com" };
        const userId = expectOk(await logInWith(world)).textAt("user.id");
        expectOk(await world.caller.delete(`/api/application/${ids.application}?hardDelete=true`));
        expect((await world.caller.get(one)).at("identityProvider.applicationConfiguration")).toEqual({});
        expect(await world.storage.find(globalScope, identityProviderApplicationsTable, undefined)).toEqual([]);
        await arrangeApplication(world);
        expectRefusal(await logInWith(world), 400, "[disabled]identityProviderId");
        expectOk(await world.caller.patch(one, { identityProvider: { debug: true } }));
        expectOk(await world.caller.delete(one));
        expect((await world.caller.get(`${path}/link?userId=${userId}`)).at("identityProviderLinks")).toEqual([]);
        expect(await world.storage.find(globalScope, identityProviderDomainsTable, undefined)).toEqual([]);
        expect(await readEvents(world.storage, "user.identity-provider.unlink")).toMatchObject([
          {
            identityProviderLink: { identityProviderName: "The SAMLv2", identityProviderType: "SAMLv2", userId },
            user: { id: userId },
          },
        ]);
      },
    );

    requirement("provider.versions", "exists as version and plan have it", async () => {
      const world = await startStage(start, { plan: "community" });
      expectRefusal(await world.caller.post(one, await providerBody(world, "Steam")), 400, "[notLicensed]identityProvider.type");
      const old = await startStage(start, { version: "1.27.0" });
      expectRefusal(await old.caller.post(one, await providerBody(old, "Twitch")), 400, "[invalidOption]identityProvider.type");
      expect((await old.caller.get(`${path}/search`)).status).not.toBe(200);
      const made = expectOk(await old.caller.post(one, await providerBody(old, "Google", { linkingStrategy: "Disabled" })));
      expect(made.at("identityProvider.linkingStrategy")).toBeUndefined();
    });

    requirement("provider.domains", "is found by the domain of an address, that of the tenant first", async () => {
      const world = await startStage(start);
      await arrangeProvider(world, "OpenIDConnect", { domains: ["Example.com"] });
      const found = expectOk(await world.caller.get(`${path}/lookup?domain=Ann@EXAMPLE.com`));
      expect(found.at("identityProvider")).toEqual({
        applicationIds: [ids.application],
        id: providerId,
        name: "The OpenIDConnect",
        type: "OpenIDConnect",
      });
      const open = expectOk(await anybody(world).get(`${path}/lookup?domain=example.com`));
      expect(open.at("identityProvider.applicationIds")).toEqual([]);
      const second = await providerBody(world, "OpenIDConnect", { domains: ["example.com"], name: "Second" });
      expectRefusal(await world.caller.post(path, second), 400, "[duplicate]identityProvider.domains");
      const { defaultTenantId: tenantId } = world;
      const ofTenant = await providerBody(world, "OpenIDConnect", { domains: ["example.com"], name: "Second", tenantId });
      const id = expectOk(await world.caller.post(path, ofTenant)).textAt("identityProvider.id");
      const lookUp = async (query: string) =>
        (await world.caller.get(`${path}/lookup?domain=example.com${query}`)).at("identityProvider.id");
      expect([await lookUp(`&tenantId=${tenantId}`), await lookUp("")]).toEqual([id, providerId]);
      expectOk(await world.caller.patch(`${path}/${id}`, { identityProvider: { enabled: false } }));
      expect(await lookUp(`&tenantId=${tenantId}`)).toBe(providerId);
      expectEmpty(await world.caller.get(`${path}/lookup?domain=other.example`), 404);
      expectRefusal(await world.caller.get(`${path}/lookup`), 400, "[missing]domain");
      expectRefusal(await world.caller.get(`${path}/lookup?domain=a@`), 400, "[missing]domain");
    });

    requirement("provider.domains", "of one domain there is one provider, in each spelling of it", async () => {
      const spellings = ["bücher.example", "xn--bcher-kva.example", "BU\u0308CHER.example", "Bücher.example."];
      for (const domain of spellings) {
        const world = await startStage(start);
        await arrangeProvider(world, "OpenIDConnect", { domains: [domain, "other.example"] });
        for (const other of spellings) {
          const second = await providerBody(world, "OpenIDConnect", { domains: [other], name: "Second" });
          expectRefusal(await world.caller.post(path, second), 400, "[duplicate]identityProvider.domains");
        }
        for (const other of spellings.slice(0, 3)) {
          const url = `${path}/lookup?domain=${encodeURIComponent(`Ann@${other}`)}`;
          expect([domain, other, (await world.caller.get(url)).at("identityProvider.id")]).toEqual([domain, other, providerId]);
        }
        const patched = await world.caller.patch(`${path}/${providerId}`, { identityProvider: { name: "Renamed" } });
        expect([domain, patched.status]).toEqual([domain, 200]);
      }
    });
  });
});
