/**
 * An identity administration service that lives inside your application.
 * Each name below is public API: it is in the API report, and it changes by the rules of semantic versioning. More names by subject:
 * `latchkey/types` (inputs, outputs and criteria), `latchkey/ports`, `latchkey/lambdas`.
 */

// Start a service.
export { createIdentityService, type IdentityService } from "./service.js";
export type { IdentityTransaction } from "./service/host-transaction.js";
export type {
  RotateOptions,
  RotationProgress,
  RotationResult,
  SealedCounts,
  SecretOperations,
} from "./service/secrets/rotate-secrets.js";
export type { AttemptKind, ThrottleLimits, ThrottleOptions } from "./security/throttle-limits.js";
export type { IdentityServiceOptions } from "./options.js";
export { type CookieOptions, defaultApiEntityId } from "./service/option-values.js";
export type { ApiPermissions, EntityPermissions } from "./http/authorize/api-permissions.js";
export type { DeliveryOptions } from "./ports/event-transport.js";
export type { Names } from "./ports/names.js";
export { SignInError } from "./ports/sign-in.js";
export type { Plan } from "./availability/availability.js";
export type { KickstartApiKey, KickstartDocument, KickstartRequest } from "./configuration/kickstart/resolve-kickstart.js";

// Keep its configuration in a document.
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

// Records, and the bodies of their requests.
export type { BaseRecord } from "./operations/family/family.js";
export type { AccessRule } from "./http/authenticate/access-list.js";
export type { AccessList, AccessListFields, AccessListRequest } from "./records/access-lists/schema.js";
export type { AccessListResponse } from "./records/access-lists/family.js";
export type { ApiKey, ApiKeyFields, ApiKeyPermissions, ApiKeyRequest, GrantMethod } from "./records/api-keys/schema.js";
export type { Application, ApplicationFields, ApplicationRequest } from "./records/applications/schema.js";
export type { ApplicationRole, RoleFields, RoleRequest } from "./records/application-roles/schema.js";
export type { Consent, ConsentFields, ConsentRequest, EmailPlus } from "./records/consents/schema.js";
export type {
  FormField,
  FormFieldControl,
  FormFieldFields,
  FormFieldRequest,
  FormFieldType,
} from "./records/form-fields/schema.js";
export type {
  DescribedField,
  DescribeFormResponse,
  Form,
  FormDefinition,
  FormObjects,
  FormRequest,
  FormStep,
  FormType,
  MessageBundle,
  ThemeMessages,
  ValidateFormRequest,
  ValidateFormResponse,
} from "./records/forms/schema.js";
export type {
  EmailRecipient,
  EmailTemplate,
  EmailTemplateFields,
  EmailTemplateRequest,
  PreviewEmailRequest,
  PreviewEmailResponse,
  SampleData,
  SendEmailRequest,
  SendEmailResponse,
} from "./records/email-templates/schema.js";
export type { Entity, EntityFields, EntityRequest } from "./records/entities/schema.js";
export type { EntityResponse } from "./records/entities/family.js";
export type { EntityGrant, EntityGrantFields, EntityGrantRequest } from "./records/entity-grants/schema.js";
export type { EntityTypePermission, PermissionFields, PermissionRequest } from "./records/entity-type-permissions/schema.js";
export type { PermissionResponse } from "./records/entity-type-permissions/family.js";
export type { EntityType, EntityTypeFields, EntityTypeRequest } from "./records/entity-types/schema.js";
export type { EntityTypeResponse } from "./records/entity-types/family.js";
export type { Group, GroupFields, GroupRequest } from "./records/groups/schema.js";
export type {
  GroupMember,
  GroupMembersRequest,
  GroupMembersResponse,
  NewGroupMember,
  RemoveMembersRequest,
} from "./records/group-members/schema.js";
export type { KeyAlgorithm, KeyType } from "./security/keys/algorithms.js";
export type { CertificateInformation } from "./security/keys/certificate.js";
export type { KeyParts } from "./security/keys/import-key.js";
export type { PublicJwk } from "./security/keys/public-key-data.js";
export type { PublicMembers } from "./security/keys/public-key-data.js";
export type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest } from "./records/keys/schema.js";
export type { JwkSet } from "./records/keys/family.js";
export type {
  BrokerIntegration,
  Integrations,
  IntegrationsRequest,
  ModerationIntegration,
  SmsIntegration,
} from "./records/integrations/schema.js";
export type { LambdaType, LambdaTypeAlias, LambdaTypeName } from "./availability/lambda-types.js";
export type {
  Lambda,
  LambdaFields,
  LambdaRequest,
  LambdaTestRequest,
  UnsavedLambdaTestRequest,
} from "./records/lambdas/schema.js";
export type { AuditLog, AuditLogFields, AuditLogRequest } from "./records/audit-logs/schema.js";
export type { EventLog, EventLogType } from "./records/event-logs/schema.js";
export type {
  ChangePasswordRequest,
  LoginIdType,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
} from "./records/logins/schema.js";
export type { RefreshRequest, RefreshToken } from "./records/refresh-tokens/schema.js";
export type { RefreshResponse } from "./records/refresh-tokens/family.js";
export type {
  IntrospectRequest,
  IntrospectResponse,
  TokenRequest,
  TokenResponse,
  UserInfoResponse,
} from "./records/oauth2/schema.js";
export type { ModerationNotification } from "./records/moderation/schema.js";
export type { CreatedRegistration, RegistrationRequest, RegistrationResponse } from "./records/registrations/schema.js";
export type { EventSetting, Tenant, TenantFields, TenantRequest } from "./records/tenants/schema.js";
export type { OpenApiDocument, SystemStatus, SystemVersion } from "./records/system/schema.js";
export type {
  EnableTwoFactorRequest,
  LegacyEnableRequest,
  SecretFields,
  SendCodeRequest,
  SendPendingCodeRequest,
  TwoFactorLoginRequest,
} from "./records/two-factor/schema.js";
export type { RecoveryCodes } from "./records/two-factor/family.js";
export type { TwoFactorSecret } from "./records/factors/totp.js";
export type { TwoFactor, TwoFactorDelivery, TwoFactorMethod } from "./records/factors/two-factor-state.js";
export type { IdentityProviderLink, PendingIdPLink } from "./records/identity-provider-links/schema.js";
export type { LoginRecord } from "./records/login-records/schema.js";
export type { LoginPreventingAction, UserActionLog } from "./records/user-action-logs/schema.js";
export type { UserActionReason } from "./records/user-action-reasons/schema.js";
export type { UserAction } from "./records/user-actions/schema.js";
export type { UserComment } from "./records/user-comments/schema.js";
export type {
  UserConsent,
  UserConsentFields,
  UserConsentRequest,
  UserConsentStatus,
  UserConsentUpdate,
} from "./records/user-consents/schema.js";
export type { Registration, RegistrationFields, User, UserFields, UserIdentity, UserRequest } from "./records/users/schema.js";
export type { Webhook, WebhookFields, WebhookRequest } from "./records/webhooks/schema.js";
export type { WebhookAttemptLog, WebhookEventLog, WebhookEventResult } from "./records/webhook-event-logs/schema.js";
export type { WebhookTestResponse } from "./records/webhooks/family.js";

