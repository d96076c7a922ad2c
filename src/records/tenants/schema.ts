import { type EventSetting, isEventName, toEffectiveSettings } from "../../availability/event-types.js";
import { lambdaPathsIn, type TenantLambdas } from "../../availability/lambda-paths.js";
import {
  data,
  flag,
  id,
  idSet,
  integer,
  link,
  list,
  map,
  name,
  object,
  option,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import {
  maxSearchableMembers,
  memberPath,
  type SearchableMembers,
  searchableFamilies,
} from "../../operations/family/searchable-members.js";
import { foldDomain } from "../../shared/email-address.js";
import { builtInConnectorId } from "../connectors/built-in-connector.js";
import { type RefreshTokenUsagePolicy, rotationFields } from "../settings/rotation-fields.js";
import { accountSettingFields } from "../settings/settings-schema.js";
import type { AccountSettings, GivenAccountSettings, PasswordRules } from "../settings/tenant-settings.js";
import { lambdaValueFields } from "./lambda-values.js";

export type { EventSetting };

/** What a caller may say about a tenant (docs/reference/tenants.md#tenants). Times of life are in seconds or minutes, as their names say. */
export interface TenantFields extends AccountSettings {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The claim `iss` of its tokens: at most 1,000 characters. Default: tokens say `latchkey`. */
  readonly issuer?: string | undefined;
  /**
   * Which connectors check passwords, in the order in which they are asked; at most 100. Default: the built-in one, for all. PATCH replaces the
   * list. Since 1.18.0.
   */
  readonly connectorPolicies: readonly ConnectorPolicy[];
  /** Settings by the name of the event. An event without an entry is enabled with `None`. */
  readonly eventConfiguration: { readonly events: Record<string, EventSetting> };
  /** Keys and lifetimes of its tokens: access tokens 3,600 s and refresh tokens 43,200 minutes by default. */
  readonly jwtConfiguration: {
    /** The signing key of access tokens. Default: the key that the service made. */
    readonly accessTokenKeyId?: string | undefined;
    /** The signing key of id tokens. Default: the key that the service made. */
    readonly idTokenKeyId?: string | undefined;
    /** Lifetime of access and id tokens in seconds. Default 3,600. */
    readonly timeToLiveInSeconds: number;
    /** Lifetime of refresh tokens in minutes. Default 43,200: 30 days. */
    readonly refreshTokenTimeToLiveInMinutes: number;
    /** Whether each use of a refresh token replaces it: `OneTimeUse`. Default `Reusable`. Clients of OpenID Connect without a secret always get a new one. */
    readonly refreshTokenUsagePolicy?: RefreshTokenUsagePolicy | undefined;
    /** How long a replaced refresh token gets the same answer again, in seconds: 0 to 300. Default 60. After it, a use ends the session. */
    readonly refreshGraceSeconds?: number | undefined;
  };
  /** An access list for the pages of a user interface; stored and shown, guards no endpoint. */
  readonly accessControlConfiguration: { readonly uiIPAccessControlListId?: string | undefined };
  /** The form with which administrators edit users. */
  readonly formConfiguration: { readonly adminUserFormId?: string | undefined };
  /** The lambdas that run for its users, by place, and what they read of the tenant. */
  readonly lambdaConfiguration: TenantLambdas;
  /** The lambda that fills tokens of its client credentials. */
  readonly oauthConfiguration: { readonly clientCredentialsAccessTokenPopulateLambdaId?: string | undefined };
  /** Whether directories provision its users and groups by SCIM, and who they are. Since 1.36.0. */
  readonly scimServerConfiguration: ScimServerSettings;
  /** Members of `data` that searches within the tenant may name beside those of the host, by family: at most 8 each. Default: none. */
  readonly searchConfiguration: { readonly searchableData: SearchableMembers };
  /** The theme of its pages of sign-in. Default: the default theme. */
  readonly themeId?: string | undefined;
}

/** Whose passwords a connector checks (docs/reference/connectors.md#policies). */
export interface ConnectorPolicy {
  /** The connector. */
  readonly connectorId: string;
  /** The domains of the email addresses that log in by it, and `*` for every login id; 1 to 1,000. */
  readonly domains: readonly string[];
  /** Whether a login stores the password, so that the built-in connector checks it from then on. Default false. */
  readonly migrate: boolean;
}

/** What a caller says of whose passwords a connector checks. */
export type GivenConnectorPolicy = Pick<ConnectorPolicy, "connectorId" | "domains"> & Partial<ConnectorPolicy>;

/** How a tenant is provisioned by SCIM (docs/reference/scim.md#settings). */
export interface ScimServerSettings {
  /** Whether requests below `/api/scim/resource/v2` are answered for the tenant. Default false. */
  readonly enabled: boolean;
  /** The entity type of clients: only entities of it may call with a token. */
  readonly clientEntityTypeId?: string | undefined;
  /** The entity type of what the tokens are for: its permissions are those of SCIM. */
  readonly serverEntityTypeId?: string | undefined;
  /** Schemas of further attributes, by their URN, in the form of RFC 7643, 7. Default `{}`. */
  readonly schemas: Record<string, unknown>;
}

/** A tenant: the wall between data sets (docs/reference/tenants.md#tenants). */
export interface Tenant extends BaseRecord, TenantFields {
  /** The tenant itself. */
  readonly state: "Active" | "Inactive" | "PendingDelete";
}

/** Settings whose members are filled in one by one. */
type TenantSettings = "jwtConfiguration" | "lambdaConfiguration" | "scimServerConfiguration" | "searchConfiguration";

/**
 * The body of POST and PUT. `sourceTenantId` names a tenant to copy what the body leaves out from, `webhookIds` the webhooks that are
 * to apply to the tenant beside the global ones.
 */
export interface TenantRequest {
  /** The fields of the tenant; `name` is required. */
  readonly tenant: Partial<
    Omit<TenantFields, TenantSettings | keyof AccountSettings | "connectorPolicies" | "eventConfiguration">
  > & {
    readonly [Name in TenantSettings]?: Partial<TenantFields[Name]> | undefined;
  } & GivenAccountSettings & {
      readonly connectorPolicies?: readonly GivenConnectorPolicy[] | undefined;
      readonly eventConfiguration?: { readonly events?: Readonly<Record<string, Partial<EventSetting>>> | undefined } | undefined;
    } & Pick<TenantFields, "name">;
  /** The tenant to copy missing fields from, apart from names; on POST only. */
  readonly sourceTenantId?: string | undefined;
  /** The webhooks that list the tenant. Default: none; only global keys change them. */
  readonly webhookIds?: readonly string[] | undefined;
}

/** The answer about the rules for passwords. */
export interface PasswordRulesResponse {
  /** What a new password must fulfil. */
  readonly passwordValidationRules: PasswordRules;
}

/** A request whose defaults are filled in. */
export interface ParsedTenantRequest {
  readonly tenant: TenantFields;
  readonly sourceTenantId?: string | undefined;
  readonly webhookIds: readonly string[];
}

const eventSetting = (): Schema<EventSetting> =>
  object({
    enabled: flag().default(true),
    transactionType: option(["None", "Any", "SimpleMajority", "SuperMajority", "AbsoluteMajority"]).default("None"),
  });

/** Events known in any version; only settings that have an effect remain (docs/reference/tenants.md#event-configuration). */
const eventSettings = (): Schema<Record<string, EventSetting>> =>
  map(eventSetting())
    .superRefine((events, context) => {
      for (const name of Object.keys(events))
        if (!isEventName(name)) context.addIssue({ code: "custom", path: [name], message: "invalidOption" });
    })
    .overwrite(toEffectiveSettings);

const searchableMembers = (): Schema<SearchableMembers> =>
  object<Record<string, Schema<readonly string[] | undefined>>>(
    Object.fromEntries(searchableFamilies.map((name) => [name, memberPaths().optional()])),
  ).prefault({});

const memberPaths = (): Schema<string[]> =>
  list(text().regex(memberPath, { error: "invalid" }))
    .max(maxSearchableMembers.byTenant, { error: "tooMany" })
    .overwrite((paths) => [...new Set(paths)]);

/** The policy of a tenant that names none. */
const defaultPolicy: ConnectorPolicy = { connectorId: builtInConnectorId, domains: ["*"], migrate: false };

const domains = (): Schema<string[]> =>
  list(text().overwrite(foldDomain).max(253, { error: "tooLong" }).regex(domain, { error: "invalid" }))
    .min(1, { error: "empty" })
    .max(1_000, { error: "tooMany" })
    .overwrite((names) => [...new Set(names)]);

/** What stands behind the `@` of an email address, or a star. */
const domain = /^(?:\*|[^\s@*,]+)$/;

const connectorPolicies = (): Schema<readonly ConnectorPolicy[]> =>
  list(object({ connectorId: id(), domains: domains(), migrate: flag().default(false) }))
    .max(100, { error: "tooMany" })
    .overwrite((policies) => (policies.length === 0 ? [{ ...defaultPolicy, domains: ["*"] }] : policies));

const lambdaNames = lambdaPathsIn("tenant.lambdaConfiguration");
const century = 3_155_760_000;

export const tenantRequest: Schema<ParsedTenantRequest> = object({
  tenant: object({
    name: name(),
    data: data().default({}),
    issuer: link(1_000).optional(),
    connectorPolicies: connectorPolicies().prefault([]),
    eventConfiguration: object({ events: eventSettings().default({}) }).prefault({}),
    jwtConfiguration: object({
      accessTokenKeyId: id().optional(),
      idTokenKeyId: id().optional(),
      timeToLiveInSeconds: integer(1, century).default(3_600),
      refreshTokenTimeToLiveInMinutes: integer(1, century).default(43_200),
      ...rotationFields(),
    }).prefault({}),
    ...accountSettingFields(),
    accessControlConfiguration: object({ uiIPAccessControlListId: id().optional() }).prefault({}),
    formConfiguration: object({ adminUserFormId: id().optional() }).prefault({}),
    lambdaConfiguration: object({
      ...Object.fromEntries(lambdaNames.map((key) => [key, id().optional()])),
      ...lambdaValueFields(),
    }).prefault({ constants: {}, secrets: {} }),
    oauthConfiguration: object({ clientCredentialsAccessTokenPopulateLambdaId: id().optional() }).prefault({}),
    scimServerConfiguration: object({
      enabled: flag().default(false),
      clientEntityTypeId: id().optional(),
      serverEntityTypeId: id().optional(),
      schemas: data().default({}),
    }).prefault({}),
    searchConfiguration: object({ searchableData: searchableMembers() }).prefault({ searchableData: {} }),
    themeId: id().optional(),
  }),
  sourceTenantId: id().optional(),
  webhookIds: idSet().default([]),
});
