import { decodeProtectedHeader } from "jose";
import { describe, expect } from "vitest";
import { toJSONSchema } from "zod";
import { keyPlaces } from "../../src/operations/references/key-places.js";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { bodySchemas } from "../support/body-schemas.js";
import { generate } from "../support/keys.js";
import { expectNotTaken, first, forTokens, hmac, logInto, ofWebhook, pair, validate } from "../support/named-keys.js";
import { namingPlaces } from "../support/naming-places.js";
import { requirement } from "../support/requirement.js";
import { makeScene } from "../support/token-places.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

requirement("key.one-purpose", "every member of a request that names a key says what for", () => {
  const found = Object.entries(bodySchemas)
    .filter(([name]) => name.endsWith("Request"))
    .flatMap(([, schema]) => pathsIn(toJSONSchema(schema as never, { io: "input", unrepresentable: "any" }), []));
  const named = [...new Set(found)].filter((path) => /KeyId$|\.keyId$/.test(path) && !/^(apiKey|sourceKeyId)/.test(path));
  expect(named.toSorted()).toEqual(Object.keys(keyPlaces).toSorted());
  expect(namingPlaces.flatMap(({ path }) => path ?? []).toSorted()).toEqual(Object.keys(keyPlaces).toSorted());
});

function pathsIn(schema: unknown, path: readonly string[]): string[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  return Object.entries(properties).flatMap(([name, member]) => [[...path, name].join("."), ...pathsIn(member, [...path, name])]);
}

