import { createHmac, type KeyObject, sign } from "node:crypto";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usedProofsTable } from "../../src/records/tables.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import {
  addProofRoutes,
  type ClientKey,
  makeClientKey,
  makeProof,
  makeToken,
  origin,
  presented,
  whoAmI,
} from "../support/dpop.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

addProofRoutes();

/** What stands behind a request with a bad proof. */
interface Scene {
  readonly world: World;
  readonly key: ClientKey;
  readonly other: ClientKey;
  readonly token: string;
  /** A proof that is good, but for what is changed. */
  readonly proof: (changes?: { header?: object; claims?: Readonly<Record<string, unknown>>; by?: ClientKey }) => Promise<string>;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs what no library would. */
function signAnything(header: object, claims: object, key: KeyObject | string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const bytes = Buffer.from(input);
  const signature =
    typeof key === "string"
      ? createHmac("sha256", key).update(input).digest()
      : sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}

const claimsOf = async ({ proof }: Scene): Promise<object> =>
  JSON.parse(Buffer.from((await proof()).split(".")[1] ?? "", "base64url").toString());

const withHeader = async (scene: Scene, changes: object): Promise<string> => {
  const { jwk, privateKey } = scene.key;
  return signAnything({ typ: "dpop+jwt", alg: "ES256", jwk, ...changes }, await claimsOf(scene), privateKey);
};

const withClaims =
  (claims: Readonly<Record<string, unknown>>) =>
  ({ proof }: Scene): Promise<string> =>
    proof({ claims });

const flip = (text: string): string => (text.startsWith("A") ? `B${text.slice(1)}` : `A${text.slice(1)}`);

type BadProof = (scene: Scene) => Promise<string>;

const badProofs: Readonly<Record<string, BadProof>> = {
  empty: async () => "",
  "no JWS": async () => "proof",
  "two proofs in one header": async ({ proof }) => `${await proof()}, ${await proof()}`,
  "a dot more": async ({ proof }) => `${await proof()}.`,
  "a part more": async ({ proof }) => `${await proof()}.AAAA`,
  "a part less": async ({ proof }) => (await proof()).split(".").slice(0, 2).join("."),
  "a blank in front": async ({ proof }) => ` ${await proof()}`,
  padding: async ({ proof }) => `${await proof()}==`,
  "a changed signature": async ({ proof }) => (await proof()).replace(/[^.]+$/, flip),
  "a signature of nothing": async ({ proof }) => (await proof()).replace(/[^.]+$/, ""),
  "a signature in DER": async ({ key, proof }) => {
    const input = (await proof()).split(".").slice(0, 2).join(".");
    return `${input}.${sign("sha256", Buffer.from(input), key.privateKey).toString("base64url")}`;
  },
  "claims that are no object": async ({ key }) =>
    signAnything({ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk }, ["proof"], key.privateKey),
  "signed by another key than it shows": ({ key, other, proof }) => proof({ by: other, header: { jwk: key.jwk } }),
  "of another key than the token's": ({ other, proof }) => proof({ by: other }),
  "the type JWT": (scene) => withHeader(scene, { typ: "JWT" }),
  "the type in capitals": (scene) => withHeader(scene, { typ: "DPOP+JWT" }),
  "no type": (scene) => withHeader(scene, { typ: undefined }),
  "no algorithm": (scene) => withHeader(scene, { alg: undefined }),
  "the algorithm none": async (scene) => (await withHeader(scene, { alg: "none" })).replace(/[^.]+$/, ""),
  "HS256 by the public key": async (scene) =>
    signAnything({ typ: "dpop+jwt", alg: "HS256", jwk: scene.key.jwk }, await claimsOf(scene), JSON.stringify(scene.key.jwk)),
  "HS256 by a secret in the header": async (scene) =>
    signAnything({ typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } }, await claimsOf(scene), "secret"),
  "an algorithm of another curve": (scene) => withHeader(scene, { alg: "ES384" }),
  "a critical extension": (scene) => withHeader(scene, { crit: ["b64"], b64: true }),
  "no key": (scene) => withHeader(scene, { jwk: undefined }),
  "a key by its id": (scene) => withHeader(scene, { jwk: undefined, kid: scene.key.thumbprint }),
  "a private key": (scene) => withHeader(scene, { jwk: scene.key.privateKey.export({ format: "jwk" }) }),
  "a key that is a text": (scene) => withHeader(scene, { jwk: "key" }),
  "a key off its curve": (scene) => withHeader(scene, { jwk: { ...scene.key.jwk, y: Object(scene.other.jwk).y } }),
  "a coordinate with a zero in front": (scene) => {
    const x = Buffer.from(`00${Buffer.from(Object(scene.key.jwk).x, "base64url").toString("hex")}`, "hex").toString("base64url");
    return withHeader(scene, { jwk: { ...scene.key.jwk, x } });
  },
  "a coordinate that is a number": (scene) => withHeader(scene, { jwk: { ...scene.key.jwk, x: 1 } }),
  "no jti": withClaims({ jti: undefined }),
  "an empty jti": withClaims({ jti: "" }),
  "a jti that is a number": withClaims({ jti: 1 }),
  "a huge jti": withClaims({ jti: "j".repeat(257) }),
  "a proof of 9 KB": withClaims({ padding: "p".repeat(9_000) }),
  "no htm": withClaims({ htm: undefined }),
  "another method": withClaims({ htm: "POST" }),
  "the method in lower case": withClaims({ htm: "get" }),
  "no htu": withClaims({ htu: undefined }),
  "another path": withClaims({ htu: `${origin}/api/group` }),
  "another host": withClaims({ htu: `http://other.example${whoAmI}` }),
  "another port": withClaims({ htu: `http://localhost:8080${whoAmI}` }),
  "another scheme": withClaims({ htu: `https://localhost${whoAmI}` }),
  "a path alone": withClaims({ htu: whoAmI }),
  "an htu that is a list": withClaims({ htu: [origin + whoAmI] }),
  "no iat": withClaims({ iat: undefined }),
  "an iat that is a text": ({ world, proof }) => proof({ claims: { iat: String(world.clock.now() / 1_000) } }),
  "an iat of 61 s ago": ({ world, proof }) => proof({ claims: { iat: world.clock.now() / 1_000 - 61 } }),
  "an iat in 61 s": ({ world, proof }) => proof({ claims: { iat: world.clock.now() / 1_000 + 61 } }),
  "an iat in milliseconds": ({ world, proof }) => proof({ claims: { iat: world.clock.now() } }),
  "an exp that is over": ({ world, proof }) => proof({ claims: { exp: world.clock.now() / 1_000 - 61 } }),
  "an nbf to come": ({ world, proof }) => proof({ claims: { nbf: world.clock.now() / 1_000 + 61 } }),
  "no ath": withClaims({ ath: undefined }),
  "the ath of another token": withClaims({ ath: "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" }),
  "the token itself as its ath": ({ token, proof }) => proof({ claims: { ath: token } }),
};

