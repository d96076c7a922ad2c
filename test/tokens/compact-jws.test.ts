import { createSecretKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { compactVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { type CompactJws, isSignedBy, maxTokenLength, parseJws, signJws } from "../../src/security/compact-jws.js";
import { fc } from "../support/properties.js";

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

const parse = async (token: string): Promise<CompactJws> => {
  const jws = await parseJws(token);
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
    const jws = await parse(token);
    expect([await isSignedBy(alg, publicKey, jws), jws.payload]).toEqual([true, claims]);
    const [input, signature] = [token.slice(0, token.lastIndexOf(".")), signatureOf(token)];
    const changed = Buffer.from(signature);
    changed[3] = (changed[3] ?? 0) ^ 1;
    for (const wrong of [changed, Buffer.alloc(0), signature.subarray(1), Buffer.concat([signature, signature])])
      expect(await isSignedBy(alg, publicKey, { ...jws, token: `${input}.${wrong.toString("base64url")}` })).toBe(false);
    expect(await isSignedBy(alg, publicKey, { ...jws, token: `${input}A.${signature.toString("base64url")}` })).toBe(false);
  });

  test("takes no signature by another algorithm or key", async () => {
    const jws = await parse(await signJws(alg, privateKey, {}, claims));
    const others = Object.entries(pairs).filter(([other]) => other !== alg);
    for (const [other, pair] of others) {
      expect(await isSignedBy(other, pair.publicKey, jws)).toBe(false);
      if (!alg.startsWith("HS") && !other.startsWith("HS")) expect(await isSignedBy(other, publicKey, jws)).toBe(false);
    }
    for (const unknown of ["none", "None", "", "constructor", "ES256K", "PS256"])
      expect(await isSignedBy(unknown, publicKey, jws)).toBe(false);
  });
});

function signatureOf(token: string): Buffer {
  return Buffer.from(token.slice(token.lastIndexOf(".") + 1), "base64url");
}

test("a signature that spells the same numbers as DER is none", async () => {
  const { privateKey, publicKey } = pairs.ES256 as Pair;
  const token = await signJws("ES256", privateKey, {}, claims);
  const [r, s] = [signatureOf(token).subarray(0, 32), signatureOf(token).subarray(32)];
  const integer = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([2, 33, 0]), bytes]);
  const der = Buffer.concat([Buffer.from([48, 70]), integer(r), integer(s)]);
  const jws = await parse(`${token.slice(0, token.lastIndexOf("."))}.${der.toString("base64url")}`);
  expect(await isSignedBy("ES256", publicKey, jws)).toBe(false);
});

test("a key does not sign by an algorithm of others", async () => {
  await expect(signJws("RS256", (pairs.ES256 as Pair).privateKey, {}, claims)).rejects.toThrow();
  await expect(signJws("none", (pairs.ES256 as Pair).privateKey, {}, claims)).rejects.toThrow();
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
  ])("%# is no JWS: %s", async (text) => {
    expect(await parseJws(text)).toBeUndefined();
  });

  test("with spare bits set in its last character is another spelling, and no JWS", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const spare = alphabet[alphabet.indexOf(signature.at(-1) ?? "") + 1] ?? "";
    expect(Buffer.from(signature.slice(0, -1) + spare, "base64url")).toEqual(Buffer.from(signature, "base64url"));
    expect(await parseJws(`${header}.${payload}.${signature.slice(0, -1)}${spare}`)).toBeUndefined();
  });

  test("of any kind is refused without a throw", async () => {
    const part = fc.oneof(fc.base64String(), fc.string(), fc.json().map(encode));
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => void (await parseJws(parts.join(".")))));
  });
});

test("the library is loaded with the first token, from one place", () => {
  const sources = globSync("src/**/*.ts").map((path) => [path, readFileSync(path, "utf8")] as const);
  const loading = sources.filter(([, text]) => /^(import (?!type\b).*|\} )from "jose"|import\("jose"\)/m.test(text));
  expect(loading.map(([path]) => path)).toEqual(["src/security/compact-jws.ts"]);
  expect(readFileSync("src/security/compact-jws.ts", "utf8")).not.toMatch(/^import (?!type\b).*"jose"/m);
});
