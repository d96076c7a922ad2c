import { randomBytes, sign, verify } from "node:crypto";
import { inspect } from "node:util";
import { IdentityError } from "latchkey";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { sealedTables, tables } from "../../src/families/index.js";
import { openKeyById, openKeyByKid } from "../../src/keys/keys/rules.js";
import { createSealer, sealedLocationOf } from "../../src/security/seal.js";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { ecPair, edPair, generate, importKey, rsaPair, signer } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, testSecret, uuid, type World } from "../support/world.js";

const sealer = createSealer([testSecret], randomBytes, sealedTables);
const secret = "a secret that is shared with others: 0123456789";
/** What stands in the middle of the private key: neither its head, which all have, nor its line ends. */
const core = signer.privateKey.split("\n")[2]?.slice(0, 40) ?? "";

/** Everything that is kept: texts, columns of no table hold more. */
async function readAll({ storage }: World): Promise<string> {
  const found = await Promise.all(tables.map((table) => storage.find(globalScope, table, undefined)));
  return JSON.stringify(found);
}

function expectNoSecret(text: string): void {
  const forms = (["hex", "base64", "base64url"] as const).map((encoding) => Buffer.from(secret).toString(encoding));
  for (const part of [core, secret, ...forms, "PRIVATE KEY"]) expect(text).not.toContain(part);
}

