/** The types of all operations, by family: what each takes and returns, in process and with the client; and the rules for themes. */

export type { FamilyOperations } from "../../src/families/index.js";
export type { AnonymousCaller } from "../../src/http/authenticate/anonymous-caller.js";
export type { LambdaPrincipal, VisitorPrincipal } from "../../src/http/authenticate/principal.js";
export type { UserImport, UserImportOptions, UserImports } from "../../src/import/import-jobs/in-process-import.js";
export type { EventOperations, SmsOperations } from "../../src/messages/in-process-operations.js";
export type { OpenIdHost } from "../../src/openid/openid-host.js";
export type { OpenIdUnit } from "../../src/openid/openid-unit.js";
export type { AccessTokenRequest, IdTokenRequest } from "../../src/openid/sign-tokens.js";
export type { OpenIdUser } from "../../src/openid/user.js";
export type { IdInput, PageCriteria, PatchInput, SearchInput, SearchOutput } from "../../src/operations/family/family-row.js";
export type { OperationSignature, StreamSignature } from "../../src/operations/operation.js";
export type {
  NewPasskey,
  PasskeyAlgorithm,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCheck,
  PasskeyFailure,
  PasskeyFlags,
  PasskeyPublicKey,
  PasskeyVerifier,
} from "../../src/ports/passkeys.js";
export type {
  ConnectorLogin,
  ConnectorUser,
  IdentityProviderClient,
  PasswordConnector,
  ProviderLoginResponse,
  ProviderLoginStart,
  ProviderRedirect,
  ProviderUser,
  SignInFailure,
  SignInHost,
  SignInKey,
  SignInRecord,
} from "../../src/ports/sign-in.js";
export type { AccessListOperations } from "../../src/records/access-lists/family.js";
export type { ApiKeyOperations } from "../../src/records/api-keys/family.js";
export type { ApplicationRoleOperations, RemoveRoleInput } from "../../src/records/application-roles/family.js";
export type {
  ApplicationCriteria,
  ApplicationOperations,
  RemoveApplicationInput,
  UpdateApplicationInput,
} from "../../src/records/applications/family.js";
export type { AuditLogOperations } from "../../src/records/audit-logs/family.js";
export type { AuditedMember, AuditLogCriteria, ExportAuditLogsRequest } from "../../src/records/audit-logs/schema.js";
export type { ConsentCriteria, ConsentOperations } from "../../src/records/consents/family.js";
export type { EmailTemplateCriteria, EmailTemplateOperations } from "../../src/records/email-templates/family.js";
export type { EntityCriteria, EntityOperations } from "../../src/records/entities/family.js";
export type {
  EntityGrantCriteria,
  EntityGrantOperations,
  FindGrantsInput,
  FindGrantsOutput,
  UpsertGrantInput,
} from "../../src/records/entity-grants/family.js";
export type {
  EntityTypePermissionOperations,
  RemovePermissionInput,
} from "../../src/records/entity-type-permissions/family.js";
export type { EntityTypeOperations } from "../../src/records/entity-types/family.js";
export type { EventLogCriteria, EventLogOperations } from "../../src/records/event-logs/family.js";
export type { FormFieldOperations } from "../../src/records/form-fields/family.js";
export type { FormOperations } from "../../src/records/forms/family.js";
export type { DescribeFormInput, ValidateFormInput } from "../../src/records/forms/schema.js";
export type { GroupMemberCriteria, GroupMemberOperations, RemoveMembersInput } from "../../src/records/group-members/family.js";
export type { GroupCriteria, GroupOperations } from "../../src/records/groups/family.js";
export type {
  FindLinksInput,
  IdentityProviderLinkCriteria,
  IdentityProviderLinkOperations,
  IdentityProviderLinkResponse,
  PendingLinkResponse,
} from "../../src/records/identity-provider-links/family.js";
export type {
  IdentityProviderLinkFields,
  IdentityProviderLinkRequest,
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
export type { KeyCriteria, KeyOperations, PublicKeyInput, PublicKeyOutput } from "../../src/records/keys/family.js";
export type { CreateLambdaInput, LambdaCriteria, LambdaOperations, TestLambdaInput } from "../../src/records/lambdas/family.js";
export type { LambdaPermissions } from "../../src/records/lambdas/schema.js";
export type { LoginRecordCriteria, LoginRecordOperations, RecentLoginsInput } from "../../src/records/login-records/family.js";
export type { LoginOperations, LoginPingInput } from "../../src/records/logins/family.js";
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
export type { OAuth2Operations } from "../../src/records/oauth2/family.js";
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
export type { JwtOperations, RevokeTokensInput } from "../../src/records/refresh-tokens/family.js";
export type { RegistrationOperations, UpdateRegistrationInput } from "../../src/records/registrations/family.js";
export type { OAuthSettings } from "../../src/records/settings/oauth-settings.js";
export type { SystemOperations } from "../../src/records/system/family.js";
export type { RemoveTenantInput, TenantOperations } from "../../src/records/tenants/family.js";
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
  TwoFactorOperations,
  TwoFactorStatusInput,
  TwoFactorUserInput,
} from "../../src/records/two-factor/family.js";
export type { UserActionLogFilter, UserActionLogOperations } from "../../src/records/user-action-logs/family.js";
export type {
  UserActionBroadcast,
  UserActionChange,
  UserActionHistoryItem,
  UserActionLogRequest,
  UserActionLogUpdate,
  UserActionStart,
  UserActionTexts,
} from "../../src/records/user-action-logs/schema.js";
export type { UserActionReasonOperations } from "../../src/records/user-action-reasons/family.js";
export type { UserActionReasonFields, UserActionReasonRequest } from "../../src/records/user-action-reasons/schema.js";
export type { UserActionOperations } from "../../src/records/user-actions/family.js";
export type { UserActionFields, UserActionOption, UserActionRequest } from "../../src/records/user-actions/schema.js";
export type { UserCommentCriteria, UserCommentOperations } from "../../src/records/user-comments/family.js";
export type { UserCommentFields, UserCommentRequest } from "../../src/records/user-comments/schema.js";
export type { UserConsentOperations } from "../../src/records/user-consents/family.js";
export type { UpdateUserInput, UserCriteria, UserOperations } from "../../src/records/users/family.js";
export type { FindUserInput, RemoveUserInput } from "../../src/records/users/schema.js";
export type { WebhookEventLogCriteria, WebhookEventLogOperations } from "../../src/records/webhook-event-logs/family.js";
export type { WebhookCriteria, WebhookOperations } from "../../src/records/webhooks/family.js";
export type { RequestOperations } from "../../src/request-operations.js";
export type { ChainHead } from "../../src/service/audit/audit-chain.js";
export type { AuditFault, AuditOperations, AuditVerification, AuditVerifyOptions } from "../../src/service/audit/verify-audit.js";
export type { WriteChange } from "../../src/service/audit/write-hook.js";
export type {
  Protocol,
  ProtocolBody,
  ProtocolCache,
  ProtocolCall,
  ProtocolHandler,
  ProtocolHost,
  ProtocolService,
} from "../../src/service/protocol.js";
export type { OpenIdTenant } from "../../src/sessions/ending/read-tenant.js";
export type { OpenIdClient } from "../../src/sign-in/oauth2/application-client.js";
