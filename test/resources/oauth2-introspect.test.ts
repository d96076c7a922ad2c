import { decodeJwt } from "jose";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { sealedTables } from "../../src/families/index.js";
import { openKeyById } from "../../src/keys/keys/rules.js";
import { defaultSigningKeyId, keysTable } from "../../src/records/keys/family.js";
import { signJws } from "../../src/security/compact-jws.js";
import { createSealer } from "../../src/security/seal.js";
import { type Answer, expectOk } from "../support/answer.js";
import {
  apiScope,
  askToken,
  basic,
  type Client,
  grantTo,
  makeClient,
  refusalOf,
  sendForm,
  startOffice,
} from "../support/clients.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, callerOfTenant, forEachStorage, testSecret, uuid, type World } from "../support/world.js";

type Fields = Readonly<Record<string, string>>;

const introspect = (world: World, fields: Fields, headers: Fields = {}): Promise<Answer> =>
  sendForm(world, "/oauth2/introspect", fields, headers);

const byKey = { Authorization: bootstrapKey };

const inactive = '{"active":false}';

/** A token of a user as a login would issue it. */
async function signUserToken({ storage, clock, defaultTenantId }: World, claims: object): Promise<string> {
  const key = await openKeyById(
    storage,
    createSealer([testSecret], () => Buffer.alloc(0), sealedTables),
    defaultSigningKeyId,
  );
  if (key?.alg === undefined || key.signingKey === undefined) throw new Error("There is no key.");
  const iat = clock.instant / 1_000;
  const all = { iat, exp: iat + 60, iss: "latchkey", sub: uuid(1), tid: defaultTenantId, tty: "at", ...claims };
  return signJws(key.alg, key.signingKey, { kid: key.kid, typ: "JWT" }, all);
}

const proofOf = ({ clientId, clientSecret }: Client): Fields => basic(clientId, clientSecret);

/** A user, and an application whose client proves itself as the settings say. */
async function addShop(world: World, oauthConfiguration: object = {}): Promise<Client> {
  const tenantId = world.defaultTenantId;
  await world.identity.applications.create(
    {
      applicationId: uuid(3),
      application: {
        name: "Shop",
        oauthConfiguration: { clientSecret: "a-secret-of-the-client-of-the-shop", ...oauthConfiguration },
      },
    },
    { tenantId },
  );
  await world.identity.users.create({ userId: uuid(1), user: { username: "ann" } }, { tenantId });
  return { id: uuid(3), tenantId, clientId: uuid(3), clientSecret: "a-secret-of-the-client-of-the-shop" };
}

