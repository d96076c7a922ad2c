import { createHmac, randomBytes, sign } from "node:crypto";
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { encode, ownPair, signedBy, startForgery, type Workshop } from "../support/forgery.js";
import { edPair, importKey, rsaPair } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";

const path = "/api/jwt/validate";

/** Expects each of these tokens to be refused as any other credential is, by header and by cookie. */
async function expectRefused({ world }: Workshop, tokens: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, token] of Object.entries(tokens)) {
    const ways: readonly Readonly<Record<string, string>>[] = [
      { Authorization: `Bearer ${token}` },
      { Authorization: `JWT ${token}` },
      { Cookie: `access_token=${token}` },
    ];
    for (const headers of ways)
      for (const url of [path, "/api/user"]) {
        const { status, text, headers: sent } = await new Caller(world.identity, headers).get(url);
        expect([name, status, text, sent]).toEqual([name, 401, "", { "cache-control": "no-cache" }]);
      }
  }
}

describe("a forged token", () => {
  requirement(
    ["token.forged", "token.pinned"],
    "is refused when it says that it needs no signature, or another one",
    async () => {
      const shop = await startForgery();
      const { kid, claims, pair } = shop;
      const unsigned = `${encode({ alg: "none", kid, typ: "JWT" })}.${encode(claims)}`;
      const mac = (secret: string | Buffer, alg = "HS256"): string => {
        const input = `${encode({ alg, kid, typ: "JWT" })}.${encode(claims)}`;
        return `${input}.${createHmac(`sha${alg.slice(2)}`, secret)
          .update(input)
          .digest("base64url")}`;
      };
      // Signed by the key as it should be, under a header that says otherwise.
      const lying = (lie: object): string => {
        const input = `${encode({ kid, typ: "JWT", ...lie })}.${encode(claims)}`;
        const key = { key: pair.privateKey, dsaEncoding: "ieee-p1363" } as const;
        return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`;
      };
      expectOk(await bearer(shop, lying({ alg: "ES256" })));
      const der = Buffer.from(pair.publicKey.replace(/-----.*-----|\n/g, ""), "base64");
      await expectRefused(shop, {
        none: `${unsigned}.`,
        "none in capitals": `${encode({ alg: "NONE", kid })}.${encode(claims)}.`,
        "none with a signature": `${unsigned}.${shop.good.split(".")[2]}`,
        "no signature": shop.good.split(".").slice(0, 2).join("."),
        "an empty signature": `${shop.good.split(".").slice(0, 2).join(".")}.`,
        "the public key as a secret": mac(pair.publicKey),
        "the public key as a secret, with its last line end": mac(`${pair.publicKey}\n`),
        "the public key as a secret, in bytes": mac(der),
        "the public key as a secret of HS512": mac(pair.publicKey, "HS512"),
        "an empty secret": mac(""),
        "another algorithm of the same kind": lying({ alg: "ES384" }),
        "the algorithm in small letters": lying({ alg: "es256" }),
        "no algorithm": lying({ alg: undefined }),
        "an algorithm that is a list": lying({ alg: ["ES256"] }),
      });
    },
  );

  requirement("token.forged", "is refused when its key is not one of ours, whatever it is called", async () => {
    const shop = await startForgery();
    const { claims, kid, pair } = shop;
    const { publicKey } = edPair();
    const another = (await shop.world.identity.keys.jwks()).keys.find((jwk) => jwk.kid !== kid)?.kid;
    expect(another).toEqual(expect.any(String));
    const stranger = ownPair();
    const named = (name: unknown): Promise<string> => signedBy(pair, { kid: name }, claims);
    await expectRefused(shop, {
      "another issuer's key by our name": await signedBy(stranger, { kid }, claims),
      "another issuer's key by its name": await signedBy(stranger, { kid: "theirs" }, claims),
      "its own key in the header": await signedBy(stranger, { kid, jwk: stranger.jwk }, claims),
      "an address of its keys": await signedBy(
        stranger,
        { kid, jku: "https://evil.example/jwks.json", x5u: "https://evil.example" },
        claims,
      ),
      "our name in a list": await named([kid]),
      "no name": await named(undefined),
      "an empty name": await named(""),
      "a number": await named(0),
      "the id of a key": await named(shop.keyId),
      "the name of another of our keys": await named(another),
      "a path": await named("../../../../dev/null"),
      "a path to a file of ours": await named("file:///etc/passwd"),
      SQL: await named("' or 1=1 --"),
      "SQL that answers": await named(`x' union select '${publicKey}`),
      "a member of every object": await named("__proto__"),
      "a name with a zero": await named(`${kid}\u0000`),
      "an extension that nobody knows": await signedBy(pair, { kid, crit: ["x"], x: 1 }, claims),
    });
  });

  requirement("token.forged", "is refused when its key only verifies here, or signs nothing any more", async () => {
    const shop = await startForgery();
    const { world, claims } = shop;
    const theirs = ownPair();
    await importKey(world.caller, { publicKey: theirs.publicKey, kid: "theirs" }, uuid(801));
    const rsa = rsaPair();
    await importKey(world.caller, { ...rsa, kid: "rsa" }, uuid(802));
    const foreign = await signedBy(theirs, { kid: "theirs" }, claims);
    const own = await signedBy(rsa, { kid: "rsa" }, claims, "RS256");
    await expectRefused(shop, { "a key that only verifies": foreign });
    expectOk(await bearer(shop, own));
    await expectRefused(shop, { "another algorithm of the key": await signedBy(rsa, { kid: "rsa" }, claims, "PS256") });
    expectEmpty(await world.caller.delete(`/api/key/${uuid(802)}`), 200);
    await expectRefused(shop, { "a removed key": own });
  });

  requirement("token.key-removed", "is refused at once when its key was removed", async () => {
    const shop = await startForgery();
    expectOk(await bearer(shop, shop.good));
    expectEmpty(await shop.world.caller.delete(`/api/key/${shop.keyId}`), 200);
    await expectRefused(shop, { "removed key": shop.good });
  });

  requirement("token.expired", "is refused before its time, after it, and without one or a subject", async () => {
    const shop = await startForgery();
    const { claims, now, world } = shop;
    const sign = (fields: object): Promise<string> => shop.sign({ ...claims, ...fields });
    const last = await sign({ exp: now + 1 });
    expectOk(await bearer(shop, last));
    await expectRefused(shop, {
      "expired by a second": await sign({ exp: now - 1 }),
      "expired now": await sign({ exp: now }),
      "no end": await sign({ exp: undefined }),
      "an end that is null": await sign({ exp: null }),
      "an end that is a text": await sign({ exp: String(now + 3_600) }),
      "an end that is a list": await sign({ exp: [now + 3_600] }),
      "not yet valid": await sign({ nbf: now + 60 }),
      "valid from a text": await sign({ nbf: "now" }),
      "issued tomorrow": await sign({ iat: now + 86_400 }),
      "no subject": await sign({ sub: undefined }),
      "an empty subject": await sign({ sub: "" }),
      "a subject that is a number": await sign({ sub: 1 }),
      "no tenant": await sign({ tid: undefined }),
    });
    // Also one that was found good a moment ago.
    world.clock.advance(1_000);
    await expectRefused(shop, { "expired meanwhile": last });
  });

  requirement("token.forged", "is refused when it is another kind of token of ours", async () => {
    const shop = await startForgery();
    const { claims } = shop;
    const { exp, iat, iss, sub } = claims;
    await expectRefused(shop, {
      "an identity token": await shop.sign({ ...claims, tty: undefined, nonce: "n" }),
      "a token of another type": await shop.sign({ ...claims, tty: "it" }),
      "the signature of a webhook": await shop.sign({ exp, iat, iss, sub, jti: uuid(1), request_body_sha256: "x" }),
      "a refresh token": randomBytes(32).toString("base64url"),
    });
  });

  requirement("token.forged", "is refused when it is not written as tokens are", async () => {
    const shop = await startForgery();
    const [header = "", payload = "", signature = ""] = shop.good.split(".");
    await expectRefused(shop, {
      "a dot at its end": `${shop.good}.`,
      "a dot at its start": `.${shop.good}`,
      "a fourth part": `${shop.good}.${signature}`,
      "five parts": `${header}..${payload}.${signature}.${signature}`,
      "no header": `.${payload}.${signature}`,
      "another spelling of its signature": `${header}.${payload}.${respell(signature)}`,
      padding: `${header}.${payload}.${signature}==`,
      "standard Base64": `${header}.${payload}.${Buffer.from(signature, "base64url").toString("base64")}`,
      "a blank inside": `${header} .${payload}.${signature}`,
      "no base64url": "!!!.###.$$$",
      "a header that is a list": `${encode([])}.${payload}.${signature}`,
      "a header that is no JSON": `${Buffer.from("{").toString("base64url")}.${payload}.${signature}`,
      "claims that are a text": await shop.sign("claims"),
      "claims that are null": await shop.sign(null),
      "bytes that are no text": `${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${payload}.${signature}`,
    });
  });

  requirement("token.long", "is refused when it is 100 kB long, however good its signature", async () => {
    const shop = await startForgery();
    const long = await shop.sign({ ...shop.claims, padding: "x".repeat(100_000) });
    expect(long.length).toBeGreaterThan(100_000);
    await expectRefused(shop, { long, "long and empty": "x".repeat(100_000), "many dots": ".".repeat(100_000) });
  });
});

async function bearer({ world }: Workshop, token: string): Promise<Answer> {
  return new Caller(world.identity, { Authorization: `Bearer ${token}` }).get(path);
}

// The last character of 64 bytes has four bits that say nothing.
function respell(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(signature.slice(-1));
  const other = signature.slice(0, -1) + alphabet[last ^ 1];
  expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(signature, "base64url"));
  return other;
}
