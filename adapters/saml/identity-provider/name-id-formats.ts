import { nameIdFormats } from "../messages/names.js";
import { invalidNameIdPolicy } from "./status-error.js";

/** The supported name formats, as listed in metadata. */
export const allowedNameFormats: readonly string[] = [nameIdFormats.email, nameIdFormats.persistent, nameIdFormats.transient];

// The standard defines only the first one, but some libraries send the second.
const openFormats: readonly string[] = [nameIdFormats.unspecified, "urn:oasis:names:tc:SAML:2.0:nameid-format:unspecified"];

/**
 * Returns the required format of a user's name; undefined when this service may choose.
 * @throws StatusError for an unsupported format.
 */
export function readNameIdFormat(wanted: string | undefined): string | undefined {
  if (wanted === undefined || openFormats.includes(wanted)) return undefined;
  if (allowedNameFormats.includes(wanted)) return wanted;
  throw invalidNameIdPolicy("The NameIDPolicy has a format that is not served.");
}
