import { type ApplicationLambdas, lambdaPathsIn } from "../../availability/lambda-paths.js";
import { data, flag, id, integer, list, name, object, option, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { type ApplicationRole, type RoleFields, roleFields } from "../application-roles/schema.js";
import type { ApplicationAccountSettings } from "../settings/application-settings.js";
import { oauthFields } from "../settings/oauth-schema.js";
import type { GivenOAuthSettings, OAuthRequest, OAuthSettings } from "../settings/oauth-settings.js";
import type { GivenApplicationPasskeySettings } from "../settings/passkey-settings.js";
import { type RefreshTokenUsagePolicy, rotationFields } from "../settings/rotation-fields.js";
import { samlFields } from "../settings/saml-schema.js";
import type { SamlRequest, SamlSettings } from "../settings/saml-settings.js";
import { applicationSettingFields } from "../settings/settings-schema.js";

export type { OAuthSettings, SamlSettings };

/** Writable fields of an application (docs/reference/tenants.md#applications). */
export interface ApplicationFields extends ApplicationAccountSettings {
  /** Unique in its tenant, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The tenant of the application, used when neither the key nor the call names one. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** Keys and lifetimes of its tokens. While not enabled, the settings of the tenant apply. */
  readonly jwtConfiguration: {
    /** Whether these settings apply. Default false. */
    readonly enabled: boolean;
    /** The signing key of access tokens. Default: the key of the tenant. */
    readonly accessTokenKeyId?: string | undefined;
    /** The signing key of ID tokens. Default: the key of the tenant. */
    readonly idTokenKeyId?: string | undefined;
    /** Lifetime of access tokens and ID tokens in seconds. Default: that of the tenant. */
    readonly timeToLiveInSeconds?: number | undefined;
    /** Lifetime of refresh tokens in minutes. Default: that of the tenant. */
    readonly refreshTokenTimeToLiveInMinutes?: number | undefined;
    /** Whether each use of a refresh token replaces it. Default: the setting of the tenant. */
    readonly refreshTokenUsagePolicy?: RefreshTokenUsagePolicy | undefined;
    /**
     * How long a replaced refresh token returns the same response again, in seconds: 0 to 300. Default: the setting of the
     * tenant.
     */
    readonly refreshGraceSeconds?: number | undefined;
  };
  /** The lambdas of its users, by place. */
  readonly lambdaConfiguration: ApplicationLambdas;
  /** Whether a login needs an API key, and returns refresh tokens. */
  readonly loginConfiguration: {
    /** Whether refresh tokens can be exchanged for new access tokens. Default false. */
    readonly allowTokenRefresh: boolean;
    /** Whether a login returns a refresh token. Default false. */
    readonly generateRefreshTokens: boolean;
    /** Whether a login needs an API key. Default true. */
    readonly requireAuthentication: boolean;
  };
  /**
   * The application as a client of OAuth and OpenID Connect. Applications of earlier releases have no stored settings and use
   * the defaults.
   */
  readonly oauthConfiguration: OAuthSettings;
  /** Self-service registration: on or off (default), and its form. */
  readonly registrationConfiguration: {
    /** Whether users can register themselves. Default false. */
    readonly enabled: boolean;
    /** `advanced` shows the form. Default `basic`. */
    readonly type: "basic" | "advanced";
    /** The form of an `advanced` registration. */
    readonly formId?: string | undefined;
  };
  /** How the service, as a SAML 2.0 identity provider, signs assertions for the application. Absent: not at all. */
  readonly samlv2Configuration?: SamlSettings | undefined;
  /** The forms to edit registrations. */
  readonly formConfiguration: {
    /** The form for administrators. */
    readonly adminRegistrationFormId?: string | undefined;
    /** The form for the users themselves. */
    readonly selfServiceFormId?: string | undefined;
  };
  /** An access list for the pages of a user interface; stored and returned, not applied to any endpoint. */
  readonly accessControlConfiguration: { readonly uiIPAccessControlListId?: string | undefined };
  /** The theme of its sign-in pages. Default: that of the tenant. */
  readonly themeId?: string | undefined;
}

/** An application with its roles (docs/reference/tenants.md#applications). */
export interface Application extends BaseRecord, ApplicationFields {
  /** The tenant that the application belongs to. */
  readonly tenantId: string;
  /** Whether users can log in and register; false after a DELETE without `hardDelete`. */
  readonly active: boolean;
  /** `Active` or `Inactive`, the same as `active`. */
  readonly state: "Active" | "Inactive";
  /** All roles of the application, sorted by name. */
  readonly roles: readonly ApplicationRole[];
}

/** Settings with defaults for each member. */
type ApplicationSettings = "jwtConfiguration" | "loginConfiguration" | "registrationConfiguration";

/** Settings of account flows that are objects. */
type GroupedSettings =
  | "emailConfiguration"
  | "multiFactorConfiguration"
  | "passwordlessConfiguration"
  | "phoneConfiguration"
  | "unverified"
  | "webAuthnConfiguration";

/** Settings of account flows in a request. */
type GivenApplicationSettings = Partial<Omit<ApplicationAccountSettings, GroupedSettings>> & {
  readonly [Name in Exclude<GroupedSettings, "webAuthnConfiguration">]?: Partial<ApplicationAccountSettings[Name]> | undefined;
} & { readonly webAuthnConfiguration?: GivenApplicationPasskeySettings | undefined };

/** The body of POST and PUT. POST creates the roles along with the application; later they have their own paths. */
export interface ApplicationRequest {
  /** The fields of the application; `name` is required. POST also takes `roles`, at most 1,000. */
  readonly application: Partial<
    Omit<ApplicationFields, ApplicationSettings | "oauthConfiguration" | "samlv2Configuration" | keyof ApplicationAccountSettings>
  > & {
    readonly [Name in ApplicationSettings]?: Partial<ApplicationFields[Name]> | undefined;
  } & {
    readonly oauthConfiguration?: OAuthRequest | undefined;
    readonly samlv2Configuration?: SamlRequest | undefined;
  } & GivenApplicationSettings &
    Pick<ApplicationFields, "name"> & {
      readonly roles?: readonly (Partial<RoleFields> & { readonly name: string; readonly id?: string })[];
    };
  /** The application from which POST copies missing fields: settings, `data` and roles, without ids, the name and the secret. */
  readonly sourceApplicationId?: string | undefined;
}

export interface ParsedApplicationRequest {
  readonly application: Omit<ApplicationFields, "oauthConfiguration"> & {
    readonly oauthConfiguration: GivenOAuthSettings;
    readonly roles: readonly (RoleFields & { readonly id?: string | undefined })[];
  };
  readonly sourceApplicationId?: string | undefined;
}

const lambdaNames = lambdaPathsIn("application.lambdaConfiguration");
const century = 3_155_760_000;

export const applicationRequest: Schema<ParsedApplicationRequest> = object({
  application: object({
    name: name(),
    data: data().default({}),
    tenantId: id().optional(),
    jwtConfiguration: object({
      enabled: flag().default(false),
      accessTokenKeyId: id().optional(),
      idTokenKeyId: id().optional(),
      timeToLiveInSeconds: integer(1, century).optional(),
      refreshTokenTimeToLiveInMinutes: integer(1, century).optional(),
      ...rotationFields(),
    }).prefault({}),
    lambdaConfiguration: object(Object.fromEntries(lambdaNames.map((key) => [key, id().optional()]))).prefault({}),
    loginConfiguration: object({
      allowTokenRefresh: flag().default(false),
      generateRefreshTokens: flag().default(false),
      requireAuthentication: flag().default(true),
    }).prefault({}),
    oauthConfiguration: oauthFields(),
    samlv2Configuration: samlFields(),
    registrationConfiguration: object({
      enabled: flag().default(false),
      type: option(["basic", "advanced"]).default("basic"),
      formId: id().optional(),
    }).prefault({}),
    formConfiguration: object({
      adminRegistrationFormId: id().optional(),
      selfServiceFormId: id().optional(),
    }).prefault({}),
    accessControlConfiguration: object({ uiIPAccessControlListId: id().optional() }).prefault({}),
    themeId: id().optional(),
    ...applicationSettingFields(),
    roles: list(object({ ...roleFields(), id: id().optional() }))
      .max(1_000, { error: "tooMany" })
      .default([]),
  }),
  sourceApplicationId: id().optional(),
});
