import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { defaultApiEntityId } from "latchkey";
import { describe, expect } from "vitest";
import { type Answer, expectOk } from "../support/answer.js";
import {
  apiScope,
  askToken,
  basic,
  type Client,
  grantTo,
  makeClient,
  type Office,
  refusalOf,
  sendForm,
  startOffice,
} from "../support/clients.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

/** What a library that is not ours makes of a token, by the keys that everybody is told. */
async function verify({ caller, clock }: World, answer: Answer): ReturnType<typeof jwtVerify> {
  const keys = createLocalJWKSet(expectOk(await caller.get("/.well-known/jwks.json")).body as JSONWebKeySet);
  return jwtVerify(expectOk(answer).textAt("access_token"), keys, { currentDate: new Date(clock.instant) });
}

/** Two targets beside the API, each with a grant to the client. */
async function addTargets({ world, client }: Office): Promise<readonly [shop: string, depot: string]> {
  const permissions = [{ name: "read" }, { name: "write" }, { name: "scim:user:read" }];
  const typeId = await makeEntityType(world, "Target", permissions);
  const shop = await makeEntity(world, world.defaultTenantId, typeId, "Shop");
  const depot = await makeEntity(world, world.defaultTenantId, typeId, "Depot");
  await grantTo(world, client, ["write", "read"], shop);
  await grantTo(world, client, ["scim:user:read"], depot);
  return [shop, depot];
}

