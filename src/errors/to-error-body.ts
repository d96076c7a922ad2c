import { toCanonicalJson } from "../json/canonical-json.js";
import { emptyBodyStatuses } from "./codes.js";
import type { IdentityError } from "./identity-error.js";
import { OAuthError } from "./oauth-error.js";

/** The Errors object of a refusal as JSON text (docs/reference/errors.md#errors-object), or what OAuth has in its place; empty for statuses whose body is empty. */
export function toErrorBody(error: IdentityError): string {
  if (error instanceof OAuthError)
    return toCanonicalJson({ error: error.error, error_description: error.description, error_reason: error.reason });
  if (emptyBodyStatuses.has(error.status)) return "";
  return toCanonicalJson({ fieldErrors: error.fieldErrors, generalErrors: error.generalErrors });
}
