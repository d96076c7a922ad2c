// Nothing vouches for the text of a token before its signature is verified: whatever a database cannot keep ends in a 401 like any other lie.
import { expect } from "vitest";
import { Caller } from "../support/caller.js";
import { sendForm } from "../support/clients.js";
import { encode, signedBy } from "../support/forgery.js";
import { ecPair, importKey, nameForTokens } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid } from "../support/world.js";

/** Texts that a storage refuses, alters or takes for something else. */
const texts: readonly string[] = [
  "\u0000",
  "kid\u0000",
  `${uuid(1)}\u0000`,
  `\u0000${uuid(1)}`,
  "\ud800",
  "\udc00kid",
  `${uuid(1)}\ud800`,
  "\uffff",
  "\u001f",
  "' or 1=1 --",
  "%",
  "__proto__",
  uuid(1).toUpperCase().replace(/0/g, "A"),
  "x".repeat(12_000),
];

const members = [
  "kid",
  "alg",
  "typ",
  "gty",
  "crit",
  "jwk",
  "jku",
  "sub",
  "tid",
  "iss",
  "aud",
  "tty",
  "jti",
  "sid",
  "cnf",
  "exp",
  "nbf",
  "applicationId",
];
const inHeader = new Set(["kid", "alg", "typ", "gty", "crit", "jwk", "jku"]);

// JSON writes a lone surrogate as an escape, which every parser takes.
const toJwt = (header: object, claims: object): string => `${encode(header)}.${encode(claims)}.${"A".repeat(86)}`;

forEachStorage((start) => {
  requirement(
    "token.text",
    "a text in a token that no database keeps is refused like any other lie, on every way in",
    async () => {
      const world = await start();
      const pair = ecPair();
      await importKey(world.caller, { ...pair, kid: "kid" }, uuid(1));
      await nameForTokens(world.caller, world.defaultTenantId, uuid(1));
      const exp = world.clock.instant / 1_000 + 600;
      const header = { alg: "ES256", kid: "kid", typ: "JWT" };
      const claims = { exp, iss: "latchkey", sub: uuid(2), tid: world.defaultTenantId, tty: "at" };
      const tokens: (readonly [string, string])[] = [];
      for (const member of members)
        for (const text of texts)
          for (const value of [text, [text], { jkt: text, kty: text }]) {
            const lie = { [member]: value };
            const [head, body] = inHeader.has(member) ? [{ ...header, ...lie }, claims] : [header, { ...claims, ...lie }];
            tokens.push([member, toJwt(head, body)]);
          }
      for (const text of texts)
        for (const lie of [{ sub: text }, { tid: text }, { iss: text }, { aud: text }])
          tokens.push(["signed", await signedBy(pair, { kid: "kid" }, { ...claims, ...lie })]);
      const good = await signedBy(pair, { kid: "kid" }, claims);
      expect(await world.identity.verifyToken(good)).toMatchObject({ kind: "user" });
      for (const [member, token] of tokens) {
        expect([member, await world.identity.verifyToken(token)]).toEqual([member, undefined]);
        const ways: readonly Readonly<Record<string, string>>[] = [
          { Authorization: `Bearer ${token}` },
          { Authorization: `DPoP ${token}`, DPoP: token },
          { Cookie: `access_token=${token}` },
        ];
        for (const headers of ways) {
          const { status, text } = await new Caller(world.identity, headers).get("/api/jwt/validate");
          expect([member, status, text]).toEqual([member, 401, ""]);
        }
        const asked = await sendForm(world, "/oauth2/introspect", { token, client_id: uuid(3) }, { Authorization: bootstrapKey });
        expect([member, asked.status, asked.text]).toEqual([member, 200, '{"active":false}']);
      }
      expect(world.log).toEqual([]);
      expect(tokens.length).toBeGreaterThan(700);
    },
  );
});