forEachStorage((start) => {
  describe("what is secret of a key", () => {
    requirement("key.hidden", "is in no response of any call", async () => {
      const world = await start();
      const { caller } = world;
      const { privateKey } = signer;
      const answers: Answer[] = [];
      const hmac = { algorithm: "HS256", secret };
      for (const query of ["?dryRun=true", ""])
        answers.push(
          expectOk(await caller.post(`/api/key/import/${uuid(1)}${query}`, { key: { name: "P", privateKey } })),
          expectOk(await caller.post(`/api/key/import/${uuid(2)}${query}`, { key: { name: "H", ...hmac } })),
          expectOk(await caller.post(`/api/key/import/${uuid(3)}${query}`, { key: { name: "S", type: "Secret", secret } })),
          expectOk(await caller.post(`/api/key/generate/${uuid(4)}${query}`, { key: { name: "G", algorithm: "ES256" } })),
        );
      for (const number of [1, 2, 3, 4]) {
        const path = `/api/key/${uuid(number)}`;
        const key = { name: `New ${number}`, privateKey, secret };
        const add = { op: "add", path: "/key/privateKey", value: privateKey };
        answers.push(
          await caller.get(path),
          await caller.put(`${path}?dryRun=true`, { key }),
          await caller.put(path, { key }),
          await caller.patch(path, { key }),
          await caller.mergePatch(path, { key }),
          await caller.jsonPatch(path, [add, { op: "copy", from: "/key/privateKey", path: "/key/issuer" }]),
          await caller.jsonPatch(path, [{ op: "test", path: "/key/privateKey", value: privateKey }]),
          await caller.jsonPatch(path, [{ op: "copy", from: "/key/secret", path: "/key/name" }]),
        );
      }
      for (const path of ["/api/key", "/api/key/search", "/.well-known/jwks.json", "/api/jwt/public-key"])
        answers.push(expectOk(await caller.get(path)));
      for (const { status, text } of answers) {
        expect([200, 400]).toContain(status);
        expectNoSecret(text);
        expect(text).not.toMatch(/"(privateKey|secret|sealed|jwk)":/);
      }
      expectNoSecret(await readAll(world));
      expect(world.log).toEqual([]);
    });

    requirement("key.hidden", "is in no refusal, over HTTP or in process", async () => {
      const world = await start();
      const wrong = [
        { privateKey: signer.privateKey.replace("MIGH", "MIGI") },
        { privateKey: signer.privateKey, publicKey: ecPair().publicKey },
        { privateKey: `${signer.privateKey}\n${signer.privateKey}` },
        { privateKey: signer.privateKey, secret },
        { algorithm: "HS512" as const, secret },
        { type: "RSA" as const, privateKey: signer.privateKey },
      ];
      for (const parts of wrong) {
        const key = { name: "K", ...parts };
        const answer = await world.caller.post("/api/key/import", { key });
        expect(answer.status).toBe(400);
        expectNoSecret(answer.text);
        const error = await world.identity.keys.import({ key }).catch((thrown: Error) => thrown);
        expect(error).toBeInstanceOf(IdentityError);
        expectNoSecret(inspect(error, { depth: null }));
      }
      expect(world.log).toEqual([]);
    });

    requirement("key.hidden", "is sealed for its own record, and stays with it when the name changes", async () => {
      const { caller, storage } = await start();
      await importKey(caller, { algorithm: "HS256", secret }, uuid(1));
      await importKey(caller, { algorithm: "HS256", secret }, uuid(2));
      const table = tables.find(({ name }) => name === "keys");
      const hiddenOf = async (id: string): Promise<string> =>
        (table && (await storage.retrieve(globalScope, table, id)))?.hidden ?? "";
      const before = await hiddenOf(uuid(1));
      expect(JSON.parse(before)).toEqual({ secret: expect.stringMatching(/^v1\./) });
      const sealed: string = JSON.parse(before).secret;
      expect(sealer.open(sealed, sealedLocationOf("keys", uuid(1), "secret"))).toBe(secret);
      expect(() => sealer.open(sealed, sealedLocationOf("keys", uuid(2), "secret"))).toThrow();
      expect(() => sealer.open(sealed, sealedLocationOf("keys", uuid(1), "privateKey"))).toThrow();
      expectOk(await caller.put(`/api/key/${uuid(1)}`, { key: { name: "New", secret: "another" } }));
      expect(await hiddenOf(uuid(1))).toBe(before);
    });
  });

  describe("a stored key", () => {
    requirement("key.open", "signs and verifies with what was generated", async () => {
      const { caller, storage } = await start();
      const digests = { ES256: "sha256", ES512: "sha512", Ed25519: null, RS256: "sha256" } as const;
      const data = Buffer.from("data");
      for (const [algorithm, digest] of Object.entries(digests)) {
        const made = await generate(caller, { algorithm: algorithm as "ES256", name: algorithm, length: 2_048 });
        const key = await openKeyById(storage, sealer, made.textAt("key.id"));
        if (key?.signingKey === undefined || key.verificationKey === undefined) return expect.fail(algorithm);
        expect(key).toMatchObject({ id: made.at("key.id"), kid: made.at("key.kid"), type: made.at("key.type") });
        expect(key.alg).toBe(algorithm === "Ed25519" ? "EdDSA" : algorithm);
        expect(verify(digest, data, made.textAt("key.publicKey"), sign(digest, data, key.signingKey))).toBe(true);
        expect(verify(digest, data, key.verificationKey, sign(digest, data, key.signingKey))).toBe(true);
      }
    });

    requirement("key.open", "opens as what was imported, by id and by kid", async () => {
      const { caller, storage } = await start();
      const { certificate, privateKey, publicKey } = signer;
      await importKey(caller, { certificate, privateKey, kid: "pair" });
      const pair = await openKeyByKid(storage, sealer, "pair");
      expect(pair).toMatchObject({ alg: "ES256", certificate, kid: "pair", type: "EC" });
      expect(`${pair?.signingKey?.export({ type: "pkcs8", format: "pem" })}`.trimEnd()).toBe(privateKey);
      expect(`${pair?.verificationKey?.export({ type: "spki", format: "pem" })}`.trimEnd()).toBe(publicKey);
      await importKey(caller, { algorithm: "HS384", kid: "hmac", name: "H", secret: `${secret} 🔑` });
      const hmac = await openKeyByKid(storage, sealer, "hmac");
      expect(hmac).toMatchObject({ alg: "HS384", type: "HMAC" });
      expect(hmac?.signingKey?.export().toString("utf8")).toBe(`${secret} 🔑`);
      expect(hmac?.verificationKey).toBe(hmac?.signingKey);
      await importKey(caller, { publicKey: edPair().publicKey, kid: "open", name: "O" });
      const open = await openKeyByKid(storage, sealer, "open");
      expect(open).toMatchObject({ alg: "EdDSA", signingKey: undefined });
      expect(open?.verificationKey?.type).toBe("public");
      await importKey(caller, { type: "Secret", secret, kid: "secret", name: "S" });
      const undefinedKeys = { alg: undefined, signingKey: undefined, verificationKey: undefined };
      expect(await openKeyByKid(storage, sealer, "secret")).toMatchObject({ type: "Secret", ...undefinedKeys });
      expect(await openKeyById(storage, sealer, uuid(99))).toBeUndefined();
      expect(await openKeyByKid(storage, sealer, "PAIR")).toBeUndefined();
    });

    requirement("key.generate", "can be made and used in process, in a transaction with more", async () => {
      const { identity, caller } = await start();
      const { privateKey } = rsaPair();
      const kept = await identity.transaction(async (tx) => {
        const { key } = await tx.keys.import({ key: { name: "In process", privateKey, algorithm: "RS384" } });
        await tx.keys.generate({ keyId: uuid(1), key: { name: "Other", algorithm: "HS512" } });
        return key;
      });
      expect((await identity.keys.retrieve({ keyId: kept.id })).key).toEqual(kept);
      expect((await identity.keys.jwks()).keys).toContainEqual(expect.objectContaining({ alg: "RS384", kid: kept.kid }));
      expect(await identity.keys.publicKey({ kid: kept.kid })).toEqual({ publicKey: kept.publicKey });
      await expect(identity.keys.generate({ keyId: uuid(1), key: { name: "X", algorithm: "HS256" } })).rejects.toMatchObject({
        code: "[duplicate]keyId",
      });
      expectRefusal(
        await caller.post(`/api/key/import/${uuid(1)}`, { key: { name: "X", privateKey: ecPair().privateKey } }),
        400,
        "[duplicate]keyId",
      );
    });
  });
});
