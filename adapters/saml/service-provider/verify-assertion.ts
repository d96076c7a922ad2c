import { SignInError } from "latchkey";
import type { SignInHost } from "latchkey/ports";
import { checkEncryption } from "../encryption/check-encryption.js";
import { namespaces } from "../messages/names.js";
import { parseXml } from "../xml/parse-xml.js";
import { isNamed, type XmlElement } from "../xml/xml-element.js";
import type { ResponseParts } from "./check-response.js";
import { createLibrary, findPrivateKey, type LoginSettings } from "./login-library.js";

/** The login and the host of a response to verify. */
export interface Verification {
  readonly login: LoginSettings;
  readonly host: SignInHost;
}

/** Returns the signed assertion, decrypted if necessary. @throws when no signature of the provider is valid. */
export async function verifyAssertion(encoded: string, parts: ResponseParts, { login, host }: Verification): Promise<XmlElement> {
  const decryptionPvk = await findDecryptionKey(parts, { login, host });
  const library = await createLibrary(login, host, {
    wantAuthnResponseSigned: parts.hasResponseSignature,
    wantAssertionsSigned: parts.hasAssertionSignature || !parts.hasResponseSignature,
    ...(decryptionPvk !== undefined && { decryptionPvk }),
  });
  const { profile } = await library.validatePostResponseAsync({ SAMLResponse: encoded.replaceAll(/\s/g, "") });
  return parseXml(profile?.getAssertionXml?.() ?? "");
}

async function findDecryptionKey(parts: ResponseParts, { login, host }: Verification): Promise<string | undefined> {
  const { decryptionKeyId } = login.settings;
  const isEncrypted = isNamed(parts.assertion, namespaces.assertion, "EncryptedAssertion");
  if (!isEncrypted && decryptionKeyId === undefined) return undefined;
  if (!isEncrypted) throw new SignInError("refused", "The assertion is not encrypted.");
  if (decryptionKeyId === undefined) throw new SignInError("refused", "The assertion is encrypted, and no key is named for it.");
  const privateKey = await findPrivateKey(decryptionKeyId, host);
  checkEncryption(parts.assertion, { isSigned: parts.hasResponseSignature, privateKey });
  return privateKey;
}
