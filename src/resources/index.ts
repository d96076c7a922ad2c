import { attemptsTable } from "../accounts/throttle/table.js";
import { usedProofsTable } from "../accounts/tokens/used-proofs-table.js";
import { earlierReceiversTable, eventsTable, mailsTable, setAsideTable, textMessagesTable } from "../delivery/engine/table.js";
import type { Route } from "../http/route/define-route.js";
import type { BuiltIn } from "../operations/built-in.js";
import type { AnyOperation, OperationsOf } from "../operations/operation.js";
import { keyPurposesTable } from "../operations/references/key-purposes.js";
import { referencesTable } from "../operations/references/references.js";
import type { Table } from "../ports/storage.js";
import { type AccessListOperations, accessListOperations, accessListRoutes } from "./access-lists/routes.js";
import { accessListsTable } from "./access-lists/table.js";
import { type ApiKeyOperations, apiKeyOperations, apiKeyRoutes } from "./api-keys/routes.js";
import { apiKeysTable, apiKeyUsesTable } from "./api-keys/table.js";
import { type ApplicationRoleOperations, applicationRoleOperations, applicationRoleRoutes } from "./application-roles/routes.js";
import { applicationRolesTable } from "./application-roles/table.js";
import { type ApplicationOperations, applicationOperations, applicationRoutes } from "./applications/routes.js";
import { applicationsTable } from "./applications/table.js";
import { type AuditLogOperations, auditLogOperations, auditLogRoutes } from "./audit-logs/routes.js";
import { auditLogNumbersTable, auditLogsTable } from "./audit-logs/table.js";
import { type ConsentOperations, consentOperations, consentRoutes } from "./consents/routes.js";
import { consentsTable } from "./consents/table.js";
import { type EmailTemplateOperations, emailTemplateOperations, emailTemplateRoutes } from "./email-templates/routes.js";
import { emailTemplatesTable } from "./email-templates/table.js";
import { type EntityOperations, entityOperations, entityRoutes } from "./entities/routes.js";
import { apiEntity } from "./entities/rules.js";
import { entitiesTable } from "./entities/table.js";
import { type EntityGrantOperations, entityGrantOperations, entityGrantRoutes } from "./entity-grants/routes.js";
import { entityGrantsTable } from "./entity-grants/table.js";
import {
  type EntityTypePermissionOperations,
  entityTypePermissionOperations,
  entityTypePermissionRoutes,
} from "./entity-type-permissions/routes.js";
import { entityTypePermissionsTable } from "./entity-type-permissions/table.js";
import { type EntityTypeOperations, entityTypeOperations, entityTypeRoutes } from "./entity-types/routes.js";
import { entityTypesTable } from "./entity-types/table.js";
import { type EventLogOperations, eventLogOperations, eventLogRoutes } from "./event-logs/routes.js";
import { eventLogNumbersTable, eventLogsTable } from "./event-logs/table.js";
import { type FormFieldOperations, formFieldOperations, formFieldRoutes } from "./form-fields/routes.js";
import { managedFormFields } from "./form-fields/rules.js";
import { formFieldsTable } from "./form-fields/table.js";
import { type FormOperations, formOperations, formRoutes } from "./forms/routes.js";
import { formsTable } from "./forms/table.js";
import { type GroupMemberOperations, groupMemberOperations, groupMemberRoutes } from "./group-members/routes.js";
import { groupMembersTable } from "./group-members/table.js";
import { type GroupOperations, groupOperations, groupRoutes } from "./groups/routes.js";
import { groupRolesTable, groupsTable } from "./groups/table.js";
import { installationsTable } from "./installation.js";
import { type IntegrationOperations, integrationOperations, integrationRoutes } from "./integrations/routes.js";
import { builtInIntegrations } from "./integrations/rules.js";
import { integrationsTable } from "./integrations/table.js";
import { recordedPurposes } from "./key-purposes.js";
import { type KeyOperations, keyOperations, keyRoutes } from "./keys/routes.js";
import { defaultSigningKey } from "./keys/rules.js";
import { keysTable } from "./keys/table.js";
import { type LambdaOperations, lambdaOperations, lambdaRoutes } from "./lambdas/routes.js";
import { lambdasTable } from "./lambdas/table.js";
import { type LoginOperations, loginOperations, loginRoutes } from "./logins/routes.js";
import { passwordChangesTable } from "./logins/table.js";
import { type ModerationOperations, moderationOperations, moderationRoutes } from "./moderation/routes.js";
import { type OAuth2Operations, oauth2Operations, oauth2Routes } from "./oauth2/routes.js";
import { type JwtOperations, jwtOperations, jwtRoutes } from "./refresh-tokens/routes.js";
import { refreshTokensTable } from "./refresh-tokens/table.js";
import { type RegistrationOperations, registrationOperations, registrationRoutes } from "./registrations/routes.js";
import { registrationsTable } from "./registrations/table.js";
import { type SystemOperations, systemOperations, systemRoutes } from "./system/routes.js";
import { type TenantOperations, tenantOperations, tenantRoutes } from "./tenants/routes.js";
import { tenantsTable } from "./tenants/table.js";
import { type TwoFactorOperations, twoFactorOperations, twoFactorRoutes } from "./two-factor/routes.js";
import { pendingLoginsTable } from "./two-factor/table.js";
import { type UserConsentOperations, userConsentOperations, userConsentRoutes } from "./user-consents/routes.js";
import { userConsentsTable } from "./user-consents/table.js";
import { type UserOperations, userOperations, userRoutes } from "./users/routes.js";
import { usersTable } from "./users/table.js";
import { type WebhookEventLogOperations, webhookEventLogOperations, webhookEventLogRoutes } from "./webhook-event-logs/routes.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "./webhook-event-logs/table.js";
import { type WebhookOperations, webhookOperations, webhookRoutes } from "./webhooks/routes.js";
import { webhookApplicationsTable, webhooksTable, webhookTenantsTable } from "./webhooks/table.js";

