import type { Route } from "../http/route/define-route.js";
import { defineTable } from "../operations/family/family.js";
import type { BuiltIn, ConfiguredRow, DescribeRemoval, FamilyRow, Retention } from "../operations/family/family-row.js";
import type { AnyOperation, OperationsOf } from "../operations/operation.js";
import {
  earlierReceiversTable,
  eventsTable,
  logoutTokensTable,
  mailsTable,
  setAsideTable,
  textMessagesTable,
} from "../operations/outbox/tables.js";
import { keyPurposesTable } from "../operations/references/key-purposes.js";
import { referencesTable } from "../operations/references/references.js";
import { type AnyFamily, type BoundFamily, defineFamily } from "../operations/verbs/define-family.js";
import type { Table } from "../ports/storage.js";
import { type AccessListOperations, accessListFamily } from "../records/access-lists/family.js";
import { type ApiKeyOperations, apiKeyFamily } from "../records/api-keys/family.js";
import { type ApplicationRoleOperations, applicationRoleFamily } from "../records/application-roles/family.js";
import { type ApplicationOperations, applicationFamily } from "../records/applications/family.js";
import { type AuditLogOperations, auditLogFamily, auditLogsTable } from "../records/audit-logs/family.js";
import { type BulkUserOperations, bulkUserFamily } from "../records/bulk-users/family.js";
import { type ConnectorOperations, connectorFamily } from "../records/connectors/family.js";
import { type ConsentOperations, consentFamily } from "../records/consents/family.js";
import { type EmailTemplateOperations, emailTemplateFamily } from "../records/email-templates/family.js";
import { type EntityOperations, entityFamily } from "../records/entities/family.js";
import { type EntityGrantOperations, entityGrantFamily } from "../records/entity-grants/family.js";
import { type EntityTypePermissionOperations, entityTypePermissionFamily } from "../records/entity-type-permissions/family.js";
import { type EntityTypeOperations, entityTypeFamily } from "../records/entity-types/family.js";
import { type EventLogOperations, eventLogFamily } from "../records/event-logs/family.js";
import { type FormFieldOperations, formFieldFamily } from "../records/form-fields/family.js";
import { type FormOperations, formFamily } from "../records/forms/family.js";
import { type GroupMemberOperations, groupMemberFamily } from "../records/group-members/family.js";
import { type GroupOperations, groupFamily } from "../records/groups/family.js";
import { type IdentityProviderLinkOperations, identityProviderLinkFamily } from "../records/identity-provider-links/family.js";
import { type IdentityProviderOperations, identityProviderFamily } from "../records/identity-providers/family.js";
import { type ImportJobOperations, importJobFamily, importPartsTable } from "../records/import-jobs/family.js";
import { type IntegrationOperations, integrationFamily } from "../records/integrations/family.js";
import { type KeyOperations, keyFamily } from "../records/keys/family.js";
import { type LambdaOperations, lambdaFamily } from "../records/lambdas/family.js";
import { type LoginRecordOperations, loginRecordFamily } from "../records/login-records/family.js";
import { type LoginOperations, loginFamily } from "../records/logins/family.js";
import { type MessageTemplateOperations, messageTemplateFamily } from "../records/message-templates/family.js";
import { type MessengerOperations, messengerFamily } from "../records/messengers/family.js";
import { type ModerationOperations, moderationFamily } from "../records/moderation/family.js";
import { type OAuth2Operations, oauth2Family } from "../records/oauth2/family.js";
import { openIdRecordsTable } from "../records/openid-records.js";
import { type PasskeyOperations, passkeyFamily } from "../records/passkeys/family.js";
import { type PasswordlessOperations, passwordlessFamily } from "../records/passwordless/family.js";
import { type JwtOperations, jwtFamily, refreshTokensTable } from "../records/refresh-tokens/family.js";
import { type RegistrationOperations, registrationFamily } from "../records/registrations/family.js";
import { type SystemOperations, systemFamily } from "../records/system/family.js";
import { attemptsTable, usedProofsTable } from "../records/tables.js";
import { type TenantOperations, tenantFamily } from "../records/tenants/family.js";
import { type ThemeOperations, themeFamily } from "../records/themes/family.js";
import { type TwoFactorOperations, twoFactorFamily } from "../records/two-factor/family.js";
import { type UserActionLogOperations, userActionLogFamily } from "../records/user-action-logs/family.js";
import { type UserActionReasonOperations, userActionReasonFamily } from "../records/user-action-reasons/family.js";
import { type UserActionOperations, userActionFamily } from "../records/user-actions/family.js";
import { type UserCommentOperations, userCommentFamily } from "../records/user-comments/family.js";
import { type UserConsentOperations, userConsentFamily } from "../records/user-consents/family.js";
import { type UserOperations, userFamily } from "../records/users/family.js";
import { type VerificationOperations, verificationFamily } from "../records/verifications/family.js";
import { type WebhookEventLogOperations, webhookEventLogFamily } from "../records/webhook-event-logs/family.js";
import { type WebhookOperations, webhookFamily } from "../records/webhooks/family.js";
import { type SealedTables, sealedRecord } from "../security/seal.js";
import { familyRules } from "./family-rules.js";
import { recordedPurposes } from "./key-purposes.js";

