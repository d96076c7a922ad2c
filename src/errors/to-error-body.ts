import { toCanonicalJson } from "../values/canonical-json.js";
import { emptyBodyStatuses } from "./codes.js";
import type { IdentityError } from "./identity-error.js";

/** The Errors object of a refusal as JSON text (facts.md 2.1); empty for statuses whose body is empty. */
export function toErrorBody(error: IdentityError): string {
  if (emptyBodyStatuses.has(error.status)) return "";
  return toCanonicalJson({ fieldErrors: error.fieldErrors, generalErrors: error.generalErrors });
}
