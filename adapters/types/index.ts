/** The types of all operations, by family: what each takes and returns, in process and with the client; and the rules for themes. */
export type { UserImport, UserImportOptions, UserImports } from "../../src/accounts/bulk/jobs/in-process-import.js";
export type { OpenIdClient } from "../../src/accounts/openid/application-client.js";
export type { OpenIdHost } from "../../src/accounts/openid/openid-host.js";
export type { OpenIdUnit } from "../../src/accounts/openid/openid-unit.js";
export type { OpenIdTenant } from "../../src/accounts/openid/read-tenant.js";
export type { OpenIdContent } from "../../src/accounts/openid/records.js";
export type { AccessTokenRequest, IdTokenRequest } from "../../src/accounts/openid/sign-tokens.js";
export type { OpenIdUser } from "../../src/accounts/openid/user.js";
export type { OAuthSettings } from "../../src/accounts/settings/oauth-settings.js";
export type { EventOperations, SmsOperations } from "../../src/delivery/in-process-operations.js";
export type { AnonymousCaller } from "../../src/http/authenticate/anonymous-caller.js";
export type { LambdaPrincipal, VisitorPrincipal } from "../../src/http/authenticate/principal.js";
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
export type { RequestOperations } from "../../src/request-operations.js";
export type { AccessListOperations } from "../../src/resources/access-lists/family.js";
export type { ApiKeyOperations } from "../../src/resources/api-keys/family.js";
export type { ApplicationRoleOperations, RemoveRoleInput } from "../../src/resources/application-roles/family.js";
export type {
  ApplicationCriteria,
  ApplicationOperations,
  RemoveApplicationInput,
  UpdateApplicationInput,
} from "../../src/resources/applications/family.js";
export type { AuditLogOperations } from "../../src/resources/audit-logs/family.js";
export type { AuditedMember, AuditLogCriteria, ExportAuditLogsRequest } from "../../src/resources/audit-logs/schema.js";
export type { ConsentCriteria, ConsentOperations } from "../../src/resources/consents/family.js";
export type { EmailTemplateCriteria, EmailTemplateOperations } from "../../src/resources/email-templates/family.js";
export type { EntityCriteria, EntityOperations } from "../../src/resources/entities/family.js";
export type {
  EntityGrantCriteria,
  EntityGrantOperations,
  FindGrantsInput,
  FindGrantsOutput,
  UpsertGrantInput,
} from "../../src/resources/entity-grants/family.js";
export type {
  EntityTypePermissionOperations,
  RemovePermissionInput,
} from "../../src/resources/entity-type-permissions/family.js";
export type { EntityTypeOperations } from "../../src/resources/entity-types/family.js";
export type { EventLogCriteria, EventLogOperations } from "../../src/resources/event-logs/family.js";
export type { FormFieldOperations } from "../../src/resources/form-fields/family.js";
export type { FormOperations } from "../../src/resources/forms/family.js";
export type { DescribeFormInput, ValidateFormInput } from "../../src/resources/forms/schema.js";
export type { GroupMemberCriteria, GroupMemberOperations, RemoveMembersInput } from "../../src/resources/group-members/family.js";
export type { GroupCriteria, GroupOperations } from "../../src/resources/groups/family.js";
export type {
  FindLinksInput,
  IdentityProviderLinkCriteria,
  IdentityProviderLinkOperations,
  IdentityProviderLinkResponse,
  PendingLinkResponse,
} from "../../src/resources/identity-provider-links/family.js";
export type {
  IdentityProviderLinkFields,
  IdentityProviderLinkRequest,
} from "../../src/resources/identity-provider-links/schema.js";
export type {
  DomainLookupInput,
  DomainLookupResponse,
  ExternalLoginResponse,
  IdentityProviderCriteria,
  IdentityProviderOperations,
} from "../../src/resources/identity-providers/family.js";
export type {
  IdentityProvider,
  IdentityProviderApplication,
  IdentityProviderFields,
  IdentityProviderOAuth2,
  IdentityProviderRequest,
  IdentityProviderTenant,
  IdentityProviderTypeFields,
} from "../../src/resources/identity-providers/fields.js";
export type {
  ExternalLoginRequest,
  ExternalLoginStartRequest,
  ExternalLoginStartResponse,
  PendingLinkLoginResponse,
  ReconcileRequest,
} from "../../src/resources/identity-providers/login-schema.js";
export type { IdentityProviderType, LinkingStrategy } from "../../src/resources/identity-providers/types.js";
export type { ImportJobOperations } from "../../src/resources/import-jobs/family.js";
export type {
  CreateImportJobInput,
  ImportEvents,
  ImportJob,
  ImportJobOptions,
  ImportJobState,
  ImportResult,
  OnDuplicate,
} from "../../src/resources/import-jobs/schema.js";
export type { FamilyOperations } from "../../src/resources/index.js";
export type { IntegrationOperations } from "../../src/resources/integrations/family.js";
export type { KeyCriteria, KeyOperations, PublicKeyInput, PublicKeyOutput } from "../../src/resources/keys/family.js";
export type { CreateLambdaInput, LambdaCriteria, LambdaOperations, TestLambdaInput } from "../../src/resources/lambdas/family.js";
export type { LambdaPermissions } from "../../src/resources/lambdas/schema.js";
export type { LoginRecordCriteria, LoginRecordOperations, RecentLoginsInput } from "../../src/resources/login-records/family.js";
export type { LoginOperations, LoginPingInput } from "../../src/resources/logins/family.js";
export type { MessageTemplateOperations } from "../../src/resources/message-templates/family.js";
export type {
  MessageTemplate,
  MessageTemplateFields,
  MessageTemplateRequest,
  PreviewMessageRequest,
  PreviewMessageResponse,
} from "../../src/resources/message-templates/schema.js";
export type { MessengerOperations } from "../../src/resources/messengers/family.js";
export type {
  MessageType,
  Messenger,
  MessengerFields,
  MessengerRequest,
  MessengerType,
} from "../../src/resources/messengers/schema.js";
export type { ModerationOperations } from "../../src/resources/moderation/family.js";
export type { OAuth2Operations } from "../../src/resources/oauth2/family.js";
export type { PasskeyOperations, PasskeyUserInput, RemovePasskeysInput } from "../../src/resources/passkeys/family.js";
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
} from "../../src/resources/passkeys/schema.js";
export type {
  AssertedCredential,
  CreatedCredential,
  CredentialDescriptor,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "../../src/resources/passkeys/web-authn.js";
export type { JwtOperations, RevokeTokensInput } from "../../src/resources/refresh-tokens/family.js";
export type { RegistrationOperations, UpdateRegistrationInput } from "../../src/resources/registrations/family.js";
export type { SystemOperations } from "../../src/resources/system/family.js";
export type { RemoveTenantInput, TenantOperations } from "../../src/resources/tenants/family.js";
export { defaultThemeId, type ThemeCriteria, type ThemeOperations } from "../../src/resources/themes/family.js";
export type { Theme, ThemeFields, ThemeRequest } from "../../src/resources/themes/schema.js";
export {
  assertTheme,
  colorTokens,
  isLogoUrl,
  type MessageTexts,
  type PageColors,
  type PageMessages,
  type PageTheme,
} from "../../src/resources/themes/theme-rules.js";
export type {
  DisableTwoFactorInput,
  TwoFactorOperations,
  TwoFactorStatusInput,
  TwoFactorUserInput,
} from "../../src/resources/two-factor/family.js";
export type { UserActionLogFilter, UserActionLogOperations } from "../../src/resources/user-action-logs/family.js";
export type {
  UserActionBroadcast,
  UserActionChange,
  UserActionHistoryItem,
  UserActionLogRequest,
  UserActionLogUpdate,
  UserActionStart,
  UserActionTexts,
} from "../../src/resources/user-action-logs/schema.js";
export type { UserActionReasonOperations } from "../../src/resources/user-action-reasons/family.js";
export type { UserActionReasonFields, UserActionReasonRequest } from "../../src/resources/user-action-reasons/schema.js";
export type { UserActionOperations } from "../../src/resources/user-actions/family.js";
export type { UserActionFields, UserActionOption, UserActionRequest } from "../../src/resources/user-actions/schema.js";
export type { UserCommentCriteria, UserCommentOperations } from "../../src/resources/user-comments/family.js";
export type { UserCommentFields, UserCommentRequest } from "../../src/resources/user-comments/schema.js";
export type { UserConsentOperations } from "../../src/resources/user-consents/family.js";
export type { UpdateUserInput, UserCriteria, UserOperations } from "../../src/resources/users/family.js";
export type { FindUserInput, RemoveUserInput } from "../../src/resources/users/schema.js";
export type { WebhookEventLogCriteria, WebhookEventLogOperations } from "../../src/resources/webhook-event-logs/family.js";
export type { WebhookCriteria, WebhookOperations } from "../../src/resources/webhooks/family.js";
export type { ChainHead } from "../../src/service/audit/audit-chain.js";
export type { AuditFault, AuditOperations, AuditVerification, AuditVerifyOptions } from "../../src/service/audit/verify-audit.js";
export type {
  Protocol,
  ProtocolBody,
  ProtocolCache,
  ProtocolCall,
  ProtocolHandler,
  ProtocolHost,
  ProtocolService,
} from "../../src/service/protocols/protocol.js";
export type { WriteChange } from "../../src/service/transactions/write-hook.js";
