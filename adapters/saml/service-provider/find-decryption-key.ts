import { SignInError } from "latchkey";
import type { SignInHost } from "latchkey/operations";
import { checkEncryption } from "../encryption/check-encryption.js";
import { namespaces } from "../names.js";
import { isNamed } from "../xml/xml-element.js";
import type { ResponseParts } from "./check-response.js";
import { findPrivateKey, type LoginSettings } from "./login-library.js";

/** A login whose response is verified, and the service. */
export interface Verification {
  readonly login: LoginSettings;
  readonly host: SignInHost;
}

/**
 * Returns the private key that decrypts the assertion of a response, in PEM; undefined where neither the response nor the provider encrypts.
 * @throws SignInError `refused` where one of both does, and for weak encryption
 */
export async function findDecryptionKey(parts: ResponseParts, { login, host }: Verification): Promise<string | undefined> {
  const { decryptionKeyId } = login.settings;
  const isEncrypted = isNamed(parts.assertion, namespaces.assertion, "EncryptedAssertion");
  if (!isEncrypted && decryptionKeyId === undefined) return undefined;
  if (!isEncrypted) throw new SignInError("refused", "The assertion is not encrypted.");
  if (decryptionKeyId === undefined) throw new SignInError("refused", "The assertion is encrypted, and no key is named for it.");
  const privateKey = await findPrivateKey(decryptionKeyId, host);
  checkEncryption(parts.assertion, { isSigned: parts.hasResponseSignature, privateKey });
  return privateKey;
}