/** The families of configuration, ordered so that each refers only to earlier ones. */
export interface ConfiguredOperations {
  /** Signing keys, and their public keys. */
  readonly keys: KeyOperations;
  /** IP access lists of API keys. */
  readonly accessLists: AccessListOperations;
  /** Email templates: to store, preview and send. */
  readonly emailTemplates: EmailTemplateOperations;
  /** Message templates: to store and preview. */
  readonly messageTemplates: MessageTemplateOperations;
  /** Messengers, which send text messages. */
  readonly messengers: MessengerOperations;
  /** Consents that users can give. */
  readonly consents: ConsentOperations;
  /** Fields of forms. */
  readonly formFields: FormFieldOperations;
  /** Forms: to store, describe and validate. */
  readonly forms: FormOperations;
  /** Lambdas: to store and test. */
  readonly lambdas: LambdaOperations;
  /** Connectors, which check passwords. */
  readonly connectors: ConnectorOperations;
  /** Tenants, which isolate their data from each other. */
  readonly tenants: TenantOperations;
  /** Applications that users register to, with their roles. */
  readonly applications: ApplicationOperations;
  /** Themes of the sign-in pages. */
  readonly themes: ThemeOperations;
  /** Identity providers, and logins with them. */
  readonly identityProviders: IdentityProviderOperations;
  /** Roles of an application. */
  readonly applicationRoles: ApplicationRoleOperations;
  /** Groups of users that carry roles. */
  readonly groups: GroupOperations;
  /** API keys, for callers that may manage keys. */
  readonly apiKeys: ApiKeyOperations;
  /** Webhooks that receive events. */
  readonly webhooks: WebhookOperations;
  /** Moderation, broker and SMS settings: one object. */
  readonly integrations: IntegrationOperations;
  /** Types of entities. */
  readonly entityTypes: EntityTypeOperations;
  /** Permissions of an entity type. */
  readonly entityTypePermissions: EntityTypePermissionOperations;
  /** Entities: services or devices with permissions. */
  readonly entities: EntityOperations;
  /** Permissions of entities and users on entities. */
  readonly entityGrants: EntityGrantOperations;
  /** Actions of moderators on users. */
  readonly userActions: UserActionOperations;
  /** Reasons for actions. */
  readonly userActionReasons: UserActionReasonOperations;
}

/** The families of data, and those without records. */
export interface DataOperations {
  /** Users of a tenant. */
  readonly users: UserOperations;
  /** Import and removal of many users at once. */
  readonly bulkUsers: BulkUserOperations;
  /** Jobs that import many users in the background. */
  readonly importJobs: ImportJobOperations;
  /** Registrations of users to applications. */
  readonly registrations: RegistrationOperations;
  /** Members of groups. */
  readonly groupMembers: GroupMemberOperations;
  /** Consents of users. */
  readonly userConsents: UserConsentOperations;
  /** Applied actions on users. */
  readonly userActionLogs: UserActionLogOperations;
  /** Links of users to accounts at identity providers. */
  readonly identityProviderLinks: IdentityProviderLinkOperations;
  /** Records of logins: to read, search and export. */
  readonly loginRecords: LoginRecordOperations;
  /** Comments on users. */
  readonly userComments: UserCommentOperations;
  /** Deliveries of events: to read, resend and replay. */
  readonly webhookEventLogs: WebhookEventLogOperations;
  /** The event log: failures of lambdas and deliveries. */
  readonly eventLogs: EventLogOperations;
  /** The audit log of changes. */
  readonly auditLogs: AuditLogOperations;
  /** Decisions of the moderation service on usernames. */
  readonly moderation: ModerationOperations;
  /** Status, health, version, metrics and the OpenAPI document. */
  readonly system: SystemOperations;
  /** Second factors of users. */
  readonly twoFactor: TwoFactorOperations;
  /** Logins, logouts and password changes. */
  readonly logins: LoginOperations;
  /** Passkeys of users, and logins with them (WebAuthn). */
  readonly passkeys: PasskeyOperations;
  /** Logins without a password. */
  readonly passwordless: PasswordlessOperations;
  /** Verification of addresses, registrations and login ids. */
  readonly verifications: VerificationOperations;
  /** Refresh, validation and revocation of tokens. */
  readonly jwt: JwtOperations;
  /** Client credentials, introspection and userinfo (RFC 6749, RFC 7662). */
  readonly oauth2: OAuth2Operations;
}