async function setScene(world: World): Promise<Scene> {
  const [key, other] = [await makeClientKey(), await makeClientKey()];
  const token = await makeToken(world, key);
  const proof: Scene["proof"] = ({ by = key, ...wish } = {}) => makeProof(by, { token, now: world.clock.now() }, wish);
  return { world, key, other, token, proof };
}

forEachStorage((start) => {
  describe("a proof", () => {
    requirement(
      ["dpop.proof", "dpop.kept"],
      `that is bad in one of ${Object.keys(badProofs).length} ways is an empty 401`,
      async () => {
        const scene = await setScene(await start());
        const { world, token } = scene;
        const ask = async (proof: string): ReturnType<World["caller"]["get"]> =>
          world.as("").with(presented(token, proof)).get(whoAmI);
        const wrong: string[] = [];
        for (const [name, make] of Object.entries(badProofs)) {
          const answer = await ask(await make(scene));
          if (answer.status !== 401 || answer.text !== "") wrong.push(`${name}: ${answer.status}`);
        }
        expect(wrong).toEqual([]);
        expect(Object.keys(badProofs).length).toBeGreaterThanOrEqual(25);
        // Nothing of all that was kept, and the good one still counts.
        expect(await world.storage.find(globalScope, usedProofsTable, undefined)).toEqual([]);
        expectOk(await ask(await scene.proof()));
        expect(world.log).toEqual([]);
      },
    );

    requirement("dpop.proof", "by an RSA key that is too short is an empty 401, bound or not", async () => {
      const world = await start();
      const now = world.clock.now();
      for (const [bits, status] of [
        [1_024, 401],
        [2_048, 200],
      ] as const) {
        const short = await makeClientKey("RS256", bits);
        const token = await makeToken(world, short);
        const good = await makeProof({ ...short, privateKey: (await makeClientKey("RS256")).privateKey }, { token, now });
        const input = good.split(".").slice(0, 2).join(".");
        const signature = sign("sha256", Buffer.from(input), short.privateKey).toString("base64url");
        const answer = await world
          .as("")
          .with(presented(token, `${input}.${signature}`))
          .get(whoAmI);
        expect([bits, answer.status]).toEqual([bits, status]);
      }
    });

    requirement("dpop.proof", "that is missing, or comes twice, is an empty 401", async () => {
      const { world, token, proof } = await setScene(await start());
      const headers = { host: "localhost", authorization: `DPoP ${token}` };
      const request = { method: "GET", path: whoAmI, query: "", headers };
      const ask = async (dpop: string | readonly string[] | undefined, rawHeaders: readonly string[] = []): Promise<unknown> =>
        (await world.identity.handle({ ...request, headers: { ...headers, dpop }, rawHeaders }))?.status;
      expect(await ask(undefined)).toBe(401);
      expect(await ask([await proof(), await proof()])).toBe(401);
      expect(await ask([await proof()])).toBe(401);
      const good = await proof();
      expect(await ask(good, ["DPoP", good, "host", "localhost", "dpop", "x"])).toBe(401);
      expect(await ask(good, ["DPoP", good, "host", "localhost"])).toBe(200);
    });

    requirement("dpop.proof", "does not count without the host that was called", async () => {
      const { world, token, proof } = await setScene(await start());
      const ask = async (host: string): Promise<number> =>
        (
          await world
            .as("")
            .with({ ...presented(token, await proof()), host })
            .get(whoAmI)
        ).status;
      for (const host of ["", "localhost/x", "localhost?", "other@localhost", "local host", "localhost:http", "a, localhost"])
        expect([host, await ask(host)]).toEqual([host, 401]);
      expect(await ask("LOCALHOST:80")).toBe(200);
      expectEmpty(await world.as("").with(presented(token, "x")).get(whoAmI), 401);
    });
  });
});
