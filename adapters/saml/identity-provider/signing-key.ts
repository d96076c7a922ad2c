import type { ProtocolHost } from "latchkey/ports";
import { createCertificate } from "../signatures/self-signed-certificate.js";
import { XmlError } from "../xml/xml-error.js";
import type { SigningKey } from "./write-response.js";

/**
 * Returns a stored RSA key with its certificate, or with a self-signed one.
 * @throws XmlError for a key that cannot sign with RSA.
 */
export async function findSigningKey(host: ProtocolHost, keyId: string | undefined): Promise<SigningKey> {
  const key = keyId === undefined ? undefined : await host.findKey(keyId);
  const privateKey = key?.signingKey;
  if (key === undefined || privateKey?.asymmetricKeyType !== "rsa")
    throw new XmlError("The key of the application is no RSA key that signs.");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: key.certificate ?? createCertificate(privateKey, key.kid),
  };
}

/** Returns the public half of a stored RSA key as PEM. @throws XmlError for any other key. */
export async function findEncryptionKey(host: ProtocolHost, keyId: string | undefined): Promise<string> {
  const key = keyId === undefined ? undefined : (await host.findKey(keyId))?.verificationKey;
  if (key?.asymmetricKeyType !== "rsa") throw new XmlError("The key for assertions of the application is no RSA key.");
  return key.export({ type: "spki", format: "pem" }).toString();
}
