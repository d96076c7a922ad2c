import { eventTypes } from "./event-types.js";
import { lambdaPaths } from "./lambda-paths.js";
import { lambdaTypeNames, lambdaTypes, toLambdaType } from "./lambda-types.js";

/** The lifetimes in versions of the reference, each fact once, as in docs/reference/service.md#versions-and-plans. */

/** A range of versions: from `since`, up to but not including `until`. */
export interface Lifetime {
  readonly since?: string;
  readonly until?: string;
}

/** Endpoints, by path without parameters, or by method and path if methods differ. */
export const endpointVersions: Readonly<Record<string, Lifetime>> = {
  "/api/api-key": { since: "1.26.0" },
  "/api/connector": { since: "1.18.0" },
  "/api/email/template/search": { since: "1.45.0" },
  "/api/entity": { since: "1.26.0" },
  "/api/entity/grant": { since: "1.26.0" },
  "/api/entity/grant/search": { since: "1.26.0" },
  "/api/entity/search": { since: "1.26.0" },
  "/api/entity/type": { since: "1.26.0" },
  "/api/entity/type/permission": { since: "1.26.0" },
  "/api/entity/type/search": { since: "1.26.0" },
  "PUT /api/group/member": { since: "1.36.0" },
  "/api/group/member/search": { since: "1.36.0" },
  "/api/group/search": { since: "1.45.0" },
  "/api/identity-provider/link": { since: "1.28.0" },
  "/api/identity-provider/link/pending": { since: "1.46.0" },
  "/api/identity-provider/link/search": { since: "1.28.0" },
  "/api/identity-provider/search": { since: "1.45.0" },
  "/api/identity/verify/complete": { since: "1.59.0" },
  "/api/identity/verify/send": { since: "1.59.0" },
  "/api/identity/verify/start": { since: "1.59.0" },
  "/api/identity/verify/verify": { since: "1.59.0" },
  "/api/ip-acl": { since: "1.30.0" },
  "/api/ip-acl/search": { since: "1.30.0" },
  "/api/key/search": { since: "1.45.0" },
  "/api/lambda/search": { since: "1.45.0" },
  "/api/message/template": { since: "1.26.0" },
  "/api/message/template/preview": { since: "1.26.0" },
  "/api/messenger": { since: "1.26.0" },
  "/api/user/comment/search": { since: "1.45.0" },
  "/api/theme/search": { since: "1.45.0" },
  "/api/two-factor/start": { since: "1.26.0" },
  "/api/two-factor/status": { since: "1.26.0" },
  "POST /api/two-factor/status": { since: "1.62.0" },
  "PUT /api/user/two-factor": { since: "1.26.0" },
  "/api/user/two-factor/recovery-code": { since: "1.26.0" },
  "/api/system/webhook-attempt-log": { since: "1.53.0" },
  "/api/system/webhook-event-log": { since: "1.53.0" },
  "/api/system/webhook-event-log/replay": { since: "1.53.0" },
  "/api/system/webhook-event-log/resend": { since: "1.53.0" },
  "/api/system/webhook-event-log/search": { since: "1.53.0" },
  "/api/user/refresh-token/import": { since: "1.19.0" },
  "/api/two-factor/passkey": { since: "1.41.0" },
  "/api/webauthn": { since: "1.41.0" },
  "/api/webauthn/assert": { since: "1.41.0" },
  "/api/webauthn/import": { since: "1.41.0" },
  "/api/webauthn/login": { since: "1.41.0" },
  "/api/webauthn/register/complete": { since: "1.41.0" },
  "/api/webauthn/register/start": { since: "1.41.0" },
  "/api/webauthn/start": { since: "1.41.0" },
  "/api/webhook/search": { since: "1.45.0" },
  "/oauth2/token": { since: "1.26.0" },
};

