import { createHmac, randomBytes, sign } from "node:crypto";
import { expect } from "vitest";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk } from "./answer.js";
import { Caller } from "./caller.js";
import { encode, ownPair, signedBy, type Workshop } from "./forgery.js";
import { edPair, importKey, nameForTokens, rsaPair } from "./keys.js";
import { uuid } from "./world.js";

/** Tokens that must be refused, by their fault. */
export type Forgeries = Readonly<Record<string, string>>;

/** A correctly signed token with a false header. */
export function lyingToken({ claims, header, kid, pair }: Workshop, lie: object): string {
  const input = `${encode({ kid, typ: "JWT", ...header, ...lie })}.${encode(claims)}`;
  const key = { key: pair.privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`;
}

/** Tokens with a header for no signature, or for another one. */
export function forgeSignatures(shop: Workshop): Forgeries {
  const { claims, header, kid, pair } = shop;
  const unsigned = `${encode({ alg: "none", kid, typ: "JWT", ...header })}.${encode(claims)}`;
  const mac = (secret: string | Buffer, alg = "HS256"): string => {
    const input = `${encode({ alg, kid, typ: "JWT", ...header })}.${encode(claims)}`;
    return `${input}.${createHmac(`sha${alg.slice(2)}`, secret)
      .update(input)
      .digest("base64url")}`;
  };
  const der = Buffer.from(pair.publicKey.replace(/-----.*-----|\n/g, ""), "base64");
  return {
    none: `${unsigned}.`,
    "none in capitals": `${encode({ alg: "NONE", kid, ...header })}.${encode(claims)}.`,
    "none with a signature": `${unsigned}.${shop.good.split(".")[2]}`,
    "no signature": shop.good.split(".").slice(0, 2).join("."),
    "an empty signature": `${shop.good.split(".").slice(0, 2).join(".")}.`,
    "the public key as a secret": mac(pair.publicKey),
    "the public key as a secret, with its last line end": mac(`${pair.publicKey}\n`),
    "the public key as a secret, in bytes": mac(der),
    "the public key as a secret of HS512": mac(pair.publicKey, "HS512"),
    "an empty secret": mac(""),
    "another algorithm of the same kind": lyingToken(shop, { alg: "ES384" }),
    "the algorithm in small letters": lyingToken(shop, { alg: "es256" }),
    "no algorithm": lyingToken(shop, { alg: undefined }),
    "an algorithm that is a list": lyingToken(shop, { alg: ["ES256"] }),
  };
}

/** Tokens of foreign keys under any key name. */
export async function forgeKeys({ claims, header, keyId, kid, pair, world }: Workshop): Promise<Forgeries> {
  const { publicKey } = edPair();
  const another = (await world.identity.keys.jwks()).keys.find((jwk) => jwk.kid !== kid)?.kid;
  expect(another).toEqual(expect.any(String));
  const stranger = ownPair();
  const by = (maker: typeof pair, words: object): Promise<string> => signedBy(maker, { ...header, ...words }, claims);
  const named = (name: unknown): Promise<string> => by(pair, { kid: name });
  return {
    "another issuer's key by our name": await by(stranger, { kid }),
    "another issuer's key by its name": await by(stranger, { kid: "theirs" }),
    "its own key in the header": await by(stranger, { kid, jwk: stranger.jwk }),
    "an address of its keys": await by(stranger, { kid, jku: "https://evil.example/jwks.json", x5u: "https://evil.example" }),
    "our name in a list": await named([kid]),
    "no name": await named(undefined),
    "an empty name": await named(""),
    "a number": await named(0),
    "the id of a key": await named(keyId),
    "the name of another of our keys": await named(another),
    "a path": await named("../../../../dev/null"),
    "a path to a file of ours": await named("file:///etc/passwd"),
    SQL: await named("' or 1=1 --"),
    "SQL that answers": await named(`x' union select '${publicKey}`),
    "a member of every object": await named("__proto__"),
    "a name with a zero": await named(`${kid}\u0000`),
    "an extension that nobody knows": await by(pair, { kid, crit: ["x"], x: 1 }),
  };
}

/** Tokens of verify-only keys, which cannot be named for tokens, and of removed keys. */
export async function forgeByOldKeys({ claims, header, world }: Workshop): Promise<Forgeries> {
  const theirs = ownPair();
  await importKey(world.caller, { publicKey: theirs.publicKey, kid: "theirs" }, uuid(801));
  const rsa = rsaPair();
  await importKey(world.caller, { ...rsa, kid: "rsa" }, uuid(802));
  for (const keyId of [uuid(802), defaultSigningKeyId]) await nameForTokens(world.caller, world.defaultTenantId, keyId);
  const own = await signedBy(rsa, { kid: "rsa", ...header }, claims, "RS256");
  const other = await signedBy(rsa, { kid: "rsa", ...header }, claims, "PS256");
  const bearer = new Caller(world.identity, { Authorization: `Bearer ${own}` });
  expectOk(await bearer.get("/api/jwt/validate"));
  expectEmpty(await new Caller(world.identity, { Authorization: `Bearer ${other}` }).get("/api/jwt/validate"), 401);
  expectEmpty(await world.caller.delete(`/api/key/${uuid(802)}`), 200);
  return {
    "a key that only verifies": await signedBy(theirs, { kid: "theirs", ...header }, claims),
    "another algorithm of the key": other,
    "a removed key": own,
  };
}

/** Tokens before their time or after it, or without an expiry, subject or tenant. */
export async function forgeClaims({ claims, now, sign }: Workshop): Promise<Forgeries> {
  const signed = (fields: object): Promise<string> => sign({ ...claims, ...fields });
  return {
    "expired by a second": await signed({ exp: now - 1 }),
    "expired now": await signed({ exp: now }),
    "no end": await signed({ exp: undefined }),
    "an end that is null": await signed({ exp: null }),
    "an end that is a text": await signed({ exp: String(now + 3_600) }),
    "an end that is a list": await signed({ exp: [now + 3_600] }),
    "not yet valid": await signed({ nbf: now + 60 }),
    "valid from a text": await signed({ nbf: "now" }),
    "issued tomorrow": await signed({ iat: now + 86_400 }),
    "no subject": await signed({ sub: undefined }),
    "an empty subject": await signed({ sub: "" }),
    "a subject that is a number": await signed({ sub: 1 }),
    "no tenant": await signed({ tid: undefined }),
  };
}

/** Other kinds of JWTs of the service; needs a workshop of a user. */
export async function forgeKinds({ claims, sign }: Workshop): Promise<Forgeries> {
  const { exp, iat, iss, sub } = claims;
  return {
    "an identity token": await sign({ ...claims, tty: undefined, nonce: "n" }),
    "a token of another type": await sign({ ...claims, tty: "it" }),
    "the signature of a webhook": await sign({ exp, iat, iss, sub, jti: uuid(1), request_body_sha256: "x" }),
    "a refresh token": randomBytes(32).toString("base64url"),
  };
}

/** Malformed tokens. */
export async function forgeSpellings({ good, sign }: Workshop): Promise<Forgeries> {
  const [header = "", payload = "", signature = ""] = good.split(".");
  return {
    "a dot at its end": `${good}.`,
    "a dot at its start": `.${good}`,
    "a fourth part": `${good}.${signature}`,
    "five parts": `${header}..${payload}.${signature}.${signature}`,
    "no header": `.${payload}.${signature}`,
    "another spelling of its signature": `${header}.${payload}.${respell(signature)}`,
    padding: `${header}.${payload}.${signature}==`,
    "standard Base64": `${header}.${payload}.${Buffer.from(signature, "base64url").toString("base64")}`,
    "a blank inside": `${header} .${payload}.${signature}`,
    "no base64url": "!!!.###.$$$",
    "a header that is a list": `${encode([])}.${payload}.${signature}`,
    "a header that is no JSON": `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`,
    "claims that are a text": await sign("claims"),
    "claims that are null": await sign(null),
    "bytes that are no text": `${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${payload}.${signature}`,
  };
}

/** Tokens of 100 kB, some with a valid signature. */
export async function forgeLong({ claims, sign }: Workshop): Promise<Forgeries> {
  const long = await sign({ ...claims, padding: "x".repeat(100_000) });
  expect(long.length).toBeGreaterThan(100_000);
  return { long, "long and empty": "x".repeat(100_000), "many dots": ".".repeat(100_000) };
}

// The last character of a signature of 64 bytes has four unused bits.
function respell(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(signature.slice(-1));
  const other = signature.slice(0, -1) + alphabet[last ^ 1];
  expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(signature, "base64url"));
  return other;
}
