/**
 * An identity administration service that lives inside your application.
 * Each name below is public API: it is in the API report, and changes follow semantic versioning. More names by subject:
 * `latchkey/types` (records, requests, responses), `latchkey/ports` (interfaces to implement), `latchkey/lambdas`.
 */

// Start a service.
export type { IndexCriteria } from "./families/plan-indexes.js";
export { createIdentityService, type IdentityService } from "./service.js";
export type { IdentityTransaction } from "./service/host-transaction.js";
export type { RotateOptions } from "./service/secrets/rotate-secrets.js";
export type { AttemptKind, ThrottleLimits, ThrottleOptions } from "./security/throttle-limits.js";
export type { IdentityServiceOptions } from "./options.js";
export { type CookieOptions, defaultApiEntityId } from "./service/option-values.js";
export type { ApiPermissions, EntityPermissions } from "./http/authorize/api-permissions.js";
export type { DeliveryOptions } from "./ports/event-transport.js";
export type { Names } from "./ports/names.js";
export { SignInError } from "./ports/sign-in.js";
export type { Plan } from "./availability/availability.js";
export type { KickstartApiKey, KickstartDocument, KickstartRequest } from "./configuration/kickstart/resolve-kickstart.js";

// Manage its configuration as a document.
export {
  type ConfigApplyOptions,
  type ConfigChange,
  type ConfigDifference,
  type ConfigDocument,
  type ConfigExportOptions,
  type ConfigFamilyName,
  type ConfigPlan,
  type ConfigPlanOptions,
  type ConfigPrune,
  type ConfigRecord,
  type ConfigResult,
  type Configuration,
  configFamilyNames,
  type ResolveSecret,
} from "./configuration/documents/document.js";
export { type SchemaVersion, schemaHistory } from "./service/start/schema-history.js";

// Call it in process.
export type { Call, CallOptions } from "./call-types.js";
export { etagOf, type InProcessApi } from "./in-process.js";
export type { InjectedRequest } from "./http/transport/inject.js";
export { type ErrorEntry, type FieldErrors, IdentityError, type IdentityErrorOptions } from "./errors/identity-error.js";
export { OAuthError, type OAuthErrorResponse } from "./errors/oauth-error.js";
export { anonymousCaller } from "./http/authenticate/anonymous-caller.js";
export {
  type AllowedSource,
  type AdministratorPrincipal,
  type ApiKeyPrincipal,
  type ClientPrincipal,
  type EndpointGrants,
  type HostPrincipal,
  hostPrincipal,
  type Principal,
  type TokenClaims,
  type UserPrincipal,
} from "./http/authenticate/principal.js";
export { generateApiKey, isGeneratedApiKey } from "./security/random-secrets.js";
export { toCanonicalJson } from "./json/canonical-json.js";
export { assertKnownOptions, type OptionNames } from "./shared/known-options.js";

// Allow calls from pages of other origins.
export type { CorsOptions } from "./http/transport/cors.js";

// Guard routes of your own.
export type {
  AccessRequirement,
  ApiKeyGuardOptions,
  AuthorizedUser,
  GuardOperations,
  Guards,
  RequestIdentities,
  RequestIdentity,
  RoleGuardOptions,
  UserGuardOptions,
  VerifyTokenOptions,
} from "./service/guard-requests.js";

// Restrict calls to other services.
export type { OutboundGuard, OutboundTls } from "./ports/event-transport.js";

// Run lambdas.
export type { LambdaOptions } from "./ports/lambda-runner.js";

// Receive events.
export type { Actor, EventInfo, RecordedEvent } from "./operations/events/recorded-event.js";
export { verifyWebhook } from "./delivery/webhooks/verify-webhook.js";
export { type WebhookKeys, type WebhookMessage, WebhookVerificationError } from "./delivery/webhooks/verify-webhook.js";