/** Fields, by path from the wrapper. Outside of its versions a field is an unknown property. */
export const fieldVersions: Readonly<Record<string, Lifetime>> = {
  "apiKey.expirationInstant": { since: "1.55.0" },
  "apiKey.ipAccessControlListId": { since: "1.30.0" },
  "apiKey.name": { since: "1.56.0" },
  "apiKey.retrievable": { since: "1.56.0" },
  "application.accessControlConfiguration.uiIPAccessControlListId": { since: "1.30.0" },
  "application.multiFactorConfiguration": { since: "1.26.0" },
  "application.multiFactorConfiguration.loginPolicy": { since: "1.37.0" },
  "application.multiFactorConfiguration.trustPolicy": { since: "1.37.0" },
  ...oauthVersions(),
  ...lambdaPlaceVersions(),
  "identityProvider.linkingStrategy": { since: "1.28.0" },
  "identityProvider.tenantConfiguration": { since: "1.32.0" },
  "integrations.sms": { until: "1.26.0" },
  "lambda.engineType": { since: "1.35.0" },
  "tenant.accessControlConfiguration.uiIPAccessControlListId": { since: "1.30.0" },
  "tenant.connectorPolicies": { since: "1.18.0" },
  "tenant.multiFactorConfiguration": { since: "1.26.0" },
  "tenant.multiFactorConfiguration.loginPolicy": { since: "1.37.0" },
  "tenant.scimServerConfiguration": { since: "1.36.0" },
  "userAction.sendEndEvent": { since: "1.36.7" },
  "application.passwordlessConfiguration.phoneLoginStrategy": { since: "1.59.0" },
  "application.phoneConfiguration": { since: "1.59.0" },
  "application.webAuthnConfiguration": { since: "1.41.0" },
  "user.passkeys": { since: "1.41.0" },
  "tenant.externalIdentifierConfiguration.webAuthnAuthenticationChallengeTimeToLiveInSeconds": { since: "1.41.0" },
  "tenant.externalIdentifierConfiguration.webAuthnRegistrationChallengeTimeToLiveInSeconds": { since: "1.41.0" },
  "tenant.webAuthnConfiguration": { since: "1.41.0" },
  "tenant.phoneConfiguration": { since: "1.59.0" },
  "tenant.passwordValidationRules.breachDetection": { since: "1.15.0" },
  "webhook.applicationIds": { until: "1.37.0" },
  "webhook.data": { since: "1.15.0" },
  "webhook.signatureConfiguration": { since: "1.48.0" },
  "webhook.sslCertificateKeyId": { since: "1.48.0" },
  "webhook.tenantIds": { since: "1.37.0" },
};

function oauthVersions(): Readonly<Record<string, Lifetime>> {
  const since: readonly (readonly [version: string, ...names: string[]])[] = [
    ["1.28.0", "clientAuthenticationPolicy", "proofKeyForCodeExchangePolicy"],
    ["1.43.0", "authorizedURLValidationPolicy"],
    ["1.50.0", "consentMode", "providedScopePolicy", "relationship", "scopeHandlingPolicy", "unknownScopePolicy"],
  ];
  const toRows = ([version, ...names]: (typeof since)[number]) =>
    names.map((name) => [`application.oauthConfiguration.${name}`, { since: version }] as const);
  return Object.fromEntries(since.flatMap(toRows));
}

/**
 * Values of a field or, for a map, its keys, by the path of the field. Outside of its versions a value is not allowed. Event
 * types and lambda types have tables of their own.
 */
