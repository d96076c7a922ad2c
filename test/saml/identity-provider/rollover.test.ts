import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import { browse, configure, consumer, importKey, publicUrl, requestXml, startProvider } from "../support/identity-provider.js";
import { providerPair, servicePair, strangerPair } from "../support/keys.js";
import { get, loginPath, post, signQuery } from "../support/requests.js";
import { sign } from "../support/responses.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

requirement("saml.rollover", "requests that the old or the next key of the application signed are accepted", async () => {
  const stage = await startProvider(start);
  const old = await importKey(stage.world, "Old", providerPair.publicPem);
  const next = await importKey(stage.world, "Next", strangerPair.publicPem);
  const document = requestXml({ attributes: `Destination="${publicUrl}${loginPath(stage)}"` });
  const send = async (pair: typeof providerPair): Promise<string> =>
    `${await get(stage, signQuery(document, pair))} ${await post(stage, sign(document, "AuthnRequest", { pair }))}`;
  await configure(stage.world, { requireSignedRequests: true, defaultVerificationKeyId: old, verificationKeyIds: [next] });
  expect([await send(providerPair), await send(strangerPair), await send(servicePair)]).toEqual([
    "303 303",
    "303 303",
    "400 400",
  ]);
  expect((await stage.world.caller.delete(`/api/key/${next}`)).status).toBe(400);
  await configure(stage.world, { defaultVerificationKeyId: next, verificationKeyIds: [] });
  expect([await send(providerPair), await send(strangerPair)]).toEqual(["400 400", "303 303"]);
  expect((await stage.world.caller.delete(`/api/key/${old}`)).status).toBe(200);
});

requirement("saml.rollover", "the metadata of a tenant have the key of each of its applications, also the next one", async () => {
  const { world } = await startProvider(start);
  const generated = { key: { name: "Next", algorithm: "RS256", length: 2048 } };
  const keyId = expectOk(await world.caller.post("/api/key/generate", generated)).textAt("key.id");
  const samlv2Configuration = { enabled: true, issuer: "https://next.example", authorizedRedirectURLs: [consumer], keyId };
  const next = { name: "Next key", samlv2Configuration };
  expectOk(await world.caller.post("/api/application", { application: next }));
  const { body } = await browse(world, "GET", `/samlv2/metadata/${world.defaultTenantId}`, new Map());
  const certificates = [...body.matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, text]) => text);
  expect(new Set(certificates).size).toBe(2);
});