forEachStorage((start) => {
  describe("a token", () => {
    requirement(
      ["oauth.token", "oauth.answer", "oauth.claims", "oauth.signed"],
      "says who may do what, for how long",
      async () => {
        const office = await startOffice(start);
        const { world, client } = office;
        const [shop] = await addTargets(office);
        const scope = `target-entity:${shop}:read`;
        const answer = await askToken(world, client, { scope });
        expect(expectOk(answer).body).toEqual({
          access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          expires_in: 3_600,
          scope,
          token_type: "Bearer",
        });
        expect(answer.headers).toEqual({
          "cache-control": "no-store",
          "content-type": "application/json; charset=UTF-8",
          pragma: "no-cache",
        });
        const { payload, protectedHeader } = await verify(world, answer);
        expect(protectedHeader).toEqual({ alg: "ES256", gty: ["client_credentials"], kid: expect.any(String), typ: "JWT" });
        const iat = world.clock.instant / 1_000;
        expect(payload).toEqual({
          aud: shop,
          exp: iat + 3_600,
          iat,
          iss: expect.any(String),
          jti: expect.any(String),
          permissions: { [shop]: ["read"] },
          scope,
          sub: client.id,
          tid: world.defaultTenantId,
        });
        const another = await verify(world, await askToken(world, client, { scope }));
        expect(another.payload.jti).not.toBe(payload.jti);
      },
    );

    requirement("oauth.scope-all", "has all permissions that are granted where its scope lists none", async () => {
      const office = await startOffice(start);
      const { world, client } = office;
      const [shop, depot] = await addTargets(office);
      const { payload } = await verify(world, await askToken(world, client, { scope: `target-entity:${shop.toUpperCase()}` }));
      expect(payload).toMatchObject({ aud: shop, permissions: { [shop]: ["write", "read"] }, scope: `target-entity:${shop}` });
      const both = await verify(world, await askToken(world, client, { scope: `target-entity:${shop}  target-entity:${depot}` }));
      expect(both.payload).toMatchObject({
        aud: [shop, depot],
        permissions: { [shop]: ["write", "read"], [depot]: ["scim:user:read"] },
      });
      await grantTo(world, client, [], depot);
      const none = await verify(world, await askToken(world, client, { scope: `target-entity:${depot}` }));
      expect(none.payload).toMatchObject({ aud: depot, permissions: { [depot]: [] } });
    });

    requirement("oauth.scope-listed", "has the permissions that its scope lists, and only what is granted", async () => {
      const office = await startOffice(start);
      const { world, client } = office;
      const [shop, depot] = await addTargets(office);
      const scope = `target-entity:${depot}:scim:user:read target-entity:${shop}:write target-entity:${shop}:read,write`;
      const { payload } = await verify(world, await askToken(world, client, { scope }));
      expect(payload).toMatchObject({
        aud: [depot, shop],
        permissions: { [depot]: ["scim:user:read"], [shop]: ["write", "read"] },
        scope: `target-entity:${depot}:scim:user:read target-entity:${shop}:write,read`,
      });
      const all = await askToken(world, client, { scope: `target-entity:${shop}:read target-entity:${shop}` });
      expect((await verify(world, all)).payload.permissions).toEqual({ [shop]: ["write", "read"] });
      for (const list of ["read,fly", "fly", "", "read,", "READ", "scim:user:read"])
        expect([list, ...refusalOf(await askToken(world, client, { scope: `target-entity:${shop}:${list}` }))]).toEqual([
          list,
          400,
          "invalid_scope",
          "invalid_entity_permission_scope",
        ]);
    });

    requirement("oauth.scope-listed", "is not given for an entity without a grant, be there one or not", async () => {
      const office = await startOffice(start);
      const { world, client, foreign } = office;
      const [shop] = await addTargets(office);
      for (const scope of [
        `target-entity:${client.id}`,
        `target-entity:${foreign.id}:read`,
        `target-entity:${uuid(99)}:read`,
        `target-entity:${shop}:read target-entity:${uuid(99)}`,
        "target-entity",
        "target-entity:",
        "target-entity:x:read",
        `${shop}:read`,
        "openid",
        `target-entity:${shop} offline_access`,
        Array.from({ length: 101 }, () => `target-entity:${shop}`).join(" "),
      ])
        expect([scope, ...refusalOf(await askToken(world, client, { scope }))]).toEqual([
          scope,
          400,
          "invalid_scope",
          "invalid_target_entity_scope",
        ]);
      // What is granted to another client, of another tenant even, is not this one's.
      expect(refusalOf(await askToken(world, foreign, { scope: `target-entity:${shop}:read` }))[2]).toBe(
        "invalid_target_entity_scope",
      );
    });

    requirement("oauth.scope-none", "has neither aud nor permissions without a scope", async () => {
      const { world, client } = await startOffice(start);
      const empty: readonly Readonly<Record<string, string>>[] = [{}, { scope: "" }, { scope: "  " }];
      for (const fields of empty) {
        const answer = await askToken(world, client, fields);
        expect(Object.keys(expectOk(answer).body as object)).toEqual(["access_token", "expires_in", "token_type"]);
        const { payload } = await verify(world, answer);
        expect(Object.keys(payload).sort()).toEqual(["exp", "iat", "iss", "jti", "sub", "tid"]);
      }
    });

    requirement("oauth.configuration", "is signed and lives as the client's type says, else as its tenant does", async () => {
      const office = await startOffice(start);
      const { world, client, typeId, foreign } = office;
      const { caller, identity } = world;
      const makeKey = async (name: string, algorithm: "Ed25519" | "ES384"): Promise<string> =>
        (await identity.keys.generate({ key: { name, algorithm } })).key.id;
      const issue = async (who: Client): Promise<readonly [string | undefined, number]> => {
        const answer = await askToken(world, who);
        const { payload, protectedHeader } = await verify(world, answer);
        const lifetime = Number(payload.exp) - Number(payload.iat);
        expect(answer.at("expires_in")).toBe(lifetime);
        return [protectedHeader.alg, lifetime];
      };
      const setType = async (jwtConfiguration: object): Promise<unknown> =>
        expectOk(await caller.put(`/api/entity/type/${typeId}`, { entityType: { name: "Client", jwtConfiguration } }));
      const accessTokenKeyId = await makeKey("of the tenant", "ES384");
      await identity.tenants.patch({
        tenantId: client.tenantId,
        patch: { tenant: { issuer: "acme.example", jwtConfiguration: { accessTokenKeyId, timeToLiveInSeconds: 60 } } },
      });
      expect([await issue(client), await issue(foreign)]).toEqual([
        ["ES384", 60],
        ["ES256", 3_600],
      ]);
      const own = { accessTokenKeyId: await makeKey("of the type", "Ed25519"), timeToLiveInSeconds: 10 };
      await setType({ ...own, enabled: false });
      expect(await issue(client)).toEqual(["ES384", 60]);
      await setType({ ...own, enabled: true });
      expect([await issue(client), await issue(foreign)]).toEqual([
        ["EdDSA", 10],
        ["EdDSA", 10],
      ]);
      await setType({ enabled: true });
      expect(await issue(client)).toEqual(["ES384", 60]);
      expect((await verify(world, await askToken(world, client))).payload.iss).toBe("acme.example");
    });
  });

  describe("a client", () => {
    requirement("oauth.basic", "authenticates with HTTP Basic, its id and secret form-encoded or as they are", async () => {
      const { world, typeId } = await startOffice(start);
      const [clientId, clientSecret] = ["my:client+1", "a%b:c+d/="];
      const entity = { name: "Odd", type: { id: typeId }, clientId, clientSecret, tenantId: world.defaultTenantId };
      expectOk(await world.caller.post("/api/entity", { entity }));
      const fields = { grant_type: "client_credentials" };
      const send = (text: string, scheme = "Basic"): Promise<Answer> =>
        sendForm(world, "/oauth2/token", fields, { authorization: `${scheme} ${Buffer.from(text).toString("base64")}` });
      expectOk(await sendForm(world, "/oauth2/token", fields, basic(clientId, clientSecret)));
      expectOk(await send("my%3Aclient%2b1:a%25b:c+d/=", "basic"));
      expectOk(await sendForm(world, "/oauth2/token", { ...fields, client_id: clientId }, basic(clientId, clientSecret)));
      const plain = await makeClient(world, world.defaultTenantId, typeId, "Plain");
      expectOk(await send(`${plain.clientId.toUpperCase()}:${plain.clientSecret}`, "BASIC"));
      for (const text of [
        `${plain.clientId}`,
        `:${plain.clientSecret}`,
        `${plain.clientId}:`,
        `${plain.clientId}: ${plain.clientSecret}`,
      ])
        expect(refusalOf(await send(text))).toEqual([401, "invalid_client", "invalid_client_authentication"]);
    });

    requirement("oauth.form", "authenticates in the form", async () => {
      const { world, client } = await startOffice(start);
      const { clientId: client_id, clientSecret: client_secret } = client;
      const fields = { grant_type: "client_credentials", client_id, client_secret };
      expectOk(await sendForm(world, "/oauth2/token", fields));
      expectOk(await sendForm(world, "/oauth2/token", { ...fields, unknown: "1", dryRun: "x" }));
      const { access_token } = await world.identity.oauth2.token(fields);
      expect(decodeProtectedHeader(access_token).alg).toBe("ES256");
    });

    requirement("oauth.tenant", "may name its own tenant, in the form or in the header", async () => {
      const { world, client, foreign } = await startOffice(start);
      const header = (tenantId: string): Readonly<Record<string, string>> => ({ "X-Service-TenantId": tenantId });
      const fields = { grant_type: "client_credentials" };
      const send = (tenantId: string | undefined, headers: Readonly<Record<string, string>>): Promise<Answer> =>
        sendForm(world, "/oauth2/token", tenantId === undefined ? fields : { ...fields, tenantId }, {
          ...basic(client.clientId, client.clientSecret),
          ...headers,
        });
      expectOk(await send(client.tenantId.toUpperCase(), {}));
      expectOk(await send(client.tenantId, header(client.tenantId)));
      for (const tenantId of [foreign.tenantId, uuid(99), "x"]) {
        expect(refusalOf(await send(tenantId, {}))).toEqual([400, "invalid_request", "invalid_tenant_id"]);
        expect(refusalOf(await send(undefined, header(tenantId)))).toEqual([400, "invalid_request", "invalid_tenant_id"]);
      }
      await world.identity.tenants.remove({ tenantId: foreign.tenantId });
      expect(refusalOf(await askToken(world, foreign))).toEqual([401, "invalid_client", "invalid_client_authentication"]);
    });

    requirement("client.grant", "of any tenant may hold a grant on this API", async () => {
      const { world, client, foreign } = await startOffice(start);
      for (const one of [client, foreign]) {
        await grantTo(world, one, ["GET:/api/group"]);
        const { payload } = await verify(world, await askToken(world, one, { scope: apiScope }));
        expect(payload).toMatchObject({ permissions: { [defaultApiEntityId]: ["GET:/api/group"] }, tid: one.tenantId });
      }
    });
  });
});
