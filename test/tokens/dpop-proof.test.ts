import { KeyObject, randomBytes, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ProofKeys, type ProofTarget, verifyProof } from "../../src/sessions/tokens/dpop-proof.js";
import { type ClientKey, makeClientKey, makeProof } from "../support/dpop.js";
import { requirement } from "../support/requirement.js";

/** The header of all proofs in RFC 9449, and the thumbprint of its key as section 6.1 prints it. */
const rfcHeader =
  "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19";
const rfcThumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
const rfcToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
const tokenUrl = { method: "POST", url: "https://server.example.com/token" };

const rfcProofs: readonly (readonly [section: string, proof: string, jti: string, target: ProofTarget])[] = [
  [
    "4.1 and 5",
    "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg",
    "-BwC3ESc6acc2lTc",
    { ...tokenUrl, now: 1_562_262_616_000 },
  ],
  [
    "5 (refresh)",
    "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjY1Mjk2fQ.pAqut2IRDm_De6PR93SYmGBPXpwrAk90e8cP2hjiaG5QsGSuKDYW7_X620BxqhvYC8ynrrvZLTk41mSRroapUA",
    "-BwC3ESc6acc2lTc",
    { ...tokenUrl, now: 1_562_265_296_000 },
  ],
  [
    "7.1",
    "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA",
    "e1j3V_bKic8-LAEB",
    {
      method: "GET",
      url: "https://resource.example.org/protectedresource",
      now: 1_562_262_618_000,
      bound: { token: rfcToken, thumbprint: rfcThumbprint },
    },
  ],
];

describe.each(rfcProofs)("the proof of RFC 9449, %s", (_section, rest, jti, target) => {
  const check = (changes: Partial<ProofTarget> = {}): Promise<unknown> =>
    verifyProof(new ProofKeys(), `${rfcHeader}.${rest}`, { ...target, ...changes });

  requirement("dpop.examples", "is good for its request, and the key's thumbprint is the printed one", async () => {
    expect(await check()).toEqual({ thumbprint: rfcThumbprint, jti });
    const url = target.url.replace("https://", "HTTPS://").replace(/example\.\w+/, "$&:443");
    expect(await check({ url })).toEqual({ thumbprint: rfcThumbprint, jti });
  });

  requirement(["dpop.examples", "dpop.window"], "is good for 60 s around its instant, and for nothing else", async () => {
    for (const apart of [-60_000, 60_000])
      expect(await check({ now: target.now + apart })).toEqual({ thumbprint: rfcThumbprint, jti });
    for (const apart of [-60_001, 60_001]) expect(await check({ now: target.now + apart })).toBeUndefined();
    expect(await check({ method: "PUT" })).toBeUndefined();
    expect(await check({ method: target.method.toLowerCase() })).toBeUndefined();
    expect(await check({ url: `${target.url}/` })).toBeUndefined();
    expect(await check({ url: target.url.replace("https:", "http:") })).toBeUndefined();
    expect(await check({ bound: { token: `${rfcToken}x`, thumbprint: rfcThumbprint } })).toBeUndefined();
    expect(await check({ bound: { token: rfcToken, thumbprint: `1${rfcThumbprint.slice(1)}` } })).toBeUndefined();
  });
});

const now = 1_700_000_000_000;
const target: ProofTarget = { method: "GET", url: "https://id.example.com/api/group", now };
const sign = (key: ClientKey, claims = {}, header = {}): Promise<string> => makeProof(key, target, { claims, header });