/** The families by their name in the in-process API. To add a family, list it in this file only. */
export interface FamilyOperations extends ConfiguredOperations, DataOperations {}

/** Families without records of their own in configuration documents: nested records, or a singleton. */
export type NestedFamily = "applicationRoles" | "entityTypePermissions" | "integrations";

type Families<Operations> = { readonly [Name in keyof Operations & string]: BoundFamily<Name, Operations[Name]> };

type ConfiguredFamilies = {
  readonly [Name in keyof ConfiguredOperations]: BoundFamily<
    Name,
    ConfiguredOperations[Name],
    ConfiguredRow & FamilyRow<Name, ConfiguredOperations[Name]>
  >;
};

/** The families of configuration, by name. */
export const configuredFamilies: ConfiguredFamilies = {
  keys: defineFamily(keyFamily, familyRules.keys),
  accessLists: defineFamily(accessListFamily, familyRules.keys),
  emailTemplates: defineFamily(emailTemplateFamily, familyRules.messages),
  messageTemplates: defineFamily(messageTemplateFamily, familyRules.messages),
  messengers: defineFamily(messengerFamily, familyRules.messages),
  consents: defineFamily(consentFamily, familyRules.people),
  formFields: defineFamily(formFieldFamily, familyRules.forms),
  forms: defineFamily(formFamily, familyRules.forms),
  lambdas: defineFamily(lambdaFamily, familyRules.lambdas),
  connectors: defineFamily(connectorFamily, familyRules.signIn),
  themes: defineFamily(themeFamily, familyRules.tenants),
  tenants: defineFamily(tenantFamily, familyRules.tenants),
  applications: defineFamily(applicationFamily, familyRules.tenants),
  identityProviders: defineFamily(identityProviderFamily, familyRules.signIn),
  applicationRoles: defineFamily(applicationRoleFamily, familyRules.tenants),
  groups: defineFamily(groupFamily, familyRules.groups),
  apiKeys: defineFamily(apiKeyFamily, familyRules.keys),
  webhooks: defineFamily(webhookFamily, familyRules.delivery),
  integrations: defineFamily(integrationFamily, familyRules.delivery),
  entityTypes: defineFamily(entityTypeFamily, familyRules.entities),
  entityTypePermissions: defineFamily(entityTypePermissionFamily, familyRules.entities),
  entities: defineFamily(entityFamily, familyRules.entities),
  entityGrants: defineFamily(entityGrantFamily, familyRules.entities),
  userActions: defineFamily(userActionFamily, familyRules.people),
  userActionReasons: defineFamily(userActionReasonFamily, familyRules.people),
};

/** Every family by its name. */
export const families: Families<FamilyOperations> = {
  ...configuredFamilies,
  users: defineFamily(userFamily, familyRules.people),
  bulkUsers: defineFamily(bulkUserFamily, familyRules.import),
  importJobs: defineFamily(importJobFamily, familyRules.import),
  registrations: defineFamily(registrationFamily, familyRules.people),
  groupMembers: defineFamily(groupMemberFamily, familyRules.people),
  userConsents: defineFamily(userConsentFamily, familyRules.people),
  userActionLogs: defineFamily(userActionLogFamily, familyRules.people),
  identityProviderLinks: defineFamily(identityProviderLinkFamily, familyRules.people),
  loginRecords: defineFamily(loginRecordFamily, familyRules.audit),
  userComments: defineFamily(userCommentFamily, familyRules.people),
  webhookEventLogs: defineFamily(webhookEventLogFamily, familyRules.delivery),
  eventLogs: defineFamily(eventLogFamily, familyRules.audit),
  auditLogs: defineFamily(auditLogFamily, familyRules.audit),
  moderation: defineFamily(moderationFamily, familyRules.people),
  system: defineFamily(systemFamily, familyRules.system),
  twoFactor: defineFamily(twoFactorFamily, familyRules.signIn),
  logins: defineFamily(loginFamily, familyRules.signIn),
  passkeys: defineFamily(passkeyFamily, familyRules.signIn),
  passwordless: defineFamily(passwordlessFamily, familyRules.signIn),
  verifications: defineFamily(verificationFamily, familyRules.signIn),
  jwt: defineFamily(jwtFamily, familyRules.signIn),
  oauth2: defineFamily(oauth2Family, familyRules.signIn),
};

