import { toCanonicalJson } from "../json/canonical-json.js";
import type { ApiRequest } from "../ports/transport.js";
import { showNever } from "../shared/never.js";
import { emptyBodyStatuses } from "./codes.js";
import { IdentityError } from "./identity-error.js";

/** An OAuth error response (RFC 6749, 5.2). */
export interface OAuthErrorResponse {
  /** The HTTP status: 400 or 401. */
  readonly status: number;
  /** The error code of RFC 6749, such as `invalid_client`. */
  readonly error: string;
  /** The exact reason; stable (docs/reference/oauth.md). */
  readonly reason: string;
  /** An English sentence; not part of the contract. */
  readonly description: string;
}

/**
 * A refusal of the token endpoint or of introspection, with an OAuth error response over HTTP. In process, `reason` has the exact
 * reason.
 */
export class OAuthError extends IdentityError {
  /** The error code of RFC 6749, such as `invalid_client`. */
  readonly error: string;
  /** The exact reason; stable (docs/reference/oauth.md). */
  readonly reason: string;
  /** An English sentence; not part of the contract. */
  readonly description: string;

  constructor({ status, error, reason, description }: OAuthErrorResponse, options?: ErrorOptions) {
    super(status, { generalErrors: [{ code: `[${reason}]`, message: description }] }, options);
    this.name = "OAuthError";
    this.error = error;
    this.reason = reason;
    this.description = description;
  }
}

type Row = Omit<OAuthErrorResponse, "reason">;

const invalidRequest = (description: string): Row => ({ status: 400, error: "invalid_request", description });
const invalidClient = (description: string): Row => ({ status: 401, error: "invalid_client", description });
const invalidScope = (description: string): Row => ({ status: 400, error: "invalid_scope", description });

/** Every reason, with its error and status of RFC 6749 (docs/reference/oauth.md; docs/authentication-oauth.md). */
const refusals: Readonly<Record<OAuthReason, Row>> = {
  invalid_request_body: invalidRequest("The body must be a form in UTF-8: application/x-www-form-urlencoded."),
  dry_run: invalidRequest("A token cannot be tried out: it would be a real one."),
  repeated_parameter: invalidRequest("A parameter must be a text, and must not come twice."),
  missing_grant_type: invalidRequest("The parameter grant_type is missing."),
  invalid_grant_type: {
    status: 400,
    error: "unsupported_grant_type",
    description: "The only grant_type of this service is client_credentials.",
  },
  missing_client_id: invalidRequest("The parameter client_id is missing."),
  missing_token: invalidRequest("The parameter token is missing."),
  client_id_mismatch: invalidRequest("The client_id of the form is not that of the Authorization header."),
  multiple_client_authentications: invalidRequest("A client authenticates once: with HTTP Basic or in the form."),
  missing_client_secret: invalidClient("The parameter client_secret is missing."),
  client_authentication_missing: invalidClient(
    "The client must authenticate: with HTTP Basic, or with client_id and client_secret.",
  ),
  invalid_client_authentication_scheme: invalidClient("The Authorization header must come once, and must be one of HTTP Basic."),
  invalid_client_authentication: invalidClient("There is no such client, or its secret is another."),
  invalid_client_id: invalidClient("The token was not issued to this client."),
  invalid_tenant_id: invalidRequest("The tenant is not that of the client."),
  invalid_target_entity_scope: invalidScope(
    "A scope must read target-entity:<id>[:<permission>,...] and name an entity with a grant.",
  ),
  invalid_entity_permission_scope: invalidScope("A permission that the scope names is not granted."),
  invalid_dpop_proof: { status: 400, error: "invalid_dpop_proof", description: "The DPoP proof is not valid." },
  not_licensed: { status: 400, error: "not_licensed", description: "The plan of this service does not include entities." },
};

/** A reason of the token endpoint or introspection for a refusal. */
type OAuthReason =
  | "client_authentication_missing"
  | "client_id_mismatch"
  | "dry_run"
  | "invalid_client_authentication"
  | "invalid_client_authentication_scheme"
  | "invalid_client_id"
  | "invalid_dpop_proof"
  | "invalid_entity_permission_scope"
  | "invalid_grant_type"
  | "invalid_request_body"
  | "invalid_target_entity_scope"
  | "invalid_tenant_id"
  | "missing_client_id"
  | "missing_client_secret"
  | "missing_grant_type"
  | "missing_token"
  | "multiple_client_authentications"
  | "not_licensed"
  | "repeated_parameter";

/** Creates the refusal for a reason. */
export function oauthError(reason: OAuthReason, options?: ErrorOptions): OAuthError {
  return new OAuthError({ ...refusals[reason], reason }, options);
}

/** The reasons for refusals by the steps that all operations share, by kind of error. */
const reasonsByKind: Readonly<Record<string, OAuthReason>> = {
  couldNotConvert: "invalid_tenant_id",
  notLicensed: "not_licensed",
};

/** Converts refusals with 400 and 415 to OAuth errors; others, such as 413 and 429, are clear from their status. */
export function toOAuthError(error: IdentityError): IdentityError {
  if (error instanceof OAuthError) return error;
  // An API key or a token without permission for the call.
  if (error.status === 401) return oauthError("invalid_client_authentication", { cause: error });
  if (error.status !== 400 && error.status !== 415) return error;
  const kind = /^\[(\w+)\]/.exec(error.code)?.[1] ?? "";
  return oauthError(reasonsByKind[kind] ?? "invalid_request_body", { cause: error });
}

/**
 * Adds the challenge of RFC 6750 (3) to a refusal of a token: without an error code if the caller sent no token. Other refusals
 * pass unchanged.
 */
export function toBearerError(error: IdentityError, request?: ApiRequest): IdentityError {
  if (error.status !== 401 && error.status !== 403) return error;
  const presented = String(request?.headers.authorization ?? request?.headers.authentication ?? "");
  const scheme = /^dpop /i.test(presented) ? "DPoP" : "Bearer";
  const challenge = `${scheme} realm="oauth2"${presented === "" ? "" : `, error="${error.status === 403 ? "insufficient_scope" : "invalid_token"}"`}`;
  return new IdentityError(error.status, error, { cause: error, headers: { "www-authenticate": challenge } });
}

/**
 * Returns the Errors object of a refusal as JSON text (docs/reference/errors.md#errors-object), or the OAuth error response;
 * empty for statuses without a body.
 */
export function toErrorBody(error: IdentityError): string {
  if (error instanceof OAuthError)
    return toCanonicalJson({ error: error.error, error_description: error.description, error_reason: error.reason });
  if (emptyBodyStatuses.has(error.status)) return "";
  const { fieldErrors, generalErrors } = error;
  // The reference has the actions next to the errors.
  const beside = error.code === "[loginPrevented]" ? { ...Object(generalErrors[0]?.data) } : {};
  return showNever(toCanonicalJson({ ...beside, fieldErrors, generalErrors }));
}