describe("the URL of a proof", () => {
  test.each([
    ["https://ID.example.COM/api/group", true],
    ["https://id.example.com:443/api/group", true],
    ["https://id.example.com/api/x/../group", true],
    ["https://id.example.com/api/%67roup", true],
    ["https://id.example.com/api/group?a=b", true],
    ["https://id.example.com/api/group#a", true],
    ["https://id.example.com:8443/api/group", false],
    ["http://id.example.com/api/group", false],
    ["https://id.example.com/API/group", false],
    ["https://id.example.com//api/group", false],
    ["https://id.example.com/api%2Fgroup", false],
    ["https://someone@id.example.com/api/group", false],
    ["https://id.example.com\\api\\group", false],
    [" https://id.example.com/api/group", false],
    ["https://id.example.com/api/gro\nup", false],
    ["https://id.example.com./api/group", false],
    ["//id.example.com/api/group", false],
    ["/api/group", false],
    ["", false],
  ])("%j names the one that was called: %s", async (htu, isSame) => {
    const key = await makeClientKey();
    expect((await verifyProof(new ProofKeys(), await sign(key, { htu }), target)) !== undefined).toBe(isSame);
  });

  test("is compared by the octets that are encoded in it", async () => {
    const key = await makeClientKey();
    const proof = await sign(key, { htu: "https://id.example.com/api/%e9%2f" });
    expect(await verifyProof(new ProofKeys(), proof, { ...target, url: "https://id.example.com/api/%E9%2F" })).toMatchObject({
      thumbprint: key.thumbprint,
    });
    expect(await verifyProof(new ProofKeys(), proof, { ...target, url: "https://id.example.com/api/%E9/" })).toBeUndefined();
  });
});

describe("the key of a proof", () => {
  requirement("dpop.algorithms", "is of every kind that JOSE signs with", async () => {
    for (const alg of ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]) {
      const key = await makeClientKey(alg);
      expect([alg, await verifyProof(new ProofKeys(), await sign(key), target)]).toMatchObject([
        alg,
        { thumbprint: key.thumbprint },
      ]);
    }
  });

  requirement("dpop.algorithms", "fits the algorithm that the header names", async () => {
    const [small, rsa, edwards] = [await makeClientKey("ES256"), await makeClientKey("RS256"), await makeClientKey("EdDSA")];
    const rest = (await sign(small)).split(".").slice(1).join(".");
    const headers = [
      { typ: "dpop+jwt", alg: "ES384", jwk: small.jwk },
      { typ: "dpop+jwt", alg: "ES256", jwk: rsa.jwk },
      { typ: "dpop+jwt", alg: "RS256", jwk: edwards.jwk },
      { typ: "dpop+jwt", alg: "constructor", jwk: small.jwk },
      { typ: "dpop+jwt", alg: ["ES256"], jwk: small.jwk },
    ];
    for (const header of headers) {
      const first = Buffer.from(JSON.stringify(header)).toString("base64url");
      expect([header.alg, await verifyProof(new ProofKeys(), `${first}.${rest}`, target)]).toEqual([header.alg, undefined]);
    }
  });

  test("is imported once and found again, up to a thousand of them", async () => {
    const keys = new ProofKeys();
    const first = await makeClientKey("EdDSA");
    const imported = await keys.find("EdDSA", first.jwk);
    expect(await keys.find("EdDSA", { ...first.jwk, alg: "EdDSA", kid: "x" })).toBe(imported);
    const findOther = () => keys.find("EdDSA", { ...first.jwk, x: randomBytes(32).toString("base64url") });
    for (let count = 0; count < 999; count++) expect(await findOther()).toMatchObject({ key: { type: "public" } });
    expect(await keys.find("EdDSA", first.jwk)).toBe(imported);
    for (let count = 0; count < 1_000; count++) await findOther();
    const again = await keys.find("EdDSA", first.jwk);
    expect(again).not.toBe(imported);
    expect(again?.thumbprint).toBe(first.thumbprint);
  });

  test("verifies as the runtime does", async () => {
    const key = await makeClientKey("ES256");
    const proof = await sign(key);
    const [header = "", payload = "", signature = ""] = proof.split(".");
    const found = (await new ProofKeys().find("ES256", key.jwk)) ?? expect.fail();
    const input = { key: KeyObject.from(found.key), dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", Buffer.from(`${header}.${payload}`), input, Buffer.from(signature, "base64url"))).toBe(true);
  });
});
