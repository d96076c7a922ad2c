/**
 * An identity administration service that lives inside your application.
 * Each name below is public API: it is in the API report, and it changes by the rules of semantic versioning.
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
} from "./service/rotate-secrets.js";
export type { AttemptKind, ThrottleLimits, ThrottleOptions } from "./security/throttle-limits.js";
export type { IdentityServiceOptions } from "./options.js";
export { type CookieOptions, defaultApiEntityId } from "./service/option-values.js";
export type { ApiPermissions, EntityPermissions } from "./http/authorize/api-permissions.js";
export type { DeliveryOptions } from "./delivery/engine/delivery-options.js";
export type { Names } from "./ports/names.js";
export type { Plan } from "./availability/plans.js";
export type { KickstartApiKey, KickstartDocument, KickstartRequest } from "./configuration/kickstart/kickstart-document.js";

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
export { type SchemaVersion, schemaHistory } from "./service/schema-history.js";

// Call it in process.
export { type Call, type CallOptions, etagOf, type InProcessApi } from "./in-process.js";
export type { InjectedRequest } from "./http/transport/inject.js";
export { type ErrorEntry, type FieldErrors, IdentityError, type IdentityErrorOptions } from "./errors/identity-error.js";
export { OAuthError, type OAuthErrorResponse } from "./errors/oauth-error.js";
export {
  type AllowedSource,
  type ApiKeyPrincipal,
  type ClientPrincipal,
  type EndpointGrants,
  type HostPrincipal,
  hostPrincipal,
  type Principal,
  type TokenClaims,
  type UserPrincipal,
} from "./http/authenticate/principal.js";
export { generateApiKey, isGeneratedApiKey } from "./security/generate-api-key.js";
export { toCanonicalJson } from "./json/canonical-json.js";
export { assertKnownOptions, type OptionNames } from "./shared/known-options.js";

// The records and what can be done with them.
export type { FamilyOperations } from "./resources/index.js";
export type { BaseRecord } from "./operations/family.js";
export type { OperationSignature } from "./operations/operation.js";
export type {
  IdInput,
  PageCriteria,
  PatchInput,
  SearchInput,
  SearchOutput,
} from "./operations/wire-types.js";
export type { AccessRule } from "./http/authenticate/access-list.js";
export type { AccessList, AccessListFields, AccessListRequest } from "./resources/access-lists/schema.js";
export type { AccessListOperations, AccessListResponse } from "./resources/access-lists/routes.js";
export type { ApiKey, ApiKeyFields, ApiKeyPermissions, ApiKeyRequest, GrantMethod } from "./resources/api-keys/schema.js";
export type { ApiKeyOperations } from "./resources/api-keys/routes.js";
export type { Application, ApplicationFields, ApplicationRequest } from "./resources/applications/schema.js";
export type { ApplicationCriteria, ApplicationOperations } from "./resources/applications/routes.js";
export type { RemoveApplicationInput, UpdateApplicationInput } from "./resources/applications/rules.js";
export type { ApplicationRole, RoleFields, RoleRequest } from "./resources/application-roles/schema.js";
export type { ApplicationRoleOperations } from "./resources/application-roles/routes.js";
export type { RemoveRoleInput } from "./resources/application-roles/rules.js";
export type { Consent, ConsentFields, ConsentRequest, EmailPlus } from "./resources/consents/schema.js";
export type { ConsentCriteria, ConsentOperations } from "./resources/consents/routes.js";
export type {
  FormField,
  FormFieldControl,
  FormFieldFields,
  FormFieldRequest,
  FormFieldType,
} from "./resources/form-fields/schema.js";
export type { FormFieldOperations } from "./resources/form-fields/routes.js";
export type {
  DescribedField,
  DescribeFormInput,
  DescribeFormResponse,
  Form,
  FormDefinition,
  FormObjects,
  FormRequest,
  FormStep,
  FormType,
  MessageBundle,
  ThemeMessages,
  ValidateFormInput,
  ValidateFormRequest,
  ValidateFormResponse,
} from "./resources/forms/schema.js";
export type { FormOperations } from "./resources/forms/routes.js";
export type {
  EmailRecipient,
  EmailTemplate,
  EmailTemplateFields,
  EmailTemplateRequest,
  EmailTextErrors,
  PreviewEmailRequest,
  PreviewEmailResponse,
  SampleData,
  SendEmailRequest,
  SendEmailResponse,
} from "./resources/email-templates/schema.js";
export type { EmailTemplateCriteria, EmailTemplateOperations } from "./resources/email-templates/routes.js";
export type { Entity, EntityFields, EntityRequest } from "./resources/entities/schema.js";
export type { EntityCriteria, EntityOperations, EntityResponse } from "./resources/entities/routes.js";
export type { EntityGrant, EntityGrantFields, EntityGrantRequest } from "./resources/entity-grants/schema.js";
export type { EntityGrantCriteria, EntityGrantOperations } from "./resources/entity-grants/routes.js";
export type { FindGrantsInput, FindGrantsOutput, UpsertGrantInput } from "./resources/entity-grants/rules.js";
export type { EntityTypePermission, PermissionFields, PermissionRequest } from "./resources/entity-type-permissions/schema.js";
export type { EntityTypePermissionOperations, PermissionResponse } from "./resources/entity-type-permissions/routes.js";
export type { RemovePermissionInput } from "./resources/entity-type-permissions/rules.js";
export type { EntityType, EntityTypeFields, EntityTypeRequest } from "./resources/entity-types/schema.js";
export type { EntityTypeOperations, EntityTypeResponse } from "./resources/entity-types/routes.js";
export type { Group, GroupFields, GroupRequest } from "./resources/groups/schema.js";
export type { GroupCriteria, GroupOperations } from "./resources/groups/routes.js";
export type {
  GroupMember,
  GroupMembersRequest,
  GroupMembersResponse,
  NewGroupMember,
  RemoveMembersRequest,
} from "./resources/group-members/schema.js";
export type { GroupMemberCriteria, GroupMemberOperations } from "./resources/group-members/routes.js";
export type { RemoveMembersInput } from "./resources/group-members/rules.js";
export type { KeyAlgorithm, KeyType } from "./security/keys/algorithms.js";
export type { CertificateInformation } from "./security/keys/certificate.js";
export type { KeyParts } from "./security/keys/import-key.js";
export type { PublicJwk } from "./security/keys/public-jwk.js";
export type { PublicMembers } from "./security/keys/public-key-data.js";
export type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest } from "./resources/keys/schema.js";
export type { KeyCriteria, KeyOperations } from "./resources/keys/routes.js";
export type { JwkSet, PublicKeyInput, PublicKeyOutput } from "./resources/keys/rules.js";
export type {
  BrokerIntegration,
  Integrations,
  IntegrationsRequest,
  ModerationIntegration,
  SmsIntegration,
} from "./resources/integrations/schema.js";
export type { IntegrationOperations } from "./resources/integrations/routes.js";
export type { LambdaType, LambdaTypeAlias, LambdaTypeName } from "./lambdas/types/lambda-types.js";
export type {
  Lambda,
  LambdaFields,
  LambdaRequest,
  LambdaTestRequest,
  UnsavedLambdaTestRequest,
} from "./resources/lambdas/schema.js";
export type { CreateLambdaInput, LambdaCriteria, LambdaOperations, TestLambdaInput } from "./resources/lambdas/routes.js";
export type { AuditLogCriteria, AuditLogOperations } from "./resources/audit-logs/routes.js";
export type { AuditLog, AuditLogFields, AuditLogRequest } from "./resources/audit-logs/schema.js";
export type { EventLog, EventLogType } from "./resources/event-logs/schema.js";
export type { EventLogCriteria, EventLogOperations } from "./resources/event-logs/routes.js";
export type {
  ChangePasswordRequest,
  LoginIdType,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
} from "./resources/logins/schema.js";
export type { LoginOperations, LoginPingInput } from "./resources/logins/routes.js";
export type { RefreshRequest, RefreshToken } from "./resources/refresh-tokens/schema.js";
export type { JwtOperations, RefreshResponse, RevokeTokensInput } from "./resources/refresh-tokens/routes.js";
export type {
  IntrospectRequest,
  IntrospectResponse,
  TokenRequest,
  TokenResponse,
  UserInfoResponse,
} from "./resources/oauth2/schema.js";
export type { OAuth2Operations } from "./resources/oauth2/routes.js";
export type { ModerationNotification } from "./resources/moderation/schema.js";
export type { ModerationOperations } from "./resources/moderation/routes.js";
export type { CreatedRegistration, RegistrationRequest, RegistrationResponse } from "./resources/registrations/schema.js";
export type { RegistrationOperations } from "./resources/registrations/routes.js";
export type { UpdateRegistrationInput } from "./resources/registrations/rules.js";
export type { EventSetting, Tenant, TenantFields, TenantRequest } from "./resources/tenants/schema.js";
export type { OpenApiDocument, SystemStatus, SystemVersion } from "./resources/system/schema.js";
export type { SystemOperations } from "./resources/system/routes.js";
export type { TenantOperations } from "./resources/tenants/routes.js";
export type { RemoveTenantInput } from "./resources/tenants/rules.js";
export type {
  EnableTwoFactorRequest,
  LegacyEnableRequest,
  SecretFields,
  SendCodeRequest,
  SendPendingCodeRequest,
  TwoFactorLoginRequest,
} from "./resources/two-factor/schema.js";
export type {
  DisableTwoFactorInput,
  RecoveryCodes,
  TwoFactorOperations,
  TwoFactorUserInput,
} from "./resources/two-factor/routes.js";
export type { TwoFactorSecret } from "./accounts/two-factor/totp.js";
export type { TwoFactor, TwoFactorDelivery, TwoFactorMethod } from "./resources/users/two-factor-state.js";
export type {
  UserConsent,
  UserConsentFields,
  UserConsentRequest,
  UserConsentStatus,
  UserConsentUpdate,
} from "./resources/user-consents/schema.js";
export type { UserConsentOperations } from "./resources/user-consents/routes.js";
export type {
  FindUserInput,
  Registration,
  RegistrationFields,
  User,
  UserFields,
  UserIdentity,
  UserRequest,
  RemoveUserInput,
} from "./resources/users/schema.js";
export type { UserCriteria, UserOperations } from "./resources/users/routes.js";
export type { UpdateUserInput } from "./resources/users/rules.js";
export type { Webhook, WebhookFields, WebhookRequest } from "./resources/webhooks/schema.js";
export type { WebhookAttemptLog, WebhookEventLog, WebhookEventResult } from "./resources/webhook-event-logs/schema.js";
export type { WebhookEventLogCriteria, WebhookEventLogOperations } from "./resources/webhook-event-logs/routes.js";
export type { WebhookCriteria, WebhookOperations, WebhookTestResponse } from "./resources/webhooks/routes.js";

// Write a transport.
export type { ApiRequest, ApiResponse, ByteStream, RequestBody } from "./ports/transport.js";

// Send what leaves the service.
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

// Run lambdas, and try them out.
export type { BodyOutcome, ScriptExecution } from "./lambdas/run/execute-script.js";
export type { LambdaKit } from "./lambdas/kit/lambda-kit.js";
export { loadLambdaKit } from "./lambdas/kit/load-lambda-kit.js";
export type { LambdaRuns, RunLambdaOptions } from "./lambdas/run/lambda-runs.js";
export type { LambdaArguments } from "./lambdas/run/read-changes.js";

export type { ApplicationLambdas, TenantLambdas } from "./lambdas/types/lambda-paths.js";
export type { LambdaTestResult, LambdaTestOutcome } from "./lambdas/kit/test-run.js";
export type { LambdaFunction, LambdaOptions, LambdaScope } from "./lambdas/run/settings.js";
export {
  type ConsoleLevel,
  type ConsoleLine,
  defaultLambdaLimits,
  type LambdaFailure,
  type LambdaFailureKind,
  type LambdaHost,
  type LambdaLimits,
  type LambdaOutcome,
  type LambdaRun,
  type LambdaRunner,
  type LambdaRunnerState,
  type LambdaScript,
} from "./ports/lambda-runner.js";

// Publish events.
export type {
  EventEntity,
  EventGroup,
  EventRegistration,
  EventShapes,
  EventUser,
  PublishedType,
} from "./delivery/events/event-shapes.js";
export type { EventOf, EventOperations, PublishInput } from "./delivery/events/publish-operation.js";
export type { SendSmsInput, SmsOperations } from "./delivery/sms/send-operation.js";

// Write lambdas: what their arguments look like.
export type {
  ChangedArguments,
  GivenArguments,
  GivenValue,
  JWTPopulateContext,
  LambdaArgumentsOf,
  LambdaContext,
  LambdaTypeOf,
  LoginValidationContext,
  MFARequirementContext,
  OptionalArgument,
  RegistrationFormContext,
  ScopedContext,
} from "./lambdas/types/lambda-arguments.js";
export type {
  LambdaClaims,
  LambdaEntity,
  LambdaError,
  LambdaGroup,
  LambdaGroupMember,
  LambdaMembership,
  LambdaRegistration,
  LambdaTargetEntity,
  LambdaUser,
  LdapAttributes,
  MFARequirementResult,
  OpenIdTokens,
  OpenRecord,
  PersonClaims,
  SamlAssertion,
  SamlResponse,
  ScimGroup,
  ScimMeta,
  ScimName,
  ScimOptions,
  ScimResource,
  ScimUser,
  ScimValue,
  ValidationResult,
} from "./lambdas/types/lambda-shapes.js";

// Receive events.
export type { Actor, EventInfo, RecordedEvent } from "./delivery/events/recorded-event.js";
export { verifyWebhook } from "./delivery/webhooks/verify-webhook.js";
export { type WebhookKeys, type WebhookMessage, WebhookVerificationError } from "./delivery/webhooks/webhook-message.js";

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

// Write a storage.
export {
  type Column,
  type ColumnType,
  type ColumnValue,
  type Criteria,
  type Filter,
  type FindOptions,
  globalScope,
  type Lease,
  type LogRecord,
  type OnRemove,
  type PositionRange,
  type RecordToStore,
  type SearchPage,
  type SortField,
  StaleVersion,
  type Storage,
  type StorageCapabilities,
  type StorageReader,
  type StorageSignals,
  ResultTooLarge,
  type SizeLimit,
  StorageUnavailable,
  type StoredRecord,
  type Table,
  type TableIndex,
  type TenantScope,
  type TextPattern,
  type Transaction,
  type TransactionOptions,
  tenantScope,
  type UniqueKey,
  UniqueViolation,
} from "./ports/storage.js";
export {
  type ColumnsOf,
  compareSortValues,
  compareValues,
  evaluateFilter,
  type RelatedRecords,
  sortValue,
} from "./search/evaluate-criteria.js";
