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
  type WithDefaults,
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

/** Writable fields of a tenant (docs/reference/tenants.md#tenants). Lifetimes are in seconds or minutes, see their names. */
export interface TenantFields extends AccountSettings {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The claim `iss` of its tokens: at most 1,000 characters. Default: `latchkey`. */
  readonly issuer?: string | undefined;
  /**
   * The connectors that check passwords, in order; at most 100. Default: the built-in one, for all. PATCH replaces the list.
   * Since 1.18.0.
   */
  readonly connectorPolicies: readonly ConnectorPolicy[];
  /** Settings by the name of the event. An event without an entry is enabled with `None`. */
  readonly eventConfiguration: { readonly events: Record<string, EventSetting> };
  /** Keys and lifetimes of its tokens: access tokens 3,600 s and refresh tokens 43,200 minutes by default. */
  readonly jwtConfiguration: {
    /** The signing key of access tokens. Default: the key that the service made. */
    readonly accessTokenKeyId?: string | undefined;
    /** The signing key of ID tokens. Default: the key that the service made. */
    readonly idTokenKeyId?: string | undefined;
    /** Lifetime of access tokens and ID tokens in seconds. Default 3,600. */
    readonly timeToLiveInSeconds: number;
    /** Lifetime of refresh tokens in minutes. Default 43,200: 30 days. */
    readonly refreshTokenTimeToLiveInMinutes: number;
    /**
     * Whether each use of a refresh token replaces it: `OneTimeUse`. Default `Reusable`. OpenID Connect clients without a
     * secret always get a new one.
     */
    readonly refreshTokenUsagePolicy?: RefreshTokenUsagePolicy | undefined;
    /**
     * How long a replaced refresh token returns the same response again, in seconds: 0 to 300. Default 60. A later use ends the
     * session.
     */
    readonly refreshGraceSeconds?: number | undefined;
  };
  /** An access list for the pages of a user interface; stored and returned, not applied to any endpoint. */
  readonly accessControlConfiguration: { readonly uiIPAccessControlListId?: string | undefined };
  /** The form with which administrators edit users. */
  readonly formConfiguration: { readonly adminUserFormId?: string | undefined };
  /** The lambdas of its users by place, and values for them. */
  readonly lambdaConfiguration: TenantLambdas;
  /** The lambda that populates tokens of its client credentials. */
  readonly oauthConfiguration: { readonly clientCredentialsAccessTokenPopulateLambdaId?: string | undefined };
  /** The SCIM server of the tenant, by which directories provision users and groups. Since 1.36.0. */
  readonly scimServerConfiguration: ScimServerSettings;
  /** Searchable members of `data` beside those of the host, by family: at most 8 each. Default: none. */
  readonly searchConfiguration: { readonly searchableData: SearchableMembers };
  /** The theme of its sign-in pages. Default: the default theme. */
  readonly themeId?: string | undefined;
}

/** The users of a connector (docs/reference/connectors.md#policies). */
export interface ConnectorPolicy {
  /** The connector. */
  readonly connectorId: string;
  /** The email domains of its users, or `*` for every login id; 1 to 1,000. */
  readonly domains: readonly string[];
  /** Whether a login stores the password, so that the built-in connector checks it in the future. Default false. */
  readonly migrate: boolean;
}

/** A connector policy in a request. */
export type GivenConnectorPolicy = Pick<ConnectorPolicy, "connectorId" | "domains"> & Partial<ConnectorPolicy>;

/** The SCIM settings of a tenant (docs/reference/scim.md#settings). */
export interface ScimServerSettings {
  /** Whether the tenant accepts requests below `/api/scim/resource/v2`. Default false. */
  readonly enabled: boolean;
  /** The entity type of clients: only entities of it can call with a token. */
  readonly clientEntityTypeId?: string | undefined;
  /** The entity type of the SCIM server, with the permissions of SCIM. */
  readonly serverEntityTypeId?: string | undefined;
  /** Schemas of further attributes by URN, in the form of RFC 7643, 7. Default `{}`. */
  readonly schemas: Record<string, unknown>;
}

/** A tenant: an isolation boundary (docs/reference/tenants.md#tenants). */
export interface Tenant extends BaseRecord, TenantFields {
  /** The state of the tenant. `PendingDelete`: its removal is in progress. */
  readonly state: "Active" | "Inactive" | "PendingDelete";
}

/** Settings with defaults for each member. */
type TenantSettings = "jwtConfiguration" | "lambdaConfiguration" | "scimServerConfiguration" | "searchConfiguration";

/** The body of POST and PUT. */
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

/** The response with the password rules. */
export interface PasswordRulesResponse {
  /** The rules for new passwords. */
  readonly passwordValidationRules: PasswordRules;
}

export type ParsedTenantRequest = WithDefaults<TenantRequest, "webhookIds"> & { readonly tenant: TenantFields };

const eventSetting = (): Schema<EventSetting> =>
  object({
    enabled: flag().default(true),
    transactionType: option(["None", "Any", "SimpleMajority", "SuperMajority", "AbsoluteMajority"]).default("None"),
  });

/** Accepts event names of every version; keeps only effective settings (docs/reference/tenants.md#event-configuration). */
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

/** The default policy. */
const defaultPolicy: ConnectorPolicy = { connectorId: builtInConnectorId, domains: ["*"], migrate: false };

const domains = (): Schema<string[]> =>
  list(text().overwrite(foldDomain).max(253, { error: "tooLong" }).regex(domain, { error: "invalid" }))
    .min(1, { error: "empty" })
    .max(1_000, { error: "tooMany" })
    .overwrite((names) => [...new Set(names)]);

/** The domain of an email address, or a star. */
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