const all: readonly AnyFamily[] = Object.values(families);

/** The operations of each family. */
export type AllOperations = { readonly [Name in keyof FamilyOperations]: OperationsOf<FamilyOperations[Name]> };

/** The operations of every family, by its name in the in-process API. */
export const familyOperations: AllOperations = Object.fromEntries(
  all.map(({ row, operations }) => [row.name, operations]),
) as AllOperations;

/** Every route of the service. */
export const routes: readonly Route<AnyOperation>[] = all.flatMap((family) => family.routes);

/** The built-in records of every service. */
export const builtIns: readonly BuiltIn[] = [
  ...all.flatMap(({ row, load }) => (row.builtIn === undefined ? [] : [{ ...row.builtIn, make: makerOf(row.name, load) }])),
  recordedPurposes,
];

function makerOf(name: string, load: AnyFamily["load"]): BuiltIn["make"] {
  return async (...call) => {
    const { makeBuiltIn } = await load();
    if (makeBuiltIn === undefined) throw new Error(`The rules of ${name} do not make what is built in.`);
    await makeBuiltIn(...call);
  };
}

const announced = new Map(all.flatMap((family) => (family.row.announced ?? []).map((table) => [table, family] as const)));

/** Whether removing records of a table publishes events. The reference has none for other records. */
export function hasRemovalEvents(table: Table): boolean {
  return announced.has(table);
}

/** Returns the events for records of one table before their removal. */
export const describeRemoval: (table: Table, ...removal: Parameters<DescribeRemoval>) => ReturnType<DescribeRemoval> = async (
  table,
  ...removal
) => {
  const rules = await announced.get(table)?.load();
  return rules?.describeRemoved?.[table.name]?.(...removal) ?? [];
};

/** The installation of a storage: one record, created at the first start. */
export const installationsTable: Table = defineTable({
  name: "installations",
  tenancy: "global",
  since: 1,
  columns: { kickstartInstant: { type: "integer", isNullable: true } },
  uniqueKeys: [],
  indexes: [],
});

/** Every table of the service, each after the tables that it refers to. */
export const tables: readonly Table[] = [
  ...all.flatMap(({ row }) => row.tables ?? []),
  eventsTable,
  earlierReceiversTable,
  setAsideTable,
  mailsTable,
  textMessagesTable,
  logoutTokensTable,
  installationsTable,
  referencesTable,
  usedProofsTable,
  attemptsTable,
  keyPurposesTable,
  openIdRecordsTable,
];

const weekMs = 7 * 24 * 3_600_000;

/** The tables with sealed texts, and the part of the record that each text is sealed for. */
export const sealedTables: SealedTables = Object.fromEntries([
  ...all.flatMap(({ row }) => (row.sealedPart === undefined ? [] : [[row.name, row.sealedPart] as const])),
  ...[
    mailsTable,
    textMessagesTable,
    logoutTokensTable,
    installationsTable,
    importPartsTable,
    openIdRecordsTable,
    refreshTokensTable,
  ].map(({ name }) => [name, sealedRecord] as const),
]);

/** The retention of records. The host sets that of the audit log. */
export const toRetention = (auditRetentionMs: number): readonly Retention[] => [
  [auditLogsTable, "insertInstant", auditRetentionMs],
  ...all.flatMap(({ row }) => row.retention ?? []),
  [eventsTable, "insertInstant", weekMs],
  [mailsTable, "lastUpdateInstant", weekMs],
  [textMessagesTable, "lastUpdateInstant", weekMs],
  [logoutTokensTable, "lastUpdateInstant", weekMs],
  [attemptsTable, "expiryInstant", 0],
  [openIdRecordsTable, "expirationInstant", 0],
];
