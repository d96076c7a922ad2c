// What this service signs and encrypts, read by its own service provider and so by node-saml.

import { memoryStorage } from "latchkey/memory";
import type { SignInHost, SignInRecord } from "latchkey/ports";
import { samlLogins } from "latchkey/saml";
import { expect } from "vitest";
import { ids } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { startWorld } from "../../support/world.js";
import {
  applicationIssuer,
  configure,
  consumer,
  importKey,
  logIn,
  readPage,
  requestXml,
  type SamlStage,
  startProvider,
} from "../support/identity-provider.js";
import { hostAt, servicePair } from "../support/keys.js";

const start = (options?: object) => startWorld(memoryStorage(), options);

/** Presents the response of a login to a service provider. */
async function presentTo(stage: SamlStage, members: object = {}) {
  const { fields } = readPage((await logIn(stage, requestXml())).body);
  const found = await stage.world.identity.keys.publicKey({ keyId: stage.keyId });
  const { createPublicKey } = await import("node:crypto");
  const verificationKey = createPublicKey("publicKey" in found ? found.publicKey : "");
  const base = hostAt(stage.world.clock.instant);
  const signing = { id: "idp", kid: "idp", alg: "RS256", certificate: undefined, signingKey: undefined, verificationKey };
  const host: SignInHost = { ...base, findKey: async (id) => (id === "idp" ? signing : base.findKey(id)) };
  const destination = { policy: "AllowAlternates", alternates: [consumer] };
  const provider: SignInRecord = {
    ...{ id: ids.user, name: "Peer", type: "SAMLv2", idpEndpoint: "https://id.example", keyId: "idp" },
    ...{ issuer: applicationIssuer, emailClaim: "email", assertionConfiguration: { destination }, ...members },
  };
  const tenant = { applicationId: ids.application, tenantId: ids.application };
  const memory = { requestId: "_r1" };
  return samlLogins().complete({ provider, parameters: { ...fields }, redirectUri: consumer, memory, ...tenant }, host);
}

const forms = ["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"];

for (const xmlSignatureLocation of ["Assertion", "Response"])
  for (const xmlSignatureC14nMethod of forms)
    requirement("saml.provider", `a signature of ${xmlSignatureLocation} by ${xmlSignatureC14nMethod} holds`, async () => {
      const stage = await startProvider(start, { xmlSignatureLocation, xmlSignatureC14nMethod });
      expect(await presentTo(stage)).toMatchObject({ id: "ann@example.com", email: "ann@example.com" });
    });

for (const xmlSignatureLocation of ["Assertion", "Response"])
  for (const keyLocation of ["Child", "Sibling"])
    requirement(
      "saml.encryption",
      `an encrypted assertion with its key as ${keyLocation} in a signed ${xmlSignatureLocation} is read`,
      async () => {
        const stage = await startProvider(start, { xmlSignatureLocation });
        const keyTransportEncryptionKeyId = await importKey(stage.world, "Reader", servicePair.publicPem);
        await configure(stage.world, {
          assertionEncryptionConfiguration: { enabled: true, keyLocation, keyTransportEncryptionKeyId },
        });
        const assertionDecryptionConfiguration = { enabled: true, keyTransportDecryptionKeyId: "service" };
        expect(await presentTo(stage, { assertionDecryptionConfiguration })).toMatchObject({ id: "ann@example.com" });
      },
    );