forEachStorage((start) => {
  describe("a key", () => {
    for (const kind of [hmac, pair])
      requirement(
        "key.one-purpose",
        `(${kind.name}) that tokens are signed with is refused by webhooks, now and later`,
        async () => {
          const world = await start();
          for (const [index, place] of forTokens.entries()) {
            const scene = await makeScene(world);
            const keyId = uuid(60_000 + index);
            await kind.import(world, keyId);
            await place.give(scene, keyId);
            await expectNotTaken(scene, ofWebhook, keyId);
            await expectNotTaken(await makeScene(world), ofWebhook, keyId);
          }
          const scene = await makeScene(world);
          await expectNotTaken(scene, ofWebhook, defaultSigningKeyId);
        },
      );

    requirement("key.one-purpose", "that a webhook names is refused for tokens, also once the webhook is gone", async () => {
      const world = await start();
      for (const kind of [hmac, pair])
        for (const ending of ["named", "changed", "gone"]) {
          const scene = await makeScene(world);
          const keyId = uuid(61_000 + forTokens.length + kind.name.length * 10 + ending.length);
          await kind.import(world, keyId);
          await ofWebhook.give(scene, keyId);
          const url = `/api/webhook/${scene.webhookId}`;
          const none = { webhook: { signatureConfiguration: { enabled: false, signingKeyId: null } } };
          if (ending === "changed") expectOk(await world.caller.mergePatch(url, none));
          if (ending === "gone") expectEmpty(await world.caller.delete(url), 200);
          for (const place of forTokens) await expectNotTaken(scene, place, keyId);
        }
    });

    requirement("key.one-purpose", "is refused by a new record as by one that changes", async () => {
      const world = await start();
      const scene = await makeScene(world);
      await hmac.import(world, uuid(62_000));
      await ofWebhook.give(scene, uuid(62_000));
      const jwtConfiguration = { enabled: true, accessTokenKeyId: uuid(62_000) };
      const path = (wrapper: string): string => `[invalid]${wrapper}.jwtConfiguration.accessTokenKeyId`;
      const own = world.caller.inTenant(scene.tenantId);
      expectRefusal(
        await own.post("/api/application", { application: { name: "A", jwtConfiguration } }),
        400,
        path("application"),
      );
      expectRefusal(await world.caller.post("/api/tenant", { tenant: { name: "A", jwtConfiguration } }), 400, path("tenant"));
      const type = { entityType: { name: "A", jwtConfiguration } };
      expectRefusal(await world.caller.post("/api/entity/type", type), 400, path("entityType"));
      const both = { accessTokenKeyId: uuid(62_000), idTokenKeyId: uuid(62_000) };
      const names = ["accessTokenKeyId", "idTokenKeyId"].map((name) => `[invalid]tenant.jwtConfiguration.${name}`);
      expectRefusal(await world.caller.post("/api/tenant", { tenant: { name: "A", jwtConfiguration: both } }), 400, ...names);
    });

    requirement("token.key-named", "that is changed ends no live token, until the key goes", async () => {
      const world = await start();
      const scene = await makeScene(world);
      const [before, after] = [uuid(63_000), uuid(63_001)];
      const [tenant] = forTokens;
      for (const keyId of [before, after]) {
        await generate(world.caller, { algorithm: "ES256" }, keyId);
        await tenant?.give(scene, keyId);
        if (keyId === before) await logInto(scene);
      }
      const { token } = await logInto(scene);
      expect(decodeProtectedHeader(token).kid).not.toBe(decodeProtectedHeader(first(scene)).kid);
      const shown = (text: string): Promise<{ readonly status: number }> => validate(world, text);
      for (const text of [token, first(scene)]) expect((await shown(text)).status).toBe(200);
      expectEmpty(await world.caller.delete(`/api/key/${before}`), 200);
      expect((await shown(first(scene))).status).toBe(401);
      expect((await shown(token)).status).toBe(200);
    });

    requirement("token.issuer", "verifies what says an issuer that its tenant has or had, and no other", async () => {
      const world = await start();
      const scene = await makeScene(world);
      const sign = await pair.import(world, uuid(64_000));
      await forTokens[0]?.give(scene, uuid(64_000));
      const exp = world.clock.instant / 1_000 + 600;
      const claims = { exp, iat: exp - 600, sub: scene.userId, tid: scene.tenantId, tty: "at" };
      const good = async (): Promise<readonly number[]> =>
        Promise.all(
          ["latchkey", "https://one.example", "https://two.example"].map(
            async (iss) => (await validate(world, await sign({}, { ...claims, iss }))).status,
          ),
        );
      const rename = async (issuer: string | null): Promise<void> =>
        void expectOk(await world.caller.mergePatch(`/api/tenant/${scene.tenantId}`, { tenant: { issuer } }));
      expect(await good()).toEqual([200, 401, 401]);
      await rename("https://one.example");
      expect(await good()).toEqual([200, 200, 401]);
      await rename("https://two.example");
      expect(await good()).toEqual([200, 200, 200]);
      await rename(null);
      expect(await good()).toEqual([200, 200, 200]);
      const other = await makeScene(world);
      const elsewhere = { ...claims, iss: "https://one.example", sub: other.userId, tid: other.tenantId };
      await forTokens[0]?.give(other, uuid(64_000));
      expect((await validate(world, await sign({}, elsewhere))).status).toBe(401);
    });

    requirement("token.issuer", "verifies nothing of a tenant that is being removed", async () => {
      const world = await start();
      const scene = await makeScene(world);
      const { token } = await logInto(scene);
      expect((await validate(world, token)).status).toBe(200);
      expectEmpty(await world.caller.delete(`/api/tenant/${scene.tenantId}?async=true`), 202);
      expect((await validate(world, token)).status).toBe(401);
    });

    requirement(["token.issuer", "token.audience"], "verifies any iss and aud where a lambda may have written them", async () => {
      const world = await start();
      const scene = await makeScene(world);
      const sign = await pair.import(world, uuid(65_000));
      await forTokens[0]?.give(scene, uuid(65_000));
      const iat = world.clock.instant / 1_000;
      const common = { iat, exp: iat + 600, iss: "https://written.example", tid: scene.tenantId };
      const user = await sign({}, { ...common, aud: "anybody", sub: scene.userId, tty: "at" });
      const client = await sign({ gty: ["client_credentials"] }, { ...common, aud: "anybody", sub: scene.entityId });
      const good = async (): Promise<readonly number[]> =>
        Promise.all([user, client].map(async (token) => (await validate(world, token)).status));
      expect(await good()).toEqual([401, 401]);
      await populate(world, `/api/application/${scene.applicationId}`, 1, "JWTPopulate", (id) => ({
        application: { lambdaConfiguration: { accessTokenPopulateId: id } },
      }));
      expect(await good()).toEqual([200, 401]);
      await populate(world, `/api/tenant/${scene.tenantId}`, 2, "ClientCredentialsJWTPopulate", (id) => ({
        tenant: { oauthConfiguration: { clientCredentialsAccessTokenPopulateLambdaId: id } },
      }));
      expect(await good()).toEqual([200, 200]);
    });
  });
});

async function populate(world: World, url: string, number: number, type: string, body: (id: string) => object): Promise<void> {
  const lambda = { name: type, type, body: "function populate() {}", engineType: "GraalJS" };
  expectOk(await world.caller.post(`/api/lambda/${uuid(number)}`, { lambda }));
  expectOk(await world.caller.patch(url, body(uuid(number))));
}
