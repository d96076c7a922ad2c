import { decodeJwt } from "jose";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { sealedTables } from "../../src/resources/index.js";
import { defaultSigningKeyId, keysTable } from "../../src/resources/keys/family.js";
import { openKeyById } from "../../src/resources/keys/rules.js";
import { signJws } from "../../src/security/compact-jws.js";
import { createSealer } from "../../src/security/seal.js";
import { type Answer, expectOk } from "../support/answer.js";
import { apiScope, askToken, grantTo, refusalOf, sendForm, startOffice } from "../support/clients.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, testSecret, uuid, type World } from "../support/world.js";

const introspect = (world: World, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  sendForm(world, "/oauth2/introspect", fields);

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

forEachStorage((start) => {
  describe("introspection", () => {
    requirement("introspect.active", "returns the claims of a valid token, to any caller that presents it", async () => {
      const { world, client } = await startOffice(start);
      await grantTo(world, client, ["GET:/api/group"]);
      const token = expectOk(await askToken(world, client, { scope: apiScope })).textAt("access_token");
      const answer = expectOk(await introspect(world, { token }));
      expect(answer.body).toEqual({ active: true, ...decodeJwt(token) });
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(await world.identity.oauth2.introspect({ token })).toEqual(answer.body);
      for (const client_id of [client.clientId, client.clientId.toUpperCase()])
        expect((await introspect(world, { token, client_id })).text).toBe(answer.text);
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
        expect(expectOk(await introspect(world, { token: text, client_id: client.clientId })).text).toBe(inactive);
      world.clock.advance(3_599_999);
      expect((await introspect(world, { token })).at("active")).toBe(true);
      world.clock.advance(1);
      expect((await introspect(world, { token })).text).toBe(inactive);
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
      expect((await introspect(world, { token })).at("active")).toBe(true);
      await setKey(null);
      await identity.keys.remove({ keyId: key.id });
      expect((await introspect(world, { token })).text).toBe(inactive);
      expect(await world.storage.retrieve(globalScope, keysTable, key.id)).toBeUndefined();
    });

    requirement("introspect.client", "refuses whom the token was not issued to", async () => {
      const { world, client, foreign } = await startOffice(start);
      const token = expectOk(await askToken(world, client)).textAt("access_token");
      for (const client_id of [foreign.clientId, uuid(99), "x"])
        expect(refusalOf(await introspect(world, { token, client_id }))).toEqual([401, "invalid_client", "invalid_client_id"]);
      expect(refusalOf(await introspect(world, {}))).toEqual([400, "invalid_request", "missing_token"]);
      expect(refusalOf(await introspect(world, { token: "" }))).toEqual([400, "invalid_request", "missing_token"]);
    });

    requirement("introspect.client", "wants the application of a user's token", async () => {
      const { world } = await startOffice(start);
      expectOk(
        await world.caller.inTenant(world.defaultTenantId).post(`/api/application/${uuid(3)}`, { application: { name: "Shop" } }),
      );
      await world.identity.users.create({ userId: uuid(1), user: { username: "ann" } }, { tenantId: world.defaultTenantId });
      const token = await signUserToken(world, { aud: uuid(3) });
      const answer = expectOk(await introspect(world, { token, client_id: uuid(3) }));
      expect(answer.body).toEqual({ active: true, ...decodeJwt(token) });
      expect(refusalOf(await introspect(world, { token }))).toEqual([400, "invalid_request", "missing_client_id"]);
      for (const of of [token, await signUserToken(world, {})])
        expect(refusalOf(await introspect(world, { token: of, client_id: uuid(4) }))[2]).toBe("invalid_client_id");
      const identityToken = await signUserToken(world, { aud: uuid(3), tty: "id" });
      expect((await introspect(world, { token: identityToken, client_id: uuid(3) })).text).toBe(inactive);
    });
  });
});
