import { nameIdFormats } from "../messages/names.js";
import { invalidNameIdPolicy } from "./status-error.js";

/** The formats that names of users are served in, as metadata lists them. */
export const allowedNameFormats: readonly string[] = [nameIdFormats.email, nameIdFormats.persistent, nameIdFormats.transient];

// The standard has the first one alone; the other is seen all the same.
const openFormats: readonly string[] = [nameIdFormats.unspecified, "urn:oasis:names:tc:SAML:2.0:nameid-format:unspecified"];

/** Returns the format that the name of a user must have; undefined where this service may choose. @throws StatusError for one that no user has a name in. */
export function readNameIdFormat(wanted: string | undefined): string | undefined {
  if (wanted === undefined || openFormats.includes(wanted)) return undefined;
  if (allowedNameFormats.includes(wanted)) return wanted;
  throw invalidNameIdPolicy("The NameIDPolicy has a format that is not served.");
}
