import { describe, expect } from "vitest";
import { builtInId, genericId, ldapFields, makeGeneric, policy, setPolicies } from "../connectors/support/connectors.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { certificate } from "../support/certificate.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/connector";
const url = "https://logins.example.com/check";
const generic = { name: "Ours", type: "Generic", authenticationURL: url, connectTimeout: 1_000, readTimeout: 2_000 };

forEachStorage((start) => {
  describe("a connector", () => {
    requirement("connector.fields", "has the fields of its type, with defaults, and no others", async () => {
      const world = await start();
      const { caller, clock } = world;
      const common = { insertInstant: clock.instant, lastUpdateInstant: clock.instant, data: {}, debug: false };
      const directory = ldapFields("ldap://ldap.example.com", await makeLambda(world, "LDAPConnectorReconcile"));
      const both = { ...directory, ...generic, unknown: 1 };
      expect(expectOk(await caller.post(`${path}/${uuid(1)}`, { connector: both })).body).toEqual({
        connector: { ...common, ...generic, headers: {}, id: uuid(1) },
      });
      const answer = expectOk(await caller.post(`${path}/${uuid(2)}`, { connector: { ...generic, headers: {}, ...directory } }));
      expect(answer.body).toEqual({ connector: { ...common, ...directory, id: uuid(2), securityMethod: "None" } });
      expect((await caller.get(`${path}/${uuid(2)}`)).text).toBe(answer.text);
      expect(expectOk(await caller.get(path)).at("connectors")).toHaveLength(3);
      expectEmpty(await caller.delete(`${path}/${uuid(2)}`), 200);
      expectEmpty(await caller.delete(`${path}/${uuid(2)}`), 404);
    });

    requirement("connector.required", "needs what its type needs, and says all of it at once", async () => {
      const { caller } = await start();
      const post = (connector: object) => caller.post(path, { connector });
      expectRefusal(await post({}), 400, "[blank]connector.name", "[missing]connector.type");
      const common = [
        "[blank]connector.authenticationURL",
        "[missing]connector.connectTimeout",
        "[missing]connector.readTimeout",
      ];
      expectRefusal(await post({ name: "A", type: "Generic", authenticationURL: " " }), 400, ...common);
      const fields = ["baseStructure", "identifyingAttribute", "loginIdAttribute", "systemAccountDN", "systemAccountPassword"];
      const ofLdap = [
        ...fields.map((name) => `[blank]connector.${name}`),
        "[empty]connector.requestedAttributes",
        "[missing]connector.lambdaConfiguration.reconcileId",
      ];
      expectRefusal(await post({ name: "A", type: "LDAP" }), 400, ...[...common, ...ofLdap].toSorted(byPath));
      expectRefusal(await post({ ...generic, type: "BuiltIn" }), 400, "[invalidOption]connector.type");
      expectRefusal(await post({ ...generic, type: "Other" }), 400, "[invalidOption]connector.type");
    });

    requirement("connector.urls", "has a URL of its protocol that names a host, and no more", async () => {
      const world = await start();
      const directory = ldapFields("", await makeLambda(world, "LDAPConnectorReconcile"));
      const post = async (fields: object) =>
        (await world.caller.post(path, { connector: { ...fields, name: crypto.randomUUID() } })).status;
      const ofLdap = (authenticationURL: string, securityMethod = "None") =>
        post({ ...directory, authenticationURL, securityMethod });
      const bad = [
        "https://ldap.example.com",
        "ldap://",
        "ldap://a:b@ldap.example.com",
        "ldap://ldap.example.com/dc=example",
        "ldap://ldap.example.com:99999",
      ];
      for (const one of bad) expect(await ofLdap(one)).toBe(400);
      for (const one of ["ldap://ldap.example.com", "ldap://[2001:db8::1]:389", "LDAP://ldap.example.com:3389/"])
        expect(await ofLdap(one)).toBe(200);
      expect([await ofLdap("ldaps://ldap.example.com"), await ofLdap("ldaps://ldap.example.com", "StartTLS")]).toEqual([
        400, 400,
      ]);
      expect([await ofLdap("ldaps://ldap.example.com", "LDAPS"), await ofLdap("ldap://ldap.example.com", "LDAPS")]).toEqual([
        200, 200,
      ]);
      for (const one of ["ldap://ldap.example.com", "ftp://example.com", "https://a:b@example.com"])
        expect(await post({ ...generic, authenticationURL: one })).toBe(400);
      for (const loginIdAttribute of ["mail)(uid=*", "a b", "1.2.", ";x"])
        expect(await post({ ...directory, authenticationURL: "ldap://a.example", loginIdAttribute })).toBe(400);
    });

    requirement("connector.built-in", "that is built in is there from the first start, and stays as it is", async () => {
      const { caller } = await start();
      const builtIn = `${path}/${builtInId}`;
      const before = expectOk(await caller.get(builtIn));
      expect(before.at("connector")).toMatchObject({ id: builtInId, name: "Default", type: "BuiltIn" });
      expectRefusal(await caller.put(builtIn, { connector: { ...generic } }), 400, "[invalid]connectorId");
      expectRefusal(await caller.patch(builtIn, { connector: { name: "Mine" } }), 400, "[invalid]connectorId");
      expectRefusal(await caller.delete(builtIn), 400, "[invalid]connectorId");
      expect((await caller.get(builtIn)).text).toBe(before.text);
    });

    requirement("connector.in-use", "that a tenant names cannot be removed", async () => {
      const world = await start();
      await makeGeneric(world, url);
      await setPolicies(world, [policy(genericId), policy(builtInId)]);
      expectRefusal(await world.caller.delete(`${path}/${genericId}`), 400, "[inUse]connectorId");
      // PATCH replaces the list.
      await setPolicies(world, [policy(builtInId)]);
      expectEmpty(await world.caller.delete(`${path}/${genericId}`), 200);
    });

    requirement("connector.references", "names a lambda of its kind and a key with a certificate", async () => {
      const world = await start();
      const { caller, identity } = world;
      const lambdaId = await makeLambda(world, "JWTPopulate");
      const directory = ldapFields("ldap://ldap.example.com", lambdaId);
      expectRefusal(await caller.post(path, { connector: directory }), 400, "[invalid]connector.lambdaConfiguration.reconcileId");
      const { key: without } = await identity.keys.generate({ key: { name: "A", algorithm: "HS256" } });
      const post = (sslCertificateKeyId: string) => caller.post(path, { connector: { ...generic, sslCertificateKeyId } });
      expectRefusal(await post(without.id), 400, "[invalid]connector.sslCertificateKeyId");
      const { key } = await identity.keys.import({ key: { name: "B", type: "EC", certificate } });
      expectOk(await post(key.id));
      expectRefusal(await caller.delete(`/api/key/${key.id}`), 400, "[inUse]keyId");
    });

    requirement("connector.global", "is out of reach of keys and headers of a tenant", async () => {
      const world = await start();
      expectEmpty(await (await callerOfTenant(world, world.defaultTenantId)).get(path), 401);
    });

    requirement("connector.version", "exists from 1.18.0 on", async () => {
      const world = await start({ version: "1.17.0" });
      expectEmpty(await world.caller.get(path), 404);
      expect(expectOk(await world.caller.get(`/api/tenant/${world.defaultTenantId}`)).at("tenant")).not.toHaveProperty(
        "connectorPolicies",
      );
    });
  });
});

function byPath(left: string, right: string): number {
  return left.replace(/^\[\w+\]/, "") < right.replace(/^\[\w+\]/, "") ? -1 : 1;
}