// Write a transport.
export type { ApiRequest, ApiResponse, ByteStream, RequestBody } from "./ports/transport.js";
export type { CorsOptions } from "./http/transport/cors.js";

// Guard routes of your own.
export type {
  AccessRequirement,
  RequestIdentities,
  RequestIdentity,
  AuthorizedUser,
  GuardOperations,
  VerifyTokenOptions,
} from "./service/guard-requests.js";

// Send messages and calls: ports of the host.
export type {
  Broker,
  BrokerFactory,
  BrokerMessage,
  BrokerSettings,
  OutboundGuard,
  HttpClient,
  OutboundFailure,
  OutboundOutcome,
  OutboundRequest,
  OutboundTls,
  ModeratedUsername,
  ModerateUsername,
  MessageOutcome,
  SendOutcome,
  SendSms,
  SmsMessage,
  MailAddress,
  MailMessage,
  MailOutcome,
  MailTransport,
  ModerationResult,
} from "./ports/event-transport.js";

// Run and test lambdas.
export type { LambdaRuns, RunLambdaOptions } from "./lambdas/run/in-process-runs.js";
export type { LambdaArguments } from "./availability/lambda-types.js";
export type { ApplicationLambdas, TenantLambdas } from "./availability/lambda-paths.js";
export type { LambdaTestResult, LambdaTestOutcome } from "./records/lambdas/schema.js";
export type { LambdaFunction, LambdaOptions, LambdaScope } from "./ports/lambda-runner.js";

// Publish events.
export type {
  EventEntity,
  EventGroup,
  EventRegistration,
  EventShapes,
  EventUser,
  PublishedType,
} from "./delivery/events/event-shapes.js";
export type { EventOf, PublishInput } from "./messages/in-process-operations.js";
export type { SendSmsInput } from "./messages/in-process-operations.js";

// Receive events.
export type { Actor, EventInfo, RecordedEvent } from "./operations/events/recorded-event.js";
export { verifyWebhook } from "./delivery/webhooks/verify-webhook.js";
export { type WebhookKeys, type WebhookMessage, WebhookVerificationError } from "./delivery/webhooks/verify-webhook.js";

// Write a directory.
export type {
  Directory,
  DirectoryApplication,
  DirectoryContext,
  DirectoryRegistration,
  DirectoryRole,
  DirectoryUser,
} from "./ports/directory.js";
export type { Clock, IdGenerator, Logger, Random, Runtime } from "./ports/runtime.js";

// Watch it.
export type { Activity, ActivityEnd, Telemetry } from "./ports/telemetry.js";
