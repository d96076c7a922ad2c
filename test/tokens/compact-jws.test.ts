import { createSecretKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { compactVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { type CompactJws, isSignedBy, maxTokenLength, parseJws, signJws } from "../../src/tokens/compact-jws.js";

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const secret = (length: number): Pair => {
  const key = createSecretKey(Buffer.alloc(length, 7));
  return { privateKey: key, publicKey: key };
};

const curve = (namedCurve: string): Pair => generateKeyPairSync("ec", { namedCurve });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });

const pairs: Readonly<Record<string, Pair>> = {
  ES256: curve("prime256v1"),
  ES384: curve("secp384r1"),
  ES512: curve("secp521r1"),
  EdDSA: generateKeyPairSync("ed25519"),
  HS256: secret(32),
  HS384: secret(48),
  HS512: secret(64),
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
};

const claims = { sub: "Jos\u00e9", exp: 1_900_000_000, roles: ["a", "b"] };

const parse = (token: string): CompactJws => {
  const jws = parseJws(token);
  if (jws === undefined) throw new Error(`no JWS: ${token}`);
  return jws;
};

describe.each(Object.entries(pairs))("%s", (alg, { privateKey, publicKey }) => {
  test("signs what another implementation verifies", async () => {
    const token = await signJws(alg, privateKey, { kid: "k", typ: "JWT" }, claims);
    const { payload, protectedHeader } = await compactVerify(token, publicKey);
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
    expect(protectedHeader).toEqual({ alg, kid: "k", typ: "JWT" });
  });

  test("verifies what another implementation signs, and nothing that was changed", async () => {
    const token = await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey);
    const jws = parse(token);
    expect([isSignedBy(alg, publicKey, jws), jws.payload]).toEqual([true, claims]);
    const signature = Buffer.from(jws.signature);
    signature[3] = (signature[3] ?? 0) ^ 1;
    for (const wrong of [signature, Buffer.alloc(0), jws.signature.subarray(1), Buffer.concat([jws.signature, jws.signature])])
      expect(isSignedBy(alg, publicKey, { ...jws, signature: wrong })).toBe(false);
    expect(isSignedBy(alg, publicKey, { ...jws, signingInput: `${jws.signingInput}A` })).toBe(false);
  });

  test("takes no signature by another algorithm or key", async () => {
    const jws = parse(await signJws(alg, privateKey, {}, claims));
    const others = Object.entries(pairs).filter(([other]) => other !== alg);
    for (const [other, pair] of others) {
      expect(isSignedBy(other, pair.publicKey, jws)).toBe(false);
      if (!alg.startsWith("HS") && !other.startsWith("HS")) expect(isSignedBy(other, publicKey, jws)).toBe(false);
    }
    for (const unknown of ["none", "None", "", "constructor", "ES256K", "PS256"])
      expect(isSignedBy(unknown, publicKey, jws)).toBe(false);
  });
});

test("a signature that spells the same numbers as DER is none", async () => {
  const { privateKey, publicKey } = pairs.ES256 as Pair;
  const jws = parse(await signJws("ES256", privateKey, {}, claims));
  const [r, s] = [jws.signature.subarray(0, 32), jws.signature.subarray(32)];
  const integer = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([2, 33, 0]), bytes]);
  const der = Buffer.concat([Buffer.from([48, 70]), integer(r), integer(s)]);
  expect(isSignedBy("ES256", publicKey, { ...jws, signature: der })).toBe(false);
});

test("a key does not sign by an algorithm of others", async () => {
  await expect(signJws("RS256", (pairs.ES256 as Pair).privateKey, {}, claims)).rejects.toThrow("RS256");
  await expect(signJws("none", (pairs.ES256 as Pair).privateKey, {}, claims)).rejects.toThrow("none");
});

const token = await signJws("EdDSA", (pairs.EdDSA as Pair).privateKey, { typ: "JWT" }, claims);

describe("a text", () => {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const encode = (text: string | Buffer): string => Buffer.from(text).toString("base64url");

  test.each([
    ["", "empty"],
    [`${header}.${payload}`, "two parts"],
    [`${token}.`, "a dot too many"],
    [`${token}.${signature}`, "four parts"],
    [`${header}..${signature}`, "no payload"],
    [`${header}.${payload}.`, "no signature"],
    [` ${token}`, "a blank before"],
    [`${token}\n`, "a line end behind"],
    [`${header}=.${payload}.${signature}`, "padding"],
    [`${header}.${payload}.${signature.replaceAll("-", "+").replaceAll("_", "/")}+`, "the other alphabet"],
    [`${encode("[]")}.${payload}.${signature}`, "an array as header"],
    [`${encode("null")}.${payload}.${signature}`, "null as header"],
    [`${header}.${encode('"x"')}.${signature}`, "a text as payload"],
    [`${header}.${encode("{")}.${signature}`, "broken JSON"],
    [`${header}.${encode(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))}.${signature}`, "bytes that are not UTF-8"],
    [`${header}.${encode(`\ufeff${JSON.stringify(claims)}`)}.${signature}`, "a byte order mark"],
    ["A".repeat(maxTokenLength + 1), "too long"],
  ])("%# is no JWS: %s", (text) => {
    expect(parseJws(text)).toBeUndefined();
  });

  test("with spare bits set in its last character is another spelling, and no JWS", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const spare = alphabet[alphabet.indexOf(signature.at(-1) ?? "") + 1] ?? "";
    expect(Buffer.from(signature.slice(0, -1) + spare, "base64url")).toEqual(Buffer.from(signature, "base64url"));
    expect(parseJws(`${header}.${payload}.${signature.slice(0, -1)}${spare}`)).toBeUndefined();
  });

  test("of any kind is refused without a throw", () => {
    const part = fc.oneof(fc.base64String(), fc.string(), fc.json().map(encode));
    fc.assert(fc.property(fc.array(part, { maxLength: 5 }), (parts) => void parseJws(parts.join("."))));
  });
});
