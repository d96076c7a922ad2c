import { FieldErrorList } from "../../errors/identity-error.js";
import { parseBase32 } from "../../records/factors/given-secret.js";
import { secretBytes } from "../../records/factors/totp.js";
import type { SecretFields } from "../../records/two-factor/schema.js";

/** The key of a secret in a body; undefined for none. Either form suffices; both must match. @throws IdentityError 400. */
export async function parseSecret(
  { secret = "", secretBase32Encoded = "" }: SecretFields,
  isRequired: boolean,
): Promise<Uint8Array | undefined> {
  const errors = new FieldErrorList();
  const fromText = secret === "" ? undefined : Buffer.from(secret);
  const fromBase32 = secretBase32Encoded === "" ? undefined : parseBase32(secretBase32Encoded);
  const key = fromText ?? fromBase32;
  const name = fromText === undefined ? "secretBase32Encoded" : "secret";
  const isOther = fromText !== undefined && fromBase32 !== undefined && !fromText.equals(fromBase32);
  if (secretBase32Encoded !== "" && (fromBase32 === undefined || isOther)) errors.add("invalid", "secretBase32Encoded");
  else if (key === undefined && isRequired) errors.add("blank", "secret").add("blank", "secretBase32Encoded");
  if (key !== undefined && key.length < secretBytes.min) errors.add("tooShort", name);
  if (key !== undefined && key.length > secretBytes.max) errors.add("tooLong", name);
  errors.throwIfAny();
  return key;
}
