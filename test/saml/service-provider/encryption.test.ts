// xml-encryption, which comes with node-saml, encrypts as identity providers do.
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { EncryptionName } from "../../../adapters/saml/encryption/algorithms.js";
import { encryptXml } from "../../../adapters/saml/encryption/encrypt-xml.js";
import { requirement } from "../../support/requirement.js";
import { certificateOf } from "../support/certificates.js";
import { servicePair, strangerPair } from "../support/keys.js";
import { expectRefused } from "../support/refused.js";
import { assertionXml, defaultTexts, makeResponse, present, providerWith, responseXml, sign } from "../support/responses.js";

type Encrypt = (content: string, options: object, callback: (error: Error | null, result: string) => void) => void;
const library = createRequire(import.meta.resolve("@node-saml/node-saml"))("xml-encryption") as { readonly encrypt: Encrypt };
const encrypt = promisify(library.encrypt);

const gcm = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
const cbc = "http://www.w3.org/2001/04/xmlenc#aes256-cbc";
const oaep = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
const provider = providerWith({ assertionDecryptionConfiguration: { enabled: true, keyTransportDecryptionKeyId: "service" } });

async function encryptAssertion(assertion: string, encryptionAlgorithm = gcm, keyEncryptionAlgorithm = oaep): Promise<string> {
  const keys = { rsa_pub: servicePair.publicPem, pem: certificateOf(servicePair) };
  const options = { ...keys, encryptionAlgorithm, keyEncryptionAlgorithm, warnInsecureAlgorithm: false };
  const encrypted = await encrypt(assertion, options);
  return responseXml(defaultTexts, `<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`);
}

const plain = assertionXml(defaultTexts);
const signed = sign(plain, "Assertion");

requirement("saml.encryption", "an encrypted assertion with a signature in it logs the user in", async () => {
  expect(await present(await encryptAssertion(signed), { provider })).toMatchObject({ id: "ada" });
});

for (const algorithm of [gcm, cbc])
  requirement("saml.encryption", `an assertion encrypted by ${algorithm} in a signed response logs the user in`, async () => {
    expect(await present(sign(await encryptAssertion(plain, algorithm), "Response"), { provider })).toMatchObject({ id: "ada" });
  });

const refused: Readonly<Record<string, () => Promise<string>>> = {
  "without any signature": () => encryptAssertion(plain),
  "with the signature of a stranger": () => encryptAssertion(sign(plain, "Assertion", { pair: strangerPair })),
  "by AES-CBC without a signature around it": () => encryptAssertion(signed, cbc),
  "whose key has PKCS #1 1.5": async () =>
    sign(await encryptAssertion(plain, gcm, "http://www.w3.org/2001/04/xmlenc#rsa-1_5"), "Response"),
  "by Triple DES": async () => sign(await encryptAssertion(plain, "http://www.w3.org/2001/04/xmlenc#tripledes-cbc"), "Response"),
  "that was changed": async () =>
    (await encryptAssertion(signed)).replace(
      /(<\w+:CipherValue>)....(?=[^<]*<\/\w+:CipherValue>\s*<\/\w+:CipherData>\s*<\/xenc:EncryptedData>)/,
      "$1AAAA",
    ),
  "with SHA-1 in its signature": () =>
    encryptAssertion(sign(plain, "Assertion", { signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" })),
  "that is two assertions": () => encryptAssertion(`<saml:x xmlns:saml="urn:x">${signed}${plain}</saml:x>`),
  "that is something else": () => encryptAssertion("<x/>"),
  "with two keys": async () => (await encryptAssertion(signed)).replace(/<e:EncryptedKey.*<\/e:EncryptedKey>/s, "$&$&"),
  "that is not encrypted": async () => makeResponse(),
};

for (const [name, make] of Object.entries(refused))
  requirement("saml.encryption", `an assertion ${name} is refused`, async () => {
    expect(await expectRefused(present(await make(), { provider }))).not.toBe("");
  });

requirement("saml.encryption", "an encrypted assertion needs a key of the record", async () => {
  expect(await expectRefused(present(await encryptAssertion(signed)))).toContain("no key");
});

const locations = ["Child", "Sibling"] as const;
const supported = ["AES128", "AES256", "AES128GCM", "AES256GCM"] satisfies EncryptionName[];

for (const keyLocation of locations)
  for (const algorithm of supported)
    requirement(
      "saml.encryption",
      `what this service encrypts by ${algorithm} with its key as ${keyLocation} is read`,
      async () => {
        const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
        const encrypted = encryptXml({ content: plain, algorithm, publicKey: servicePair.publicPem, keyLocation, random });
        const response = sign(responseXml(defaultTexts, encrypted.text), "Response");
        expect(await present(response, { provider })).toMatchObject({ id: "ada" });
      },
    );
