import { isObject, valueAt, withMember } from "../../shared/objects.js";

/** Settings that have no effect here, and the reason or alternative. */
interface SettingsGroup {
  /** Ends the sentence "It has no effect here: …". */
  readonly reason: string;
  /** Dotted paths from the record. */
  readonly paths: readonly string[];
}

const inside = (parent: string, ...names: readonly string[]): readonly string[] => names.map((name) => `${parent}.${name}`);

const verificationKeys: SettingsGroup = {
  reason: "the keys that sign tokens verify them, and go on until the last of these tokens expires",
  paths: inside("jwtConfiguration", "accessTokenVerificationKeyIds", "idTokenVerificationKeyIds"),
};

const refreshTokens: SettingsGroup = {
  reason: "`refreshTokenTimeToLiveInMinutes` ends a session, as do the events on the page about validity",
  paths: inside(
    "jwtConfiguration",
    ...["refreshTokenExpirationPolicy", "refreshTokenRevocationPolicy", "refreshTokenSlidingWindowConfiguration"],
  ),
};

const graceOfTokens: SettingsGroup = {
  reason: "set `jwtConfiguration.refreshGraceSeconds`",
  paths: ["jwtConfiguration.refreshTokenOneTimeUseConfiguration"],
};

const textTemplates: SettingsGroup = {
  reason: "no text leaves for this",
  paths: inside(
    "phoneConfiguration",
    ...["loginIdInUseOnCreateTemplateId", "loginIdInUseOnUpdateTemplateId", "loginNewDeviceTemplateId"],
    ...["loginSuspiciousTemplateId", "setPasswordTemplateId", "twoFactorMethodAddTemplateId"],
    "twoFactorMethodRemoveTemplateId",
  ),
};

const voice: SettingsGroup = {
  reason: "codes of second factors leave by mail and text",
  paths: ["multiFactorConfiguration.voice"],
};

const unverifiedUsers = "users and registrations stay until you remove them";

/**
 * The settings of the reference that have no effect here, by the wrapper of their record
 * (docs/reference/settings-without-effect.md). Over HTTP they are stored and returned unchanged, and each start logs those that
 * are set. Calls in process and configuration documents with one are refused.
 */
const groups: Readonly<Record<string, readonly SettingsGroup[]>> = {
  application: [
    verificationKeys,
    refreshTokens,
    graceOfTokens,
    textTemplates,
    voice,
    { reason: "users log in with a password, a passkey or a provider", paths: ["authenticationTokenConfiguration"] },
    { reason: "links in mails begin with the public URL of the service", paths: ["baseURL"] },
    { reason: "the integration `moderation` applies to all applications", paths: ["moderationConfiguration"] },
    { reason: "lifetimes are those of the tenant", paths: ["externalIdentifierConfiguration"] },
    {
      reason: "a change of the password always asks for the current one",
      paths: ["formConfiguration.selfServiceFormConfiguration"],
    },
    {
      reason: "lambdas of identity providers stand in the provider",
      paths: ["lambdaConfiguration.reconcileId"],
    },
    { reason: "tokens name no resource", paths: ["oauthConfiguration.authorizedResourceUris"] },
    { reason: "scopes are those of OpenID Connect, and permissions of entities", paths: ["scopes"] },
    {
      reason: "set `type` to `advanced`, and name a form with these fields",
      paths: inside(
        "registrationConfiguration",
        ...["birthDate", "completeRegistration", "confirmPassword", "firstName", "fullName", "lastName"],
        ...["loginIdType", "middleName", "mobilePhone", "preferredLanguages"],
      ),
    },
    { reason: unverifiedUsers, paths: ["registrationDeletePolicy"] },
    {
      reason: "the page about SAML has the digest and padding of encrypted assertions",
      paths: inside(
        "samlv2Configuration.assertionEncryptionConfiguration",
        ...["digestAlgorithm", "keyTransportAlgorithm", "maskGenerationFunction"],
      ),
    },
    { reason: "SAML sessions end with the session of sign-in", paths: inside("samlv2Configuration", "logout", "logoutURL") },
    { reason: "an application belongs to one tenant", paths: ["universalConfiguration"] },
  ],
  entityType: [{ ...verificationKeys, paths: ["jwtConfiguration.accessTokenVerificationKeyIds"] }],
  tenant: [
    verificationKeys,
    refreshTokens,
    graceOfTokens,
    textTemplates,
    voice,
    { reason: "links in mails begin with the public URL of the service", paths: ["baseURL"] },
    { reason: "pages of sign-in show no captcha; limits of attempts protect them", paths: ["captchaConfiguration"] },
    { reason: "the page about login security has the rules that find threats", paths: ["clientRiskConfiguration"] },
    {
      reason: "mails leave by the option `mail` of the service",
      paths: inside(
        "emailConfiguration",
        ...["additionalHeaders", "debug", "host", "password", "port", "properties", "security", "username"],
      ),
    },
    {
      reason: "a factor that an administrator removes sends the mail or text of `twoFactorMethodRemove`",
      paths: [
        "emailConfiguration.adminTwoFactorMethodRemoveEmailTemplateId",
        "phoneConfiguration.adminTwoFactorMethodRemoveTemplateId",
      ],
    },
    {
      reason: "the provider of OpenID Connect and SAML has lifetimes of its own",
      paths: inside(
        "externalIdentifierConfiguration",
        ...["authorizationGrantIdTimeToLiveInSeconds", "deviceCodeTimeToLiveInSeconds", "deviceUserCodeIdGenerator"],
        ...["identityProviderConnectionTestTimeToLiveInSeconds", "loginIntentTimeToLiveInSeconds"],
        ...["rememberOAuthScopeConsentChoiceTimeToLiveInSeconds", "samlv2AuthNRequestIdTimeToLiveInSeconds"],
      ),
    },
    { reason: "there are no families; forms ask for the age of consent", paths: ["familyConfiguration"] },
    { reason: "sessions of sign-in last as long as refresh tokens", paths: ["httpSessionMaxInactiveInterval"] },
    { reason: "a login without an application always needs an API key", paths: ["loginConfiguration"] },
    { reason: "set `oauthConfiguration.logoutURL` of each application", paths: ["logoutURL"] },
    {
      reason: "authenticators use HMAC-SHA1, 6 digits and 30 seconds",
      paths: inside("multiFactorConfiguration.authenticator", "algorithm", "codeLength", "timeStep"),
    },
    { reason: "the event log has what second factors did", paths: ["multiFactorConfiguration.debug"] },
    {
      reason: "the option `passwordHashing` of the service decides",
      paths: ["passwordEncryptionConfiguration"],
    },
    { reason: "use a lambda that validates registrations", paths: ["registrationConfiguration"] },
    { reason: "sessions of sign-in follow the page about OpenID Connect", paths: ["ssoConfiguration"] },
    { reason: unverifiedUsers, paths: ["userDeletePolicy"] },
    {
      reason: "change the number by `PATCH /api/user/{userId}` with a key",
      paths: ["phoneConfiguration.unverified.allowPhoneNumberChangeWhenGated"],
    },
    { reason: "each username is unique as it stands", paths: ["usernameConfiguration"] },
  ],
  theme: [
    {
      reason: "the service writes the pages; set `colors`, `darkColors`, `messages` and the texts of the theme",
      paths: ["defaultMessages", "localizedMessages", "stylesheet", "templates", "type", "variables"],
    },
  ],
};

