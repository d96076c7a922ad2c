import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import {
  ecPair,
  edPair,
  edVector,
  importKey,
  type PemPair,
  rsaPair,
  rsaVector,
  signer,
  toPem,
  toPemPair,
} from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, uuid } from "../support/world.js";

const path = "/api/key/import";

const rsa = rsaPair();
const p256 = ecPair();
const ed = edPair();
const ecKey = ecPair();
const p384 = ecPair("P-384");
const rsaVectorPem = toPem(rsaVector.jwk);

/** Whoever imports keys into a fresh service. */
async function startImporting(start: Start): Promise<(key: object) => Promise<Answer>> {
  const { caller } = await start();
  return (key) => caller.post(path, { key: { name: "K", ...key } });
}

/** A private key of the curve P-256 with the public point of another, which stands at the end of both. */
function withPointOf(own: PemPair, other: PemPair): KeyObject {
  const [der, another] = [own, other].map(({ privateKey }) =>
    createPrivateKey(privateKey).export({ type: "pkcs8", format: "der" }),
  ) as [Buffer, Buffer];
  const key = Buffer.concat([der.subarray(0, -65), another.subarray(-65)]);
  return createPrivateKey({ key, type: "pkcs8", format: "der" });
}

/** A private key in the older form that its kind has. */
function inOldForm({ privateKey }: PemPair, type: "pkcs1" | "sec1"): string {
  return createPrivateKey(privateKey).export({ type, format: "pem" }).toString();
}

