/**
 * Types of records, requests, responses and operations by family, for the in-process API and the client; and the rules for
 * themes.
 */

export type { ApplicationLambdas, TenantLambdas } from "../../src/availability/lambda-paths.js";
export type {
  EventEntity,
  EventGroup,
  EventRegistration,
  EventShapes,
  EventUser,
  PublishedType,
} from "../../src/delivery/events/event-shapes.js";
export type { FamilyOperations } from "../../src/families/index.js";
export type { AccessRule } from "../../src/http/authenticate/access-list.js";
export type { AnonymousCaller } from "../../src/http/authenticate/anonymous-caller.js";
export type { LambdaPrincipal, VisitorPrincipal } from "../../src/http/authenticate/principal.js";
export type { UserImport, UserImportOptions, UserImports } from "../../src/import/import-jobs/in-process-import.js";
export type { LambdaRuns, RunLambdaOptions } from "../../src/lambdas/run/in-process-runs.js";
export type {
  EventOf,
  EventOperations,
  PublishInput,
  SendSmsInput,
  SmsOperations,
} from "../../src/messages/in-process-operations.js";
export type { OpenIdHost } from "../../src/openid/openid-host.js";
export type { OpenIdUnit } from "../../src/openid/openid-unit.js";
export type { AccessTokenRequest, IdTokenRequest } from "../../src/openid/sign-tokens.js";
export type { OpenIdUser } from "../../src/openid/user.js";
export type { BaseRecord } from "../../src/operations/family/family.js";
export type {
  IdInput,
  PageCriteria,
  PatchInput,
  RecordOperations,
  SearchableOperations,
  SearchInput,
  SearchOperation,
  SearchOutput,
} from "../../src/operations/family/family-row.js";
export type { OperationSignature, StreamSignature } from "../../src/operations/operation.js";
export type { AccessListOperations, AccessListResponse } from "../../src/records/access-lists/family.js";
export type { AccessList, AccessListFields, AccessListRequest } from "../../src/records/access-lists/schema.js";
export type { ApiKeyOperations } from "../../src/records/api-keys/family.js";
export type { ApiKey, ApiKeyFields, ApiKeyPermissions, ApiKeyRequest, GrantMethod } from "../../src/records/api-keys/schema.js";
export type { ApplicationRoleOperations, RemoveRoleInput } from "../../src/records/application-roles/family.js";
export type { ApplicationRole, RoleFields, RoleRequest } from "../../src/records/application-roles/schema.js";
export type {
  ApplicationCriteria,
  ApplicationOperations,
  RemoveApplicationInput,
  UpdateApplicationInput,
} from "../../src/records/applications/family.js";
export type { Application, ApplicationFields, ApplicationRequest } from "../../src/records/applications/schema.js";
export type { AuditLogOperations } from "../../src/records/audit-logs/family.js";
export type {
  AuditedMember,
  AuditLog,
  AuditLogCriteria,
  AuditLogFields,
  AuditLogRequest,
  ExportAuditLogsRequest,
} from "../../src/records/audit-logs/schema.js";
export type { ConsentCriteria, ConsentOperations } from "../../src/records/consents/family.js";
export type { Consent, ConsentFields, ConsentRequest, EmailPlus } from "../../src/records/consents/schema.js";
export type { EmailTemplateCriteria, EmailTemplateOperations } from "../../src/records/email-templates/family.js";
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
} from "../../src/records/email-templates/schema.js";
export type { EntityCriteria, EntityOperations, EntityResponse } from "../../src/records/entities/family.js";
export type { Entity, EntityFields, EntityRequest } from "../../src/records/entities/schema.js";
export type {
  EntityGrantCriteria,
  EntityGrantOperations,
  FindGrantsInput,
  FindGrantsOutput,
  UpsertGrantInput,
} from "../../src/records/entity-grants/family.js";
export type { EntityGrant, EntityGrantFields, EntityGrantRequest } from "../../src/records/entity-grants/schema.js";
export type {
  EntityTypePermissionOperations,
  PermissionResponse,
  RemovePermissionInput,
} from "../../src/records/entity-type-permissions/family.js";
export type {
  EntityTypePermission,
  PermissionFields,
  PermissionRequest,
} from "../../src/records/entity-type-permissions/schema.js";
export type { EntityTypeOperations, EntityTypeResponse } from "../../src/records/entity-types/family.js";
export type { EntityType, EntityTypeFields, EntityTypeRequest } from "../../src/records/entity-types/schema.js";
export type { EventLogCriteria, EventLogOperations } from "../../src/records/event-logs/family.js";
export type { EventLog, EventLogType } from "../../src/records/event-logs/schema.js";
export type { TwoFactorSecret } from "../../src/records/factors/totp.js";
export type { TwoFactor, TwoFactorDelivery, TwoFactorMethod } from "../../src/records/factors/two-factor-state.js";
export type { FormFieldOperations } from "../../src/records/form-fields/family.js";
export type {
  FormField,
  FormFieldControl,
  FormFieldFields,
  FormFieldRequest,
  FormFieldType,
} from "../../src/records/form-fields/schema.js";
export type { FormOperations } from "../../src/records/forms/family.js";
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
} from "../../src/records/forms/schema.js";
export type { GroupMemberCriteria, GroupMemberOperations, RemoveMembersInput } from "../../src/records/group-members/family.js";
export type {
  GroupMember,
  GroupMembersRequest,
  GroupMembersResponse,
  NewGroupMember,
  RemoveMembersRequest,
} from "../../src/records/group-members/schema.js";
export type { GroupCriteria, GroupOperations } from "../../src/records/groups/family.js";
export type { Group, GroupFields, GroupRequest } from "../../src/records/groups/schema.js";
export type {
  FindLinksInput,
  IdentityProviderLinkCriteria,
  IdentityProviderLinkOperations,
  IdentityProviderLinkResponse,
  PendingLinkResponse,
} from "../../src/records/identity-provider-links/family.js";
export type {
  IdentityProviderLink,
  IdentityProviderLinkFields,
  IdentityProviderLinkRequest,
  PendingIdPLink,
} from "../../src/records/identity-provider-links/schema.js";
export type {
  DomainLookupInput,
  DomainLookupResponse,
  ExternalLoginResponse,
  IdentityProviderCriteria,
  IdentityProviderOperations,
} from "../../src/records/identity-providers/family.js";
export type {
  IdentityProvider,
  IdentityProviderApplication,
  IdentityProviderFields,
  IdentityProviderOAuth2,
  IdentityProviderRequest,
  IdentityProviderTenant,
  IdentityProviderTypeFields,
} from "../../src/records/identity-providers/fields.js";
export type {
  ExternalLoginRequest,
  ExternalLoginStartRequest,
  ExternalLoginStartResponse,
  PendingLinkLoginResponse,
  ReconcileRequest,
} from "../../src/records/identity-providers/login-schema.js";
export type { IdentityProviderType, LinkingStrategy } from "../../src/records/identity-providers/types.js";
export type { ImportJobOperations } from "../../src/records/import-jobs/family.js";
export type {
  CreateImportJobInput,
  ImportEvents,
  ImportJob,
  ImportJobOptions,
  ImportJobState,
  ImportResult,
  OnDuplicate,
} from "../../src/records/import-jobs/schema.js";
export type { IntegrationOperations } from "../../src/records/integrations/family.js";
export type {
  BrokerIntegration,
  Integrations,
  IntegrationsRequest,
  ModerationIntegration,
  SmsIntegration,
} from "../../src/records/integrations/schema.js";
export type { JwkSet, KeyCriteria, KeyOperations, PublicKeyInput, PublicKeyOutput } from "../../src/records/keys/family.js";
export type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest } from "../../src/records/keys/schema.js";
export type { CreateLambdaInput, LambdaCriteria, LambdaOperations, TestLambdaInput } from "../../src/records/lambdas/family.js";
export type {
  Lambda,
  LambdaFields,
  LambdaPermissions,
  LambdaRequest,
  LambdaTestOutcome,
  LambdaTestRequest,
  LambdaTestResult,
  UnsavedLambdaTestRequest,
} from "../../src/records/lambdas/schema.js";
export type { LoginRecordCriteria, LoginRecordOperations, RecentLoginsInput } from "../../src/records/login-records/family.js";
export type { LoginRecord } from "../../src/records/login-records/schema.js";
export type { LoginOperations, LoginPingInput } from "../../src/records/logins/family.js";
export type {
  ChangePasswordRequest,
  LoginIdType,
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  PasswordChangeResponse,
  SecondFactorResponse,
} from "../../src/records/logins/schema.js";
export type { MessageTemplateOperations } from "../../src/records/message-templates/family.js";
export type {
  MessageTemplate,
  MessageTemplateFields,
  MessageTemplateRequest,
  PreviewMessageRequest,
  PreviewMessageResponse,
} from "../../src/records/message-templates/schema.js";
export type { MessengerOperations } from "../../src/records/messengers/family.js";
export type {
  MessageType,
  Messenger,
  MessengerFields,
  MessengerRequest,
  MessengerType,
} from "../../src/records/messengers/schema.js";
export type { ModerationOperations } from "../../src/records/moderation/family.js";
export type { ModerationNotification } from "../../src/records/moderation/schema.js";
export type { OAuth2Operations } from "../../src/records/oauth2/family.js";
export type {
  IntrospectRequest,
  IntrospectResponse,
  TokenRequest,
  TokenResponse,
  UserInfoResponse,
} from "../../src/records/oauth2/schema.js";
export type { OpenIdContent } from "../../src/records/openid-records.js";
export type { PasskeyOperations, PasskeyUserInput, RemovePasskeysInput } from "../../src/records/passkeys/family.js";
export type {
  AttestationType,
  ImportedPasskey,
  Passkey,
  PasskeyAssertRequest,
  PasskeyFields,
  PasskeyImportRequest,
  PasskeyLoginRequest,
  PasskeyRegistrationRequest,
  PasskeyRegistrationStartRequest,
  PasskeyStartRequest,
  PasskeyWorkflowName,
} from "../../src/records/passkeys/schema.js";
export type {
  AssertedCredential,
  CreatedCredential,
  CredentialDescriptor,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "../../src/records/passkeys/web-authn.js";
export type { JwtOperations, RefreshResponse, RevokeTokensInput } from "../../src/records/refresh-tokens/family.js";
export type { RefreshRequest, RefreshToken } from "../../src/records/refresh-tokens/schema.js";
export type { RegistrationOperations, UpdateRegistrationInput } from "../../src/records/registrations/family.js";
export type { CreatedRegistration, RegistrationRequest, RegistrationResponse } from "../../src/records/registrations/schema.js";
export type { OAuthSettings } from "../../src/records/settings/oauth-settings.js";
export type { SystemOperations } from "../../src/records/system/family.js";
export type { OpenApiDocument, SystemStatus, SystemVersion } from "../../src/records/system/schema.js";
export type { RemoveTenantInput, TenantOperations } from "../../src/records/tenants/family.js";
export type { EventSetting, Tenant, TenantFields, TenantRequest } from "../../src/records/tenants/schema.js";
export { defaultThemeId, type ThemeCriteria, type ThemeOperations } from "../../src/records/themes/family.js";
export type { Theme, ThemeFields, ThemeRequest } from "../../src/records/themes/schema.js";
export {
  assertTheme,
  colorTokens,
  isLogoUrl,
  type MessageTexts,
  type PageColors,
  type PageMessages,
  type PageTheme,
} from "../../src/records/themes/theme-rules.js";
export type {
  DisableTwoFactorInput,
  RecoveryCodes,
  TwoFactorOperations,
  TwoFactorStatusInput,
  TwoFactorUserInput,
} from "../../src/records/two-factor/family.js";
export type {
  EnableTwoFactorRequest,
  LegacyEnableRequest,
  SecretFields,
  SendCodeRequest,
  SendPendingCodeRequest,
  TwoFactorLoginRequest,
} from "../../src/records/two-factor/schema.js";
export type { UserActionLogFilter, UserActionLogOperations } from "../../src/records/user-action-logs/family.js";
export type {
  LoginPreventingAction,
  UserActionBroadcast,
  UserActionChange,
  UserActionHistoryItem,
  UserActionLog,
  UserActionLogRequest,
  UserActionLogUpdate,
  UserActionStart,
  UserActionTexts,
} from "../../src/records/user-action-logs/schema.js";
export type { UserActionReasonOperations } from "../../src/records/user-action-reasons/family.js";
export type {
  UserActionReason,
  UserActionReasonFields,
  UserActionReasonRequest,
} from "../../src/records/user-action-reasons/schema.js";
export type { UserActionOperations } from "../../src/records/user-actions/family.js";
export type { UserAction, UserActionFields, UserActionOption, UserActionRequest } from "../../src/records/user-actions/schema.js";
export type { UserCommentCriteria, UserCommentOperations } from "../../src/records/user-comments/family.js";
export type { UserComment, UserCommentFields, UserCommentRequest } from "../../src/records/user-comments/schema.js";
export type { UserConsentOperations } from "../../src/records/user-consents/family.js";
export type {
  UserConsent,
  UserConsentFields,
  UserConsentRequest,
  UserConsentStatus,
  UserConsentUpdate,
} from "../../src/records/user-consents/schema.js";
export type { RemoveUserInput, UpdateUserInput, UserOperations } from "../../src/records/users/family.js";
export type {
  FindUserInput,
  Registration,
  RegistrationFields,
  User,
  UserCriteria,
  UserFields,
  UserIdentity,
  UserRequest,
} from "../../src/records/users/schema.js";
export type { WebhookEventLogCriteria, WebhookEventLogOperations } from "../../src/records/webhook-event-logs/family.js";
export type { WebhookAttemptLog, WebhookEventLog, WebhookEventResult } from "../../src/records/webhook-event-logs/schema.js";
export type { WebhookCriteria, WebhookOperations, WebhookTestResponse } from "../../src/records/webhooks/family.js";
export type { Webhook, WebhookFields, WebhookRequest } from "../../src/records/webhooks/schema.js";
export type { RequestOperations } from "../../src/request-operations.js";
export type { KeyAlgorithm, KeyType } from "../../src/security/keys/algorithms.js";
export type { CertificateInformation } from "../../src/security/keys/certificate.js";
export type { KeyParts } from "../../src/security/keys/import-key.js";
export type { PublicJwk, PublicMembers } from "../../src/security/keys/public-key-data.js";
export type { ChainHead } from "../../src/service/audit/audit-chain.js";
export type { AuditFault, AuditOperations, AuditVerification, AuditVerifyOptions } from "../../src/service/audit/verify-audit.js";
export type { WriteChange } from "../../src/service/audit/write-hook.js";
export type {
  RotationProgress,
  RotationResult,
  SealedCounts,
  SecretOperations,
} from "../../src/service/secrets/rotate-secrets.js";
export type { OpenIdTenant } from "../../src/sessions/ending/read-tenant.js";
export type { OpenIdClient } from "../../src/sign-in/oauth2/application-client.js";