const accessLists: SettingsGroup = {
  reason: "limit addresses in the host: it is for pages of your own",
  paths: ["accessControlConfiguration.uiIPAccessControlListId"],
};

/**
 * Settings that only pages of the embedder can follow. The service only validates them, also in process and in configuration
 * documents; each start logs those that are set.
 */
const forHostPages: Readonly<Record<string, readonly SettingsGroup[]>> = {
  application: [
    accessLists,
    {
      reason: "the console shows all fields: it is for pages of your own",
      paths: inside("formConfiguration", "adminRegistrationFormId", "selfServiceFormId"),
    },
  ],
  consent: [{ reason: "set `emailPlus`, or send a mail of your own", paths: ["consentEmailTemplateId"] }],
  tenant: [
    accessLists,
    { reason: "the console shows all fields: it is for pages of your own", paths: ["formConfiguration.adminUserFormId"] },
  ],
};

/** A setting that has no effect. */
export interface SettingWithoutEffect {
  /** The dotted path from the record. */
  readonly path: string;
  /** Ends the sentence "It has no effect here: …". */
  readonly reason: string;
}

const toSettings = (all: typeof groups): ReadonlyMap<string, readonly SettingWithoutEffect[]> =>
  new Map(
    Object.entries(all).map(([wrapper, own]) => [
      wrapper,
      own.flatMap(({ paths, reason }) => paths.map((path) => ({ path, reason }))),
    ]),
  );

const byWrapper = toSettings(groups);
const hostPagesByWrapper = toSettings(forHostPages);

/** The settings of one kind of record that have no effect. */
export function settingsWithoutEffect(wrapper: string): readonly SettingWithoutEffect[] {
  return byWrapper.get(wrapper) ?? [];
}

/** The settings of one kind of record that only pages of the embedder can follow. */
export function settingsForHostPages(wrapper: string): readonly SettingWithoutEffect[] {
  return hostPagesByWrapper.get(wrapper) ?? [];
}

/** The settings without effect that a record has. */
export function givenWithoutEffect(wrapper: string, record: unknown): readonly SettingWithoutEffect[] {
  return settingsWithoutEffect(wrapper).filter(({ path }) => valueAt(record, path) !== undefined);
}

/** Settings that would change something if they had an effect: not `false`, empty, or an object that is not enabled. */
export function setWithoutEffect(wrapper: string, record: unknown): readonly SettingWithoutEffect[] {
  return [...settingsWithoutEffect(wrapper), ...settingsForHostPages(wrapper)].filter(({ path }) => isOn(valueAt(record, path)));
}

function isOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value)) return true;
  if ("enabled" in value) return value.enabled === true;
  return Object.values(value).some(isOn);
}

/** A parsed record with the settings that have no effect, as in the body. */
export function copySettingsWithoutEffect<T>(wrapper: string, parsed: T, body: unknown): T {
  const given = isObject(parsed) ? givenWithoutEffect(wrapper, body) : [];
  return given.reduce<T>((record, { path }) => withMember(record as object, path.split("."), valueAt(body, path)) as T, parsed);
}

/** A parsed request with the settings of its record that have no effect, as in the body. */
export function withSettingsOf<Request>(wrapper: string, request: Request, body: unknown): Request {
  if (settingsWithoutEffect(wrapper).length === 0) return request;
  return { ...request, [wrapper]: copySettingsWithoutEffect(wrapper, valueAt(request, wrapper), valueAt(body, wrapper)) };
}

/** The reason that a member of a body, by its dotted path from the wrapper, has no effect; undefined for every other member. */
export function reasonWithoutEffect(path: string): string | undefined {
  const [wrapper = "", ...rest] = path.split(".");
  return settingsWithoutEffect(wrapper).find((setting) => setting.path === rest.join("."))?.reason;
}

/** The message about such a member for a caller in process and for a configuration document. */
export function refusalOf(path: string, reason: string): string {
  return `[${path}] has no effect here: ${reason}.`;
}