forEachStorage((start) => {
  describe("introspection", () => {
    requirement("introspect.active", "returns the claims of a valid token, to the client that proves itself", async () => {
      const { world, client } = await startOffice(start);
      await grantTo(world, client, ["GET:/api/group"]);
      const token = expectOk(await askToken(world, client, { scope: apiScope })).textAt("access_token");
      const answer = expectOk(await introspect(world, { token }, proofOf(client)));
      expect(answer.body).toEqual({ active: true, ...decodeJwt(token) });
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(await world.identity.oauth2.introspect({ token })).toEqual(answer.body);
      for (const client_id of [client.clientId, client.clientId.toUpperCase()]) {
        const inForm = { token, client_id, client_secret: client.clientSecret };
        expect((await introspect(world, inForm)).text).toBe(answer.text);
        expect((await introspect(world, { token, client_id }, byKey)).text).toBe(answer.text);
      }
    });

    requirement("introspect.proof", "asks for the proof of a client, as the token endpoint does", async () => {
      const { world, client } = await startOffice(start, { throttle: { clientSecret: { maxDelayMs: 0 } } });
      const shop = await addShop(world);
      const token = expectOk(await askToken(world, client)).textAt("access_token");
      const of = await signUserToken(world, { aud: shop.id });
      const { clientId: client_id } = client;
      const refusals: readonly (readonly [Fields, Fields, string])[] = [
        [{ token }, {}, "client_authentication_missing"],
        [{ token: "x" }, {}, "client_authentication_missing"],
        [{ token, client_id }, {}, "missing_client_secret"],
        [{ token: of, client_id: shop.id }, {}, "missing_client_secret"],
        [{ token, client_id, client_secret: "x" }, {}, "invalid_client_authentication"],
        [{ token: of, client_id: shop.id, client_secret: "x" }, {}, "invalid_client_authentication"],
        [{ token }, basic(uuid(9), "x"), "invalid_client_authentication"],
        [{ token }, { authorization: "Basic !" }, "invalid_client_authentication"],
      ];
      for (const [fields, headers, reason] of refusals)
        expect([fields, refusalOf(await introspect(world, fields, headers)).slice(2)]).toEqual([fields, [reason]]);
      for (const Authorization of ["an unknown key", `Bearer ${token}`])
        expect(refusalOf(await introspect(world, { token }, { Authorization }))[2]).toBe("invalid_client_authentication");
      for (let count = 0; count < 20; count++)
        await introspect(world, { token: of, client_id: shop.id, client_secret: `x${count}` });
      expect((await introspect(world, { token: of }, proofOf(shop))).status).toBe(429);
    });

    requirement("introspect.key", "is open to API keys that may call it, for the tokens of their tenant", async () => {
      const { world, client, foreign } = await startOffice(start);
      const [token, other] = await Promise.all(
        [client, foreign].map(async (one) => expectOk(await askToken(world, one)).textAt("access_token")),
      );
      await callerOfTenant(world, client.tenantId);
      const ofTenant = { Authorization: `key-of-${client.tenantId}` };
      expect((await introspect(world, { token: token ?? "" }, ofTenant)).at("active")).toBe(true);
      expect((await introspect(world, { token: other ?? "" }, ofTenant)).text).toBe(inactive);
      expect((await introspect(world, { token: other ?? "" }, byKey)).at("active")).toBe(true);
      const endpoints = { "/api/group": ["GET" as const] };
      await world.identity.apiKeys.create({ apiKey: { key: "of-groups", permissions: { endpoints } } });
      const refused = await introspect(world, { token: token ?? "" }, { Authorization: "of-groups" });
      expect(refusalOf(refused)).toEqual([401, "invalid_client", "invalid_client_authentication"]);
    });

    requirement("introspect.inactive", "says of any other text only that it is inactive", async () => {
      const { world, client, foreign } = await startOffice(start);
      const token = expectOk(await askToken(world, client)).textAt("access_token");
      const orphaned = expectOk(await askToken(world, foreign)).textAt("access_token");
      await world.identity.entities.remove({ entityId: foreign.id });
      for (const text of [
        "x",
        `${token}x`,
        token.slice(0, -1),
        `${token.split(".").slice(0, 2).join(".")}.`,
        orphaned,
        "x".repeat(100_000),
      ])
        expect(expectOk(await introspect(world, { token: text }, proofOf(client))).text).toBe(inactive);
      world.clock.advance(3_599_999);
      expect((await introspect(world, { token }, byKey)).at("active")).toBe(true);
      world.clock.advance(1);
      expect((await introspect(world, { token }, byKey)).text).toBe(inactive);
    });

    requirement("introspect.inactive", "says so of a token whose key is gone", async () => {
      const { world, client } = await startOffice(start);
      const { identity } = world;
      const { key } = await identity.keys.generate({ key: { name: "of the tenant", algorithm: "Ed25519" } });
      const setKey = async (accessTokenKeyId: string | null): Promise<unknown> =>
        identity.tenants.patch({
          tenantId: client.tenantId,
          mode: "merge",
          patch: { tenant: { jwtConfiguration: { accessTokenKeyId } } },
        });
      await setKey(key.id);
      const token = expectOk(await askToken(world, client)).textAt("access_token");
      expect((await introspect(world, { token }, byKey)).at("active")).toBe(true);
      await setKey(null);
      await identity.keys.remove({ keyId: key.id });
      expect((await introspect(world, { token }, byKey)).text).toBe(inactive);
      expect(await world.storage.retrieve(globalScope, keysTable, key.id)).toBeUndefined();
    });

    requirement("introspect.client", "refuses whom the token was not issued to, but for its audience", async () => {
      const { world, client, foreign, typeId } = await startOffice(start);
      const target = await makeClient(world, client.tenantId, typeId, "Target");
      await grantTo(world, client, [], target.id);
      const scope = `target-entity:${target.id}`;
      const token = expectOk(await askToken(world, client, { scope })).textAt("access_token");
      const shop = await addShop(world);
      for (const one of [foreign, shop])
        expect(refusalOf(await introspect(world, { token }, proofOf(one)))).toEqual([401, "invalid_client", "invalid_client_id"]);
      expect((await introspect(world, { token }, proofOf(target))).at("active")).toBe(true);
      for (const client_id of [foreign.clientId, uuid(99), "x"])
        expect(refusalOf(await introspect(world, { token, client_id }, byKey))[2]).toBe("invalid_client_id");
      expect(refusalOf(await introspect(world, {}, byKey))).toEqual([400, "invalid_request", "missing_token"]);
      expect(refusalOf(await introspect(world, { token: "" }, proofOf(client)))[2]).toBe("missing_token");
    });

    requirement("introspect.client", "returns a user's token to its application alone", async () => {
      const { world, client } = await startOffice(start);
      const shop = await addShop(world);
      const token = await signUserToken(world, { aud: uuid(3) });
      const answer = expectOk(await introspect(world, { token }, proofOf(shop)));
      expect(answer.body).toEqual({ active: true, ...decodeJwt(token) });
      for (const of of [token, await signUserToken(world, {})]) {
        expect((await introspect(world, { token: of }, byKey)).at("active")).toBe(true);
        for (const client_id of [uuid(4), "x"])
          expect(refusalOf(await introspect(world, { token: of, client_id }, byKey))[2]).toBe("invalid_client_id");
        expect(refusalOf(await introspect(world, { token: of }, proofOf(client)))[2]).toBe("invalid_client_id");
      }
      const identityToken = await signUserToken(world, { aud: uuid(3), tty: "id" });
      expect((await introspect(world, { token: identityToken }, proofOf(shop))).text).toBe(inactive);
    });

    requirement("introspect.proof", "needs no secret of an application that needs none, for its own tokens", async () => {
      const { world, client } = await startOffice(start);
      const { clientId: client_id } = await addShop(world, { clientAuthenticationPolicy: "NotRequired" });
      const token = await signUserToken(world, { aud: uuid(3) });
      expect((await introspect(world, { token, client_id })).at("active")).toBe(true);
      const others = [await signUserToken(world, {}), expectOk(await askToken(world, client)).textAt("access_token")];
      for (const other of others)
        expect(refusalOf(await introspect(world, { token: other, client_id }))[2]).toBe("invalid_client_id");
    });
  });
});
