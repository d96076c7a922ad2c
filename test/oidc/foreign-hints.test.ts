// An `id_token_hint` that has the form of an ID token of the client, and was made by another issuer or by another key.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, callback, completeLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

interface ImportedKey {
  readonly id: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

async function importKey({ identity }: ProviderWorld, kid: string): Promise<ImportedKey> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pems = {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
  const { key } = await identity.keys.import({ key: { name: kid, kid, algorithm: "RS256", ...pems } });
  return { id: key.id, kid, privateKey };
}

function sign(claims: JWTPayload, { kid, privateKey }: ImportedKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, typ: "JWT" }).sign(privateKey);
}

async function useKey({ identity, tenantId }: ProviderWorld, { id }: ImportedKey): Promise<void> {
  await identity.tenants.patch({ tenantId, patch: { tenant: { jwtConfiguration: { idTokenKeyId: id } } } });
}

/** A provider with a key of its own, a browser that logged in, and its ID token. */
async function startSigned() {
  const world = await startProvider(memoryStorage());
  const own = await importKey(world, "own");
  await useKey(world, own);
  const config = await discover(world);
  const browser = new Browser();
  const { id_token = "" } = await completeLogin(config, {}, browser);
  const logout = async (hint: string): Promise<number> => {
    const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: callback });
    return (await browser.send(`${world.publicUrl}/oauth2/logout?${query}`)).status;
  };
  const authorize = async (hint: string): Promise<string | null> => {
    const { url } = await browser.follow((await beginLogin(config, { id_token_hint: hint, prompt: "none" })).url);
    return url.searchParams.has("code") ? "code" : url.searchParams.get("error");
  };
  return {
    world,
    own,
    claims: decodeJwt(id_token),
    answers: async (hint: string) => [await logout(hint), await authorize(hint)],
  };
}

requirement("openid.wrong-hint", "a hint that another issuer or a key without that purpose made is refused", async () => {
  const { answers, claims, own, world } = await startSigned();
  const ofOther = await importKey(world, "other");
  await world.identity.tenants.create({ tenant: { name: "Other", jwtConfiguration: { idTokenKeyId: ofOther.id } } });
  const { aud, exp, iat, iss, jti, sub, tid } = claims;
  const others = { aud, exp, iat, jti, tid };
  const wrong: Readonly<Record<string, string>> = {
    "the issuer of somebody else": await sign({ ...claims, iss: "https://evil.example" }, own),
    "no issuer": await sign({ ...others, sub }, own),
    "no user": await sign({ ...others, iss }, own),
    "the key of another tenant": await sign(claims, ofOther),
    "a key that signs nothing": await sign(claims, await importKey(world, "unused")),
  };
  for (const [name, hint] of Object.entries(wrong))
    expect([name, ...(await answers(hint))]).toEqual([name, 400, "invalid_request"]);
});

requirement("openid.wrong-hint", "an expired hint counts, and one that an earlier key of the tenant signed", async () => {
  const { answers, claims, own, world } = await startSigned();
  const hint = await sign({ ...claims, iat: 1_000, exp: 2_000 }, own);
  expect(await answers(hint)).toEqual([200, "code"]);
  await useKey(world, await importKey(world, "next"));
  expect(await answers(hint)).toEqual([200, "code"]);
});