/** The families whose operations can be called, by their name in the in-process API. A new family is registered here and nowhere else. */
export interface FamilyOperations {
  /** Tenants: the walls between data sets. */
  readonly tenants: TenantOperations;
  /** API keys, for callers that may manage keys. */
  readonly apiKeys: ApiKeyOperations;
  /** Applications that users register to, with their roles. */
  readonly applications: ApplicationOperations;
  /** Roles of an application. */
  readonly applicationRoles: ApplicationRoleOperations;
  /** Users of a tenant. */
  readonly users: UserOperations;
  /** Registrations of users to applications. */
  readonly registrations: RegistrationOperations;
  /** Groups of users that carry roles. */
  readonly groups: GroupOperations;
  /** Members of groups. */
  readonly groupMembers: GroupMemberOperations;
  /** Signing keys, and their public halves. */
  readonly keys: KeyOperations;
  /** Consents that users can give. */
  readonly consents: ConsentOperations;
  /** Consents that users gave. */
  readonly userConsents: UserConsentOperations;
  /** Fields of forms. */
  readonly formFields: FormFieldOperations;
  /** Forms: to store, describe and validate. */
  readonly forms: FormOperations;
  /** Email templates: to store, preview and send. */
  readonly emailTemplates: EmailTemplateOperations;
  /** Moderation, broker and SMS settings: one object. */
  readonly integrations: IntegrationOperations;
  /** Lists of addresses from which keys work. */
  readonly accessLists: AccessListOperations;
  /** Types of entities. */
  readonly entityTypes: EntityTypeOperations;
  /** Permissions of an entity type. */
  readonly entityTypePermissions: EntityTypePermissionOperations;
  /** Entities: services or devices with permissions. */
  readonly entities: EntityOperations;
  /** Permissions of entities and users on entities. */
  readonly entityGrants: EntityGrantOperations;
  /** Webhooks that receive events. */
  readonly webhooks: WebhookOperations;
  /** Deliveries of events: to read, resend and replay. */
  readonly webhookEventLogs: WebhookEventLogOperations;
  /** Lambdas: to store and test. */
  readonly lambdas: LambdaOperations;
  /** The event log: failures of lambdas and deliveries. */
  readonly eventLogs: EventLogOperations;
  /** The audit log: who changed what. */
  readonly auditLogs: AuditLogOperations;
  /** Decisions of moderators on usernames. */
  readonly moderation: ModerationOperations;
  /** Status, health, version, metrics and the OpenAPI document. */
  readonly system: SystemOperations;
  /** Second factors of users. */
  readonly twoFactor: TwoFactorOperations;
  /** Logins, logouts and password changes. */
  readonly logins: LoginOperations;
  /** Refresh, validation and revocation of tokens. */
  readonly jwt: JwtOperations;
  /** Client credentials, introspection and userinfo (RFC 6749, RFC 7662). */
  readonly oauth2: OAuth2Operations;
}

