// Every kind of key at every place that names keys: what a place cannot use is refused where it is named.

import { globalScope } from "latchkey/ports";
import type { Application } from "latchkey/types";
import { expect } from "vitest";
import { applicationsTable } from "../../src/records/applications/family.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { ecPair, importKey, rsaPair } from "../support/keys.js";
import { expectNotTaken } from "../support/named-keys.js";
import { type NamingPlace, namingPlaces, takesKind } from "../support/naming-places.js";
import { requirement } from "../support/requirement.js";
import { keyKinds, makeScene, type Scene } from "../support/token-places.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const saml = { type: "SAMLv2", name: "Provider", buttonText: "Log in", idpEndpoint: "https://provider.example/saml" };
const jwt = { type: "ExternalJWT", name: "Tokens", headerKeyParameter: "kid", uniqueIdentityClaim: "sub" };
const connector = { type: "Generic", name: "Own", authenticationURL: "https://passwords.example" };
const timeouts = { connectTimeout: 1_000, readTimeout: 1_000 };

/** What makes the records that no scene has, with a key that fits beside the one that is named. */
const makers: Readonly<Record<string, (keyId: string, fit: string) => object>> = {
  "connector.sslCertificateKeyId": (id) => ({ connector: { ...connector, ...timeouts, sslCertificateKeyId: id } }),
  "identityProvider.defaultKeyId": (id) => ({ identityProvider: { ...jwt, defaultKeyId: id } }),
  "identityProvider.keyId": (id) => ({ identityProvider: { ...saml, keyId: id } }),
  "identityProvider.requestSigningKeyId": (id, keyId) => ({ identityProvider: { ...saml, keyId, requestSigningKeyId: id } }),
  "identityProvider.assertionDecryptionConfiguration.keyTransportDecryptionKeyId": (id, keyId) => ({
    identityProvider: { ...saml, keyId, assertionDecryptionConfiguration: { keyTransportDecryptionKeyId: id } },
  }),
};

async function expectRefused(scene: Scene, place: NamingPlace, keyId: string): Promise<void> {
  const maker = makers[place.path ?? ""];
  if (maker === undefined) return expectNotTaken(scene, place, keyId);
  const url = place.path?.startsWith("connector") ? "/api/connector" : "/api/identity-provider";
  expectRefusal(await scene.world.caller.post(url, maker(keyId, uuid(70_000))), 400, `[invalid]${place.path}`);
}

forEachStorage((start) => {
  requirement("key.kinds", "a key that a place cannot use is refused there, and any other is taken", async () => {
    const world = await start();
    await importKey(world.caller, { publicKey: rsaPair().publicKey }, uuid(70_000));
    const scene = await makeScene(world);
    let refused = 0;
    for (const [index, kind] of keyKinds.entries()) {
      const keyId = uuid(70_001 + index);
      await kind.import(world, keyId);
      for (const place of namingPlaces.filter((one) => one.path !== undefined && !takesKind(one, kind))) {
        await expectRefused(scene, place, keyId);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  requirement("key.kinds", "an RSA key without its private half verifies and encrypts, and signs nothing", async () => {
    const world = await start();
    await importKey(world.caller, { publicKey: rsaPair().publicKey }, uuid(70_000));
    const { applicationId } = await makeScene(world);
    const patch = (samlv2Configuration: object) =>
      world.caller.patch(`/api/application/${applicationId}`, { application: { samlv2Configuration } });
    expectOk(await patch({ defaultVerificationKeyId: uuid(70_000) }));
    expectOk(await patch({ assertionEncryptionConfiguration: { keyTransportEncryptionKeyId: uuid(70_000) } }));
    const answer = await patch({ keyId: uuid(70_000) });
    expectRefusal(answer, 400, "[invalid]application.samlv2Configuration.keyId");
    expect(answer.text).toContain("must name an RSA key with its private half.");
  });

  requirement("key.kinds", "a record of an earlier release changes with the key that it names", async () => {
    const world = await start();
    const { applicationId } = await makeScene(world);
    await importKey(world.caller, { ...ecPair() }, uuid(70_002));
    await nameKey(world, applicationId, uuid(70_002));
    const path = `/api/application/${applicationId}`;
    const changed = expectOk(await world.caller.patch(path, { application: { data: { a: 1 } } }));
    expect(changed.at("application.samlv2Configuration.keyId")).toBe(uuid(70_002));
    await importKey(world.caller, { ...ecPair() }, uuid(70_003));
    const other = { application: { samlv2Configuration: { keyId: uuid(70_003) } } };
    expectRefusal(await world.caller.patch(path, other), 400, "[invalid]application.samlv2Configuration.keyId");
  });
});

/** Stores what an earlier release took: an application whose key for SAML cannot sign by RSA. */
async function nameKey({ caller, storage }: World, applicationId: string, keyId: string): Promise<void> {
  expectOk(await caller.patch(`/api/application/${applicationId}`, { application: { samlv2Configuration: {} } }));
  await storage.transaction(async (tx) => {
    const stored = (await tx.retrieve(globalScope, applicationsTable, applicationId)) ?? expect.fail();
    const application = JSON.parse(stored.json) as Application;
    const { insertInstant, lastUpdateInstant, name, samlv2Configuration } = application;
    const json = JSON.stringify({ ...application, samlv2Configuration: { ...samlv2Configuration, keyId } });
    const columns = { nameFolded: name.toLowerCase(), state: "Active" };
    const record = { ...stored, insertInstant, lastUpdateInstant, json, columns, version: stored.version + 1 };
    await tx.update(globalScope, applicationsTable, record);
  });
}