export const valueVersions: Readonly<Record<string, Readonly<Record<string, Lifetime>>>> = {
  "field.key": {
    "registration.preferredLanguages": { since: "1.20.0" },
    "registration.roles": { since: "1.20.0" },
    "registration.timezone": { since: "1.20.0" },
    "user.imageUrl": { since: "1.20.0" },
    "user.phoneNumber": { since: "1.59.0" },
    "user.preferredLanguages": { since: "1.20.0" },
    "user.timezone": { since: "1.20.0" },
  },
  "field.type": { phoneNumber: { since: "1.59.0" } },
  "identityProvider.type": {
    Apple: { since: "1.17.0" },
    EpicGames: { since: "1.28.0" },
    LinkedIn: { since: "1.23.0" },
    Nintendo: { since: "1.36.0" },
    SAMLv2IdPInitiated: { since: "1.26.0" },
    SonyPSN: { since: "1.28.0" },
    Steam: { since: "1.28.0" },
    Twitch: { since: "1.28.0" },
    Xbox: { since: "1.28.0" },
  },
  "key.algorithm": { Ed25519: { since: "1.62.0" }, None: { since: "1.64.0" } },
  "key.type": { OKP: { since: "1.62.0" }, Secret: { since: "1.64.0" } },
  "lambda.engineType": { Nashorn: { until: "1.49.0" } },
  "webhookEventLog.eventType": Object.fromEntries(eventTypes.map((event) => [event.name, event])),
  "lambda.type": Object.fromEntries(lambdaTypeNames.map((name) => [name, lambdaTypes[toLambdaType(name)]])),
  "webhook.eventsEnabled": Object.fromEntries(eventTypes.map((event) => [event.name, event])),
};

/** Behaviors that changed between versions. */
export const behaviorVersions: Readonly<Record<Behavior, Lifetime>> = {
  basicWithApiKey: { since: "1.27.0" },
  boundTokens: { since: "1.63.0" },
  flatLinks: { until: "1.43.0" },
  legacyTwoFactor: { until: "1.26.0" },
  offeredTwoFactorSecret: { since: "1.17.0", until: "1.26.0" },
  patchDocuments: { since: "1.39.0" },
  refuseTenantHeaderOnGlobal: { since: "1.65.0" },
  shortenedTokens: { since: "1.59.0" },
  verificationIds: { since: "1.59.0" },
};

/**
 * `basicWithApiKey`: HTTP Basic with the user name `apikey` accepts an API key.
 * `boundTokens`: tokens are bound to the key of a `DPoP` header and presented with the `DPoP` scheme; earlier versions have
 * neither.
 * `flatLinks`: the body of a link to an identity provider has no wrapper.
 * `legacyTwoFactor`: a second factor has one method, `delivery`, and no recovery codes; users have `twoFactorEnabled` and
 * `twoFactorDelivery`.
 * `offeredTwoFactorSecret`: codes can be sent to a user without a second factor, who then enables `TextMessage` without a secret.
 * `patchDocuments`: PATCH accepts JSON Patch and JSON Merge Patch.
 * `refuseTenantHeaderOnGlobal`: a tenant header on a global-only endpoint is 401; earlier versions ignore it.
 * `shortenedTokens`: a lambda may make a token expire earlier.
 * `verificationIds`: responses about users list the started verifications.
 */
export type Behavior =
  | "basicWithApiKey"
  | "boundTokens"
  | "flatLinks"
  | "legacyTwoFactor"
  | "offeredTwoFactorSecret"
  | "patchDocuments"
  | "refuseTenantHeaderOnGlobal"
  | "shortenedTokens"
  | "verificationIds";

/** The default version of a service. */
export const defaultVersion = "1.65.0";

// A place for a lambda exists since its type does.
function lambdaPlaceVersions(): Readonly<Record<string, Lifetime>> {
  return Object.fromEntries(
    Object.entries(lambdaPaths).flatMap(([path, type]) => {
      const { since } = lambdaTypes[type];
      return since === undefined ? [] : [[path, { since }]];
    }),
  );
}

/** Whether a version is in a lifetime. Undefined includes every version. */
export function existsIn(version: string, lifetime: Lifetime | undefined): boolean {
  if (lifetime === undefined) return true;
  const isSince = lifetime.since === undefined || compareVersions(version, lifetime.since) >= 0;
  return isSince && (lifetime.until === undefined || compareVersions(version, lifetime.until) < 0);
}

/** Compares two versions of the form major.minor.patch, for sorting. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let index = 0; index < 3; index++) {
    const order = (left[index] ?? 0) - (right[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** @throws TypeError unless the text is a version of the form major.minor.patch. */
export function assertVersion(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new TypeError(`version must read like ${defaultVersion}, not ${version}.`);
}