export const familyOperations: {
  readonly [Name in keyof FamilyOperations]: OperationsOf<FamilyOperations[Name]>;
} = {
  tenants: tenantOperations,
  apiKeys: apiKeyOperations,
  applications: applicationOperations,
  applicationRoles: applicationRoleOperations,
  users: userOperations,
  registrations: registrationOperations,
  groups: groupOperations,
  groupMembers: groupMemberOperations,
  keys: keyOperations,
  consents: consentOperations,
  userConsents: userConsentOperations,
  formFields: formFieldOperations,
  forms: formOperations,
  emailTemplates: emailTemplateOperations,
  integrations: integrationOperations,
  accessLists: accessListOperations,
  entityTypes: entityTypeOperations,
  entityTypePermissions: entityTypePermissionOperations,
  entities: entityOperations,
  entityGrants: entityGrantOperations,
  webhooks: webhookOperations,
  webhookEventLogs: webhookEventLogOperations,
  lambdas: lambdaOperations,
  eventLogs: eventLogOperations,
  auditLogs: auditLogOperations,
  moderation: moderationOperations,
  system: systemOperations,
  twoFactor: twoFactorOperations,
  logins: loginOperations,
  jwt: jwtOperations,
  oauth2: oauth2Operations,
};

/** Every route of the service. */
export const routes: readonly Route<AnyOperation>[] = [
  ...tenantRoutes,
  ...apiKeyRoutes,
  ...applicationRoutes,
  ...applicationRoleRoutes,
  ...userRoutes,
  ...registrationRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...keyRoutes,
  ...consentRoutes,
  ...userConsentRoutes,
  ...formFieldRoutes,
  ...formRoutes,
  ...emailTemplateRoutes,
  ...integrationRoutes,
  ...accessListRoutes,
  ...entityTypeRoutes,
  ...entityTypePermissionRoutes,
  ...entityRoutes,
  ...entityGrantRoutes,
  ...webhookRoutes,
  ...webhookEventLogRoutes,
  ...lambdaRoutes,
  ...eventLogRoutes,
  ...auditLogRoutes,
  ...moderationRoutes,
  ...systemRoutes,
  ...twoFactorRoutes,
  ...loginRoutes,
  ...jwtRoutes,
  ...oauth2Routes,
];

/** What every service has from its first start. */
export const builtIns: readonly BuiltIn[] = [
  managedFormFields,
  builtInIntegrations,
  defaultSigningKey,
  apiEntity,
  recordedPurposes,
];

/** Every table of the service, each behind those that it refers to. */
export const tables: readonly Table[] = [
  tenantsTable,
  apiKeysTable,
  apiKeyUsesTable,
  applicationsTable,
  applicationRolesTable,
  usersTable,
  registrationsTable,
  groupsTable,
  groupRolesTable,
  groupMembersTable,
  keysTable,
  consentsTable,
  userConsentsTable,
  formFieldsTable,
  formsTable,
  emailTemplatesTable,
  integrationsTable,
  accessListsTable,
  entityTypesTable,
  entityTypePermissionsTable,
  entitiesTable,
  entityGrantsTable,
  webhooksTable,
  webhookTenantsTable,
  webhookApplicationsTable,
  lambdasTable,
  eventsTable,
  earlierReceiversTable,
  setAsideTable,
  webhookEventLogsTable,
  webhookAttemptLogsTable,
  eventLogsTable,
  eventLogNumbersTable,
  auditLogsTable,
  auditLogNumbersTable,
  mailsTable,
  textMessagesTable,
  installationsTable,
  referencesTable,
  pendingLoginsTable,
  refreshTokensTable,
  passwordChangesTable,
  usedProofsTable,
  attemptsTable,
  keyPurposesTable,
];
