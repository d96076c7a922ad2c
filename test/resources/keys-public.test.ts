import { createPublicKey, hash } from "node:crypto";
import type { PublicJwk } from "latchkey/types";
import { describe, expect } from "vitest";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { ecPair, edPair, generate, importKey, signer } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = "/api/jwt/public-key";
const jwksPath = "/.well-known/jwks.json";

/** Somebody without any credential. */
const anybody = ({ identity }: World): Caller => new Caller(identity, {});

forEachStorage((start) => {
  describe("the JWKS", () => {
    requirement("key.jwks", "has the default key from the start, and never a secret", async () => {
      const world = await start();
      const { text } = expectOk(await anybody(world).get(jwksPath));
      expect(JSON.parse(text)).toMatchObject({ keys: [{ alg: "ES256", use: "sig" }] });
      await generate(world.caller, { algorithm: "HS256", name: "H" });
      await importKey(world.caller, { type: "Secret", secret: "s" });
      expect((await anybody(world).get(jwksPath)).text).toBe(text);
    });

    requirement("key.jwks", "shows each pair with the members of its kind, in order", async () => {
      const world = await start();
      const members = {
        RS256: ["alg", "e", "kid", "kty", "n", "use"],
        ES384: ["alg", "crv", "kid", "kty", "use", "x", "y"],
        Ed25519: ["alg", "crv", "kid", "kty", "use", "x"],
      };
      world.clock.advance(1);
      for (const [algorithm, names] of Object.entries(members)) {
        const made = await generate(world.caller, { algorithm: algorithm as "RS256", length: 2_048, name: algorithm });
        world.clock.advance(1);
        const answer = expectOk(await anybody(world).get(jwksPath));
        const jwk = (answer.at("keys") as Record<string, string>[]).at(-1) ?? {};
        expect(Object.keys(jwk)).toEqual(names);
        expect(jwk).toMatchObject({ alg: algorithm === "Ed25519" ? "EdDSA" : algorithm, kid: made.at("key.kid"), use: "sig" });
        const key = createPublicKey({ key: jwk, format: "jwk" });
        expect(key.equals(createPublicKey(made.textAt("key.publicKey")))).toBe(true);
        expect(answer.headers["cache-control"]).toBe("no-cache");
      }
      expect((await anybody(world).get(jwksPath)).each("keys", "kty")).toEqual(["EC", "RSA", "EC", "OKP"]);
    });

    requirement("key.jwks", "has the certificate and its thumbprints", async () => {
      const world = await start();
      const { certificate, certificateInformation, privateKey } = signer;
      await importKey(world.caller, { certificate, privateKey, kid: "signer" });
      const jwk = ((await anybody(world).get(jwksPath)).at("keys") as PublicJwk[]).find(
        (known) => known.kid === "signer",
      ) as PublicJwk;
      expect(Object.keys(jwk)).toEqual(["alg", "crv", "kid", "kty", "use", "x", "x5c", "x5t", "x5t#S256", "y"]);
      const { sha1Thumbprint, sha256Thumbprint } = certificateInformation;
      expect(jwk).toMatchObject({ alg: "ES256", kid: "signer", x5t: sha1Thumbprint, "x5t#S256": sha256Thumbprint });
      const [der = ""] = jwk.x5c ?? [];
      expect(hash("sha256", Buffer.from(der, "base64"), "base64url")).toBe(sha256Thumbprint);
    });

    requirement("key.jwks", "leaves out keys that somebody else signs with, and keys that are gone", async () => {
      const world = await start();
      await importKey(world.caller, { publicKey: ecPair().publicKey });
      await importKey(world.caller, { certificate: signer.certificate, name: "Foreign" });
      const own = (await generate(world.caller, { algorithm: "ES256", name: "Own" })).textAt("key.id");
      expect((await anybody(world).get(jwksPath)).at("keys")).toHaveLength(2);
      expectOk(await world.caller.put(`/api/key/${own}`, { key: { name: "Renamed" } }));
      expect((await anybody(world).get(jwksPath)).at("keys")).toHaveLength(2);
      expectEmpty(await world.caller.delete(`/api/key/${own}`), 200);
      expect((await anybody(world).get(jwksPath)).at("keys")).toHaveLength(1);
    });

    requirement("key.jwks", "is open to everybody, with any headers", async () => {
      const world = await start();
      await generate(world.caller, { algorithm: "ES256" });
      const { text } = await anybody(world).get(jwksPath);
      const headers = { Authorization: "wrong", "X-Service-TenantId": uuid(99) };
      expect(expectOk(await anybody(world).get(`${jwksPath}?kid=x`, headers)).text).toBe(text);
      expectEmpty(await anybody(world).post(jwksPath, {}), 405);
    });
  });

  describe("public keys", () => {
    requirement("key.public-key", "are answered by id and by kid, of foreign keys too", async () => {
      const world = await start();
      const { publicKey } = ecPair();
      const id = (await importKey(world.caller, { publicKey, kid: "a/b c" })).textAt("key.id");
      for (const query of [`keyId=${id.toUpperCase()}`, "kid=a%2Fb%20c", `keyId=${id}&kid=other`])
        expect(expectOk(await anybody(world).get(`${path}?${query}`)).body).toEqual({ publicKey });
    });

    requirement("key.public-key", "are not found for unknown keys and for secrets", async () => {
      const world = await start();
      const hmac = (await generate(world.caller)).at("key") as { readonly id: string; readonly kid: string };
      for (const query of [`keyId=${uuid(9)}`, "kid=x", `keyId=${hmac.id}`, `kid=${hmac.kid}`, `applicationId=${uuid(9)}`])
        expectEmpty(await anybody(world).get(`${path}?${query}`), 404);
      for (const name of ["keyId", "applicationId"])
        expectRefusal(await anybody(world).get(`${path}?${name}=x`), 400, `[couldNotConvert]${name}`);
      expectEmpty(await anybody(world).get(`${path}/${hmac.id}`), 404);
    });

    requirement("key.public-key", "are all answered by kid without a parameter", async () => {
      const world = await start();
      const standard = Object.entries(expectOk(await anybody(world).get(path)).at("publicKeys") as object);
      expect(standard).toHaveLength(1);
      const own = (await generate(world.caller, { algorithm: "ES256", name: "Own" })).at("key") as Record<string, string>;
      await generate(world.caller, { name: "Secret" });
      const pair = ecPair();
      await importKey(world.caller, { ...pair, kid: "__proto__" });
      await importKey(world.caller, { publicKey: ecPair().publicKey, name: "Foreign" });
      const entries = Object.entries((await anybody(world).get(path)).at("publicKeys") as object);
      expect(new Map(entries)).toEqual(new Map([...standard, [own.kid, own.publicKey], ["__proto__", pair.publicKey]]));
      expect((await anybody(world).get(`${path}?kid=&keyId=`)).at(`publicKeys.${own.kid}`)).toBe(own.publicKey);
    });

    requirement("key.public-key", "are those of an application, or of its tenant when it has none of its own", async () => {
      const world = await start();
      const [first, second] = [
        await generate(world.caller, { algorithm: "ES256" }, uuid(1)),
        await generate(world.caller, { algorithm: "ES256" }, uuid(2)),
      ];
      const tenantId = await makeTenant(world, "Other");
      const url = `/api/application/${uuid(3)}`;
      const post = { application: { name: "A", jwtConfiguration: { enabled: true, accessTokenKeyId: uuid(1) } } };
      expectOk(await world.caller.inTenant(tenantId).post(url, post));
      const query = `${path}?applicationId=${uuid(3)}`;
      expect(expectOk(await anybody(world).get(query)).at("publicKey")).toBe(first.at("key.publicKey"));
      const off = { application: { jwtConfiguration: { enabled: false } } };
      expectOk(await world.caller.inTenant(tenantId).patch(url, off));
      const standard = `${path}?keyId=${defaultSigningKeyId}`;
      expect(expectOk(await anybody(world).get(query)).text).toBe((await anybody(world).get(standard)).text);
      const jwtConfiguration = { accessTokenKeyId: uuid(2) };
      expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant: { jwtConfiguration } }));
      expect(expectOk(await anybody(world).get(query)).at("publicKey")).toBe(second.at("key.publicKey"));
      const inAnother = { "X-Service-TenantId": world.defaultTenantId };
      expectEmpty(await anybody(world).get(query, inAnother), 404);
    });
  });

  describe("in other versions", () => {
    const { publicKey } = signer;
    const made = (world: World, key: object, verb = "generate") =>
      world.caller.post(`/api/key/${verb}`, { key: { name: "K", ...key } });

    requirement("key.versions", "there is no Ed25519 before 1.62, whether named or found", async () => {
      const world = await start({ version: "1.61.9" });
      const ed = { publicKey: edPair().publicKey };
      expectRefusal(await made(world, { algorithm: "Ed25519" }), 400, "[invalidOption]key.algorithm");
      expectRefusal(await made(world, ed, "import"), 400, "[invalidOption]key.algorithm", "[invalidOption]key.type");
      expectRefusal(await made(world, { ...ed, type: "OKP" }, "import"), 400, "[invalidOption]key.type");
      expectOk(await made(world, { publicKey }, "import"));
      expectOk(await made(await start({ version: "1.62.0" }), ed, "import"));
    });

    requirement("key.versions", "there is no Secret before 1.64, whether named or meant", async () => {
      const world = await start({ version: "1.63.0" });
      expectRefusal(await made(world, { type: "Secret", secret: "s" }, "import"), 400, "[invalidOption]key.type");
      expectRefusal(await made(world, { algorithm: "None", secret: "s" }, "import"), 400, "[invalidOption]key.algorithm");
      expectOk(await made(await start({ version: "1.64.0" }), { type: "Secret", secret: "s" }, "import"));
    });

    requirement("key.versions", "there is no search before 1.45", async () => {
      const world = await start({ version: "1.44.0" });
      expectEmpty(await world.caller.get("/api/key/search"), 404);
      expectOk(await (await start({ version: "1.45.0" })).caller.get("/api/key/search"));
    });
  });
});