forEachStorage((start) => {
  describe("importing a pair", () => {
    requirement(["key.import-pair", "key.fields"], "finds out type, algorithm and length, and the public half", async () => {
      const { caller, clock } = await start();
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const cases = [
        { pair: rsa, told: { algorithm: "RS256", type: "RSA", length: 2_048 } },
        { pair: p256, told: { algorithm: "ES256", type: "EC", length: 256 } },
        { pair: ecPair("P-384"), told: { algorithm: "ES384", type: "EC", length: 384 } },
        { pair: ecPair("P-521"), told: { algorithm: "ES512", type: "EC", length: 521 } },
        { pair: ed, told: { algorithm: "Ed25519", type: "OKP" } },
      ];
      for (const [index, { pair, told }] of cases.entries()) {
        const { privateKey, publicKey } = pair;
        const whole = await importKey(caller, { privateKey, publicKey, kid: `whole ${index}` }, uuid(index));
        const names = { id: uuid(index), kid: `whole ${index}`, name: `Imported ${uuid(index)}` };
        expect(whole.body).toEqual({ key: { ...told, ...names, ...instants, hasPrivateKey: true, publicKey } });
        expect((await caller.get(`/api/key/${uuid(index)}`)).text).toBe(whole.text);
        const alone = await importKey(caller, { privateKey, name: `alone ${index}` });
        expect(alone.at("key")).toMatchObject({ ...told, hasPrivateKey: true, publicKey });
        const open = await importKey(caller, { publicKey, name: `open ${index}`, kid: `open ${index}` });
        expect(open.at("key")).toMatchObject({ ...told, hasPrivateKey: false, publicKey });
      }
    });

    requirement("key.import-pem", "takes PKCS #1 and SEC 1, and any line ends", async () => {
      const { caller } = await start();
      const forms = [
        { part: inOldForm(rsa, "pkcs1"), publicKey: rsa.publicKey },
        { part: inOldForm(p256, "sec1"), publicKey: p256.publicKey },
        { part: ed.privateKey.replaceAll("\n", "\r\n"), publicKey: ed.publicKey },
        { part: ecKey.privateKey.replaceAll("\n", "\r"), publicKey: ecKey.publicKey },
        { part: `\r\n ${p384.privateKey}\r\n\r\n`, publicKey: p384.publicKey },
      ];
      for (const [index, { part, publicKey }] of forms.entries())
        expect((await importKey(caller, { privateKey: part, name: `${index}` })).at("key.publicKey")).toBe(publicKey);
      const crlf = { publicKey: `${rsaVectorPem.replaceAll("\n", "\r\n")}\r\n` };
      expect((await importKey(caller, { ...crlf, name: "crlf" })).at("key.publicKey")).toBe(rsaVectorPem);
    });

    requirement("key.import-pem", "refuses what is no PEM, another kind, encrypted, or more than one block", async () => {
      const post = await startImporting(start);
      const { privateKey, publicKey } = p256;
      const encrypted = createPrivateKey(privateKey).export({
        type: "pkcs8",
        format: "pem",
        cipher: "aes-256-cbc",
        passphrase: "x",
      });
      const spoilt = publicKey.replace("MFkw", "MFkx");
      const wrongTexts = {
        privateKey: [publicKey, signer.certificate, encrypted, inOldForm(p256, "sec1").replace(/ EC /g, " ")],
        publicKey: [privateKey, signer.certificate, spoilt, "x", `${publicKey}\n${publicKey}`, `Text\n${publicKey}`],
        certificate: [publicKey, privateKey, `${signer.certificate}\n${signer.certificate}`, "/etc/ssl/certs/ca.pem"],
      };
      for (const [part, texts] of Object.entries(wrongTexts))
        for (const text of texts) expectRefusal(await post({ [part]: text }), 400, `[invalid]key.${part}`);
      // As the metadata of SAML have it.
      const bare = signer.certificate.replace(/-----[A-Z ]+-----|\s/g, "");
      expect((await post({ certificate: bare })).text).toContain("between the lines -----BEGIN CERTIFICATE-----");
      const all = { certificate: "a", publicKey: "b", privateKey: "c" };
      const codes = Object.keys(all).map((part) => `[invalid]key.${part}`);
      expectRefusal(await post(all), 400, ...codes);
    });

    requirement("key.import-pem", "refuses blank, long and wrong-typed texts", async () => {
      const post = await startImporting(start);
      for (const part of ["certificate", "publicKey", "privateKey", "secret", "kid"]) {
        expectRefusal(await post({ [part]: " \n" }), 400, `[blank]key.${part}`);
        expectRefusal(await post({ [part]: "x".repeat(20_000) }), 400, `[tooLong]key.${part}`);
        expectRefusal(await post({ [part]: 7 }), 400, `[invalidJSON]key.${part}`);
      }
      expectRefusal(await post({}), 400, "[blank]key.publicKey");
      expectRefusal(
        await post({ algorithm: "RS1", type: "DSA" }),
        400,
        "[invalidOption]key.algorithm",
        "[invalidOption]key.type",
      );
    });

    requirement("key.import-match", "refuses halves that do not belong together", async () => {
      const post = await startImporting(start);
      const { certificate, privateKey, publicKey } = signer;
      expectRefusal(await post({ publicKey: p256.publicKey, privateKey }), 400, "[invalid]key.privateKey");
      expectRefusal(await post({ publicKey: rsa.publicKey, privateKey }), 400, "[invalid]key.privateKey");
      expectRefusal(await post({ certificate, publicKey: p256.publicKey, privateKey }), 400, "[invalid]key.publicKey");
      expectRefusal(await post({ certificate, publicKey, privateKey: p256.privateKey }), 400, "[invalid]key.privateKey");
      const strangers = { certificate, publicKey: p256.publicKey, privateKey: rsa.privateKey };
      expectRefusal(await post(strangers), 400, "[invalid]key.privateKey", "[invalid]key.publicKey");
    });

    requirement("key.import-match", "refuses a private key whose own numbers do not belong together", async () => {
      const post = await startImporting(start);
      const [own, other] = [
        generateKeyPairSync("rsa", { modulusLength: 2_048 }),
        generateKeyPairSync("rsa", { modulusLength: 2_048 }),
      ];
      const { n, e } = other.publicKey.export({ format: "jwk" });
      const jwk = { ...own.privateKey.export({ format: "jwk" }), n, e };
      const mixed = [createPrivateKey({ key: jwk, format: "jwk" }), withPointOf(p256, ecKey)];
      for (const key of mixed) {
        const privateKey = key.export({ type: "pkcs8", format: "pem" }).toString();
        expectRefusal(await post({ privateKey }), 400, "[invalid]key.privateKey");
      }
    });

    requirement("key.import-claims", "refuses a type or algorithm that is not the pair's", async () => {
      const post = await startImporting(start);
      const { publicKey } = p256;
      expectRefusal(await post({ publicKey, algorithm: "ES384" }), 400, "[invalid]key.algorithm");
      expectRefusal(await post({ publicKey, algorithm: "RS256" }), 400, "[invalid]key.algorithm");
      expectRefusal(await post({ publicKey, type: "RSA" }), 400, "[invalid]key.type");
      expectRefusal(await post({ publicKey, type: "EC", algorithm: "RS256" }), 400, "[invalid]key.algorithm");
      expectRefusal(
        await post({ publicKey, type: "RSA", algorithm: "RS256" }),
        400,
        "[invalid]key.algorithm",
        "[invalid]key.type",
      );
      expectRefusal(await post({ publicKey, secret: "s".repeat(32) }), 400, "[invalid]key.secret");
      expectRefusal(
        await post({ publicKey, type: "HMAC", algorithm: "HS256" }),
        400,
        "[blank]key.secret",
        "[invalid]key.publicKey",
      );
      const pss = { ...rsa, algorithm: "RS512", type: "RSA" };
      expect(expectOk(await post(pss)).at("key.algorithm")).toBe("RS512");
    });

    requirement("key.import-weak", "refuses short and endless RSA keys, and unsound exponents", async () => {
      const post = await startImporting(start);
      expectRefusal(await post(rsaPair(1_024)), 400, "[invalid]key.length");
      const modulus = (bytes: number): string => Buffer.alloc(bytes, 0xff).toString("base64url");
      const publicKey = (bytes: number, e: string): string => toPem({ kty: "RSA", n: modulus(bytes), e });
      for (const wrong of [publicKey(255, "AQAB"), publicKey(1_025, "AQAB"), publicKey(256, "AQ"), publicKey(256, "AQAA")])
        expectRefusal(await post({ publicKey: wrong }), 400, "[invalid]key.length");
      expectOk(await post({ publicKey: publicKey(1_024, "AQAB") }));
    });

    requirement("key.import-weak", "refuses kinds and curves that sign nothing here", async () => {
      const post = await startImporting(start);
      const pairs = [
        ecPair("secp256k1"),
        toPemPair(generateKeyPairSync("x25519")),
        toPemPair(generateKeyPairSync("ed448")),
        toPemPair(generateKeyPairSync("rsa-pss", { modulusLength: 2_048 })),
      ];
      for (const { publicKey, privateKey } of pairs) {
        expectRefusal(await post({ publicKey, privateKey }), 400, "[invalid]key.publicKey");
        expectRefusal(await post({ privateKey }), 400, "[invalid]key.privateKey");
      }
    });
  });

  describe("importing a certificate", () => {
    requirement("key.import-certificate", "describes it, and takes its end and its public key", async () => {
      const { caller } = await start();
      const { certificate, certificateInformation, privateKey, publicKey } = signer;
      const expirationInstant = certificateInformation.validTo;
      const told = { algorithm: "ES256", certificate, certificateInformation, expirationInstant, publicKey, type: "EC" };
      const alone = await importKey(caller, { certificate: `${certificate.replaceAll("\n", "\r\n")}\r\n` }, uuid(1));
      expect(alone.at("key")).toMatchObject({ ...told, hasPrivateKey: false });
      const whole = await importKey(caller, { certificate, privateKey, publicKey, kid: "whole" }, uuid(2));
      expect(whole.at("key")).toMatchObject({ ...told, hasPrivateKey: true });
    });
  });

  describe("importing a secret", () => {
    requirement("key.import-secret", "takes one of at least the bytes of the hash", async () => {
      const { caller } = await start();
      for (const [algorithm, bytes] of [["HS256", 32] as const, ["HS384", 48] as const, ["HS512", 64] as const]) {
        const key = { algorithm, name: algorithm, secret: "s".repeat(bytes) };
        const made = await importKey(caller, key);
        expect(made.at("key")).toMatchObject({ algorithm, type: "HMAC", hasPrivateKey: false, name: algorithm });
        expect(Object.keys(made.at("key") as object)).not.toContain("length");
        for (const secret of ["s".repeat(bytes - 1), "s"])
          expectRefusal(await caller.post(path, { key: { ...key, name: "K", secret } }), 400, "[tooShort]key.secret");
      }
      // Bytes count, not characters.
      await importKey(caller, { algorithm: "HS256", type: "HMAC", secret: "🔑".repeat(8) });
      const long = { algorithm: "HS256", name: "L", secret: "s".repeat(4_097) };
      expectRefusal(await caller.post(path, { key: long }), 400, "[tooLong]key.secret");
    });

    requirement("key.import-secret", "needs to know its algorithm, unless it signs nothing", async () => {
      const post = await startImporting(start);
      const secret = "s".repeat(64);
      expectRefusal(await post({ secret }), 400, "[missing]key.algorithm");
      expectRefusal(await post({ secret, type: "HMAC" }), 400, "[missing]key.algorithm");
      expectRefusal(await post({ secret, type: "HMAC", algorithm: "None" }), 400, "[invalid]key.algorithm");
      expectRefusal(await post({ secret, type: "Secret", algorithm: "HS256" }), 400, "[invalid]key.algorithm");
      expectRefusal(await post({ algorithm: "HS256" }), 400, "[blank]key.secret");
      expectRefusal(await post({ type: "HMAC" }), 400, "[blank]key.secret", "[missing]key.algorithm");
      expectRefusal(await post({ secret, type: "RSA" }), 400, "[blank]key.publicKey", "[invalid]key.secret");
      for (const said of [{ type: "Secret" }, { algorithm: "None" }, { type: "Secret", algorithm: "None" }]) {
        const made = expectOk(await post({ ...said, secret: "s", name: JSON.stringify(said) }));
        expect(made.at("key")).toMatchObject({ algorithm: "None", type: "Secret", hasPrivateKey: false });
      }
    });
  });

  describe("the kid", () => {
    requirement("key.kid", "is the thumbprint of a public key, and random for a secret", async () => {
      const { caller } = await start();
      for (const { jwk, thumbprint } of [rsaVector, edVector])
        expect((await importKey(caller, { publicKey: toPem(jwk), name: thumbprint })).at("key.kid")).toBe(thumbprint);
      const secret = { algorithm: "HS256", secret: "s".repeat(32) };
      const kids = [await importKey(caller, { ...secret, name: "A" }), await importKey(caller, { ...secret, name: "B" })];
      expect(new Set(kids.map((answer) => answer.textAt("key.kid"))).size).toBe(2);
    });

    requirement("key.kid", "can be named, and no other key has it in the same case", async () => {
      const { caller } = await start();
      const secret = { algorithm: "HS256", secret: "s".repeat(32) };
      expect((await importKey(caller, { ...secret, kid: "one", name: "A" })).at("key.kid")).toBe("one");
      await importKey(caller, { ...secret, kid: "ONE", name: "B" });
      const again = await caller.post(path, { key: { ...secret, kid: "one", name: "b" } });
      expectRefusal(again, 400, "[duplicate]key.kid", "[duplicate]key.name");
      expectRefusal(await caller.post(path, { key: { ...secret, kid: "k".repeat(192), name: "C" } }), 400, "[tooLong]key.kid");
      await importKey(caller, { publicKey: p256.publicKey, name: "C" });
      expectRefusal(await caller.post(path, { key: { ...p256, name: "D" } }), 400, "[duplicate]key.kid");
    });
  });
});
