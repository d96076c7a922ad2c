import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, startWorld } from "../../support/world.js";
import { startProvider } from "../support/identity-provider.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

const wrong: readonly (readonly [settings: object, code: string])[] = [
  [{ issuer: "" }, "[blank]application.samlv2Configuration.issuer"],
  [{ keyId: undefined }, "[missing]application.samlv2Configuration.keyId"],
  [{ authorizedRedirectURLs: [] }, "[missing]application.samlv2Configuration.authorizedRedirectURLs"],
  [{ authorizedRedirectURLs: ["javascript:alert(1)"] }, "[invalid]application.samlv2Configuration.authorizedRedirectURLs[0]"],
  [{ requireSignedRequests: true }, "[missing]application.samlv2Configuration.defaultVerificationKeyId"],
  [{ xmlSignatureLocation: "Both" }, "[invalidOption]application.samlv2Configuration.xmlSignatureLocation"],
  [{ xmlSignatureC14nMethod: "none" }, "[invalidOption]application.samlv2Configuration.xmlSignatureC14nMethod"],
  [
    { assertionEncryptionConfiguration: { enabled: true } },
    "[missing]application.samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId",
  ],
  [
    { assertionEncryptionConfiguration: { encryptionAlgorithm: "TripleDES" } },
    "[invalidOption]application.samlv2Configuration.assertionEncryptionConfiguration.encryptionAlgorithm",
  ],
  [{ defaultVerificationKeyId: ids.user }, "[invalid]application.samlv2Configuration.defaultVerificationKeyId"],
];

requirement("saml.settings", "each wrong setting is named", async () => {
  const { world, keyId } = await startProvider(start);
  for (const [settings, code] of wrong) {
    const samlv2Configuration = {
      enabled: true,
      issuer: "urn:a",
      keyId,
      authorizedRedirectURLs: ["https://a.example"],
      ...settings,
    };
    const answer = await world.caller.post("/api/application", { application: { name: "Wrong", samlv2Configuration } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`"${code}"`)]);
  }
});

requirement("saml.settings", "settings that are off need nothing, and are stored with their defaults", async () => {
  const { world } = await startProvider(start);
  const application = { name: "Off", samlv2Configuration: {} };
  const made = expectOk(await world.caller.post("/api/application", { application }));
  expect(made.at("application.samlv2Configuration")).toEqual({
    enabled: false,
    assertionEncryptionConfiguration: { enabled: false, encryptionAlgorithm: "AES256GCM", keyLocation: "Child" },
    authorizedRedirectURLs: [],
    debug: false,
    initiatedLogin: { enabled: false, nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" },
    loginHintConfiguration: { enabled: true, parameterName: "login_hint" },
    requireSignedRequests: false,
    xmlSignatureC14nMethod: "exclusive_with_comments",
    xmlSignatureLocation: "Assertion",
  });
});

forEachStorage((startOn) => {
  requirement("saml.settings", "keys of applications are in use", async () => {
    const { world, keyId } = await startProvider(startOn);
    const removed = await world.caller.delete(`/api/key/${keyId}`);
    expect([removed.status, removed.text]).toEqual([400, expect.stringContaining("[inUse]keyId")]);
    expect(removed.text).toContain("Shop");
  });
});
