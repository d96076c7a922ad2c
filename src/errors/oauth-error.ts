import { toCanonicalJson } from "../json/canonical-json.js";
import type { ApiRequest } from "../ports/transport.js";
import { showNever } from "../shared/never.js";
import { emptyBodyStatuses } from "./codes.js";
import { IdentityError } from "./identity-error.js";

/** A refusal as OAuth puts it (RFC 6749, 5.2). */
export interface OAuthErrorResponse {
  /** The HTTP status: 400 or 401. */
  readonly status: number;
  /** One of a few words that every client knows. */
  readonly error: string;
  /** What exactly is wrong (docs/reference/oauth.md). */
  readonly reason: string;
  /** An English sentence; not part of the contract. */
  readonly description: string;
}

/** A refusal of the token endpoint or of introspection: over HTTP it has the body that OAuth wants; in process `reason` says what is wrong. */
export class OAuthError extends IdentityError {
  /** The error code of RFC 6749, such as `invalid_client`. */
  readonly error: string;
  /** What exactly is wrong; stable (docs/reference/oauth.md). */
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

/** Every reason for a refusal, with the error and the status that RFC 6749 pairs it with (docs/reference/oauth.md; docs/authentication-oauth.md). */
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

/** Why the token endpoint or introspection refuses. */
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

/** The refusal for a reason. */
export function oauthError(reason: OAuthReason, options?: ErrorOptions): OAuthError {
  return new OAuthError({ ...refusals[reason], reason }, options);
}

/** What the hops before an operation, and those that all operations share, refuse with, by the kind of the error. */
const reasonsByKind: Readonly<Record<string, OAuthReason>> = {
  couldNotConvert: "invalid_tenant_id",
  notLicensed: "not_licensed",
};

/** Any refusal of a bad request as OAuth puts it; others, such as 413 and 429, say enough by their status. */
export function toOAuthError(error: IdentityError): IdentityError {
  if (error instanceof OAuthError) return error;
  // A key or a token that may not call.
  if (error.status === 401) return oauthError("invalid_client_authentication", { cause: error });
  if (error.status !== 400 && error.status !== 415) return error;
  const kind = /^\[(\w+)\]/.exec(error.code)?.[1] ?? "";
  return oauthError(reasonsByKind[kind] ?? "invalid_request_body", { cause: error });
}

/** A refusal of a token with the challenge that RFC 6750 (3) wants: a caller without a token gets no error code. Other refusals pass unchanged. */
export function toBearerError(error: IdentityError, request?: ApiRequest): IdentityError {
  if (error.status !== 401 && error.status !== 403) return error;
  const presented = String(request?.headers.authorization ?? request?.headers.authentication ?? "");
  const scheme = /^dpop /i.test(presented) ? "DPoP" : "Bearer";
  const challenge = `${scheme} realm="oauth2"${presented === "" ? "" : `, error="${error.status === 403 ? "insufficient_scope" : "invalid_token"}"`}`;
  return new IdentityError(error.status, error, { cause: error, headers: { "www-authenticate": challenge } });
}

/** The Errors object of a refusal as JSON text (docs/reference/errors.md#errors-object), or what OAuth has in its place; empty for statuses whose body is empty. */
export function toErrorBody(error: IdentityError): string {
  if (error instanceof OAuthError)
    return toCanonicalJson({ error: error.error, error_description: error.description, error_reason: error.reason });
  if (emptyBodyStatuses.has(error.status)) return "";
  const { fieldErrors, generalErrors } = error;
  // The reference shows the actions beside.
  const beside = error.code === "[loginPrevented]" ? { ...Object(generalErrors[0]?.data) } : {};
  return showNever(toCanonicalJson({ ...beside, fieldErrors, generalErrors }));
}
