/**
 * Every kind of refusal, with its status and message. A code in the API is `[kind]` or `[kind]path`
 * (docs/reference/errors.md#kinds-of-codes). Messages are not part of the contract; kinds are.
 */

/** The status of a refusal, and its message for a path (field errors) or for the whole request. */
export interface ErrorCode {
  readonly status: number;
  readonly message: (path: string) => string;
}

/** A kind of refusal for a field. */
export type FieldErrorKind =
  | "blank"
  | "unknown"
  | "missing"
  | "empty"
  | "invalid"
  | "invalidJSON"
  | "invalidOption"
  | "couldNotConvert"
  | "duplicate"
  | "inUse"
  | "tooLong"
  | "tooShort"
  | "tooMany"
  | "tooLarge"
  | "notEmail"
  | "notLicensed"
  | "configured"
  | "notConfigured"
  | "moderationRejected"
  | "cannotSend"
  | "doNotMatch"
  | "pendingDelete"
  | "disabled"
  | "singleCase"
  | "onlyAlpha"
  | "requireNumber"
  | "containsEmail"
  | "containsUsername"
  | "containsPhoneNumber"
  | "previouslyUsed"
  | "tooYoung"
  | "breachedCommonPassword"
  | "breachedExactMatch"
  | "breachedPasswordOnly"
  | "breachedSubAddressMatch"
  | "tooWeak";

/** A kind of refusal for the whole request. */
export type GeneralErrorKind =
  | "TenantIdRequired"
  | "invalidJSON"
  | "invalid"
  | "invalidText"
  | "tooMany"
  | "tooManyErrors"
  | "UnsupportedContentType"
  | "MissingContentType"
  | "InvalidContentType"
  | "UnsupportedContentEncoding"
  | "JSONPatchTestFailed"
  | "LambdaFailed"
  | "WebhookTransactionException"
  | "invalidDPoPProof"
  | "invalidPatch"
  | "notFound"
  | "unauthorized"
  | "invalidCredentials"
  | "expired"
  | "methodNotAllowed"
  | "wrongCode"
  | "smsFailed"
  | "writeHookFailed"
  | "tooManyMessages"
  | "tooManyJobs"
  | "wrongState"
  | "TrustTokenRequired"
  | "recentLoginRequired"
  | "factorRequired"
  | "noMailTemplate"
  | "noMailAddress"
  | "requestTimeout"
  | "unreadableBody"
  | "preconditionFailed"
  | "tooLarge"
  | "forbidden"
  | "locked"
  | "loginPrevented"
  | "tooManyAttempts"
  | "internal"
  | "overloaded"
  | "storageUnavailable"
  | "identityProviderPending"
  | "identityProviderIncomplete"
  | "identityProviderRefused"
  | "identityProviderUnavailable"
  | "connectorUnavailable"
  | "externalPassword";

const badRequest = (message: ErrorCode["message"]): ErrorCode => ({ status: 400, message });

/** Kinds of refusals for a field. */
export const fieldErrorCodes: Readonly<Record<FieldErrorKind, ErrorCode>> = {
  blank: badRequest((path) => `You must specify the [${path}] property.`),
  unknown: badRequest((path) => `There is no member [${path}].`),
  missing: badRequest((path) => `You must specify the [${path}] property.`),
  empty: badRequest((path) => `The [${path}] property must hold at least one element.`),
  invalid: badRequest((path) => `The [${path}] property is not valid.`),
  invalidJSON: badRequest((path) => `The [${path}] property has the wrong JSON type.`),
  invalidOption: badRequest((path) => `The [${path}] property is not one of the allowed values.`),
  couldNotConvert: badRequest((path) => `The [${path}] value could not be converted to the expected type.`),
  duplicate: badRequest((path) => `The value of [${path}] is already in use.`),
  inUse: badRequest((path) => `What [${path}] names is in use and cannot be removed.`),
  tooLong: badRequest((path) => `The [${path}] property is too long.`),
  tooShort: badRequest((path) => `The [${path}] property is too short.`),
  tooMany: badRequest((path) => `The [${path}] property holds too many elements.`),
  tooLarge: badRequest((path) => `The answer to this [${path}] would be too large.`),
  notEmail: badRequest((path) => `The [${path}] property must be an email address.`),
  notLicensed: badRequest((path) => `The plan of this service does not include what [${path}] asks for.`),
  configured: badRequest((path) => `What [${path}] is about is set up already.`),
  notConfigured: badRequest((path) => `What [${path}] is about is not set up.`),
  moderationRejected: badRequest((path) => `The moderation rejected the value of [${path}].`),
  cannotSend: badRequest((path) => `Nothing can be sent to what [${path}] names.`),
  doNotMatch: badRequest((path) => `The two values of [${path}] are not the same.`),
  pendingDelete: badRequest((path) => `What [${path}] names is being deleted.`),
  disabled: badRequest((path) => `What [${path}] names does not allow this call. Enable it in its settings.`),
  singleCase: badRequest((path) => `The [${path}] must have upper and lower case letters.`),
  onlyAlpha: badRequest((path) => `The [${path}] must have a character that is not a letter.`),
  requireNumber: badRequest((path) => `The [${path}] must have a digit.`),
  containsEmail: badRequest((path) => `The [${path}] must not contain the email of the user.`),
  containsUsername: badRequest((path) => `The [${path}] must not contain the username of the user.`),
  containsPhoneNumber: badRequest((path) => `The [${path}] must not contain the phone number of the user.`),
  previouslyUsed: badRequest((path) => `The [${path}] was used before. Choose another.`),
  tooYoung: badRequest((path) => `The [${path}] was changed a moment ago. Wait before you change it again.`),
  breachedCommonPassword: badRequest((path) => `The [${path}] is one of the most common passwords. Choose another.`),
  breachedExactMatch: badRequest((path) => `The [${path}] was published in a breach together with the login id. Choose another.`),
  breachedSubAddressMatch: badRequest(
    (path) => `The [${path}] was published in a breach together with an address of the user. Choose another.`,
  ),
  tooWeak: badRequest((path) => `The [${path}] is too easy to guess. Choose a longer one or rarer words.`),
  breachedPasswordOnly: badRequest((path) => `The [${path}] was published in a breach. Choose another.`),
};

/** The largest number of listed values. */
const maxOptions = 40;

/** Returns a sentence with the allowed values. */
export function describeOptions(values: readonly unknown[]): string {
  const more = values.length > maxOptions ? `, and ${values.length - maxOptions} more` : "";
  return `Allowed: ${values
    .slice(0, maxOptions)
    .map((value) => `[${String(value)}]`)
    .join(", ")}${more}.`;
}

/** Kinds of refusals for the whole request. Those with an empty body in the API still have a message for the host. */
export const generalErrorCodes: Readonly<Record<GeneralErrorKind, ErrorCode>> = {
  TenantIdRequired: badRequest(
    () =>
      "A tenant id is required to complete this request. To complete this request, you may assign a tenant to your API key, or add the tenant id header.",
  ),
  invalidJSON: badRequest(() => "The body is not valid JSON."),
  invalid: badRequest(() => "The request is not valid."),
  invalidText: badRequest(() => "The request holds bytes that are not UTF-8 text."),
  tooMany: badRequest(() => "The request holds too many items."),
  tooManyErrors: badRequest(() => "There are more errors than are listed here."),
  UnsupportedContentType: badRequest(() => "The Content-Type of this request is not supported."),
  MissingContentType: badRequest(() => "A request with a body must have a Content-Type."),
  InvalidContentType: badRequest(() => "The Content-Type of this request cannot be parsed."),
  UnsupportedContentEncoding: { status: 415, message: () => "A request body must be sent without a Content-Encoding." },
  JSONPatchTestFailed: badRequest(() => "A test operation of the patch failed."),
  LambdaFailed: badRequest(() => "A lambda failed, so that the call could not be completed."),
  invalidDPoPProof: badRequest(() => "The DPoP header holds no proof for this request, or one that was used before."),
  invalidPatch: badRequest(() => "The patch cannot be applied."),
  notFound: { status: 404, message: () => "There is no such object." },
  unauthorized: { status: 401, message: () => "The credentials are missing, wrong or not enough for this call." },
  // Over HTTP it is 404 without a body, as in the reference.
  invalidCredentials: { status: 401, message: () => "The login id or the password is wrong, or the user may not log in." },
  expired: { status: 410, message: () => "The time of this user is over." },
  methodNotAllowed: { status: 405, message: () => "The method is not supported on this path." },
  factorRequired: badRequest(() => "Log in again with a second factor or a passkey first: the user has one."),
  recentLoginRequired: badRequest(() => "Log in again first: this needs a login of the last 15 minutes."),
  TrustTokenRequired: badRequest(
    () => "The user has a second factor: complete it first, and pass the trust token that this returns as trustToken.",
  ),
  noMailTemplate: {
    status: 403,
    message: () => "No template is set for this mail or text. Name one in the tenant's emailConfiguration or phoneConfiguration.",
  },
  noMailAddress: { status: 422, message: () => "The user has no email address or phone number to send to." },
  requestTimeout: { status: 408, message: () => "The body did not arrive in time." },
  unreadableBody: badRequest(() => "The request has a body that cannot be read."),
  wrongCode: { status: 421, message: () => "The verification code is not valid." },
  writeHookFailed: { status: 503, message: () => "The application could not follow the change, so that the call was undone." },
  smsFailed: { status: 503, message: () => "The text message could not be sent. Try again later." },
  tooManyMessages: {
    status: 429,
    message: () => "There were too many messages to this user, or from this address. Try again later.",
  },
  tooManyJobs: { status: 429, message: () => "Too many import jobs are open. Try again once one of them is over." },
  wrongState: { status: 409, message: () => "The object is in a state in which this cannot be done." },
  preconditionFailed: { status: 412, message: () => "The object changed since the given ETag was read." },
  tooLarge: { status: 413, message: () => "The body is larger than this service accepts." },
  forbidden: { status: 403, message: () => "The caller may not do this." },
  loginPrevented: { status: 409, message: () => "An action prevents the login." },
  locked: { status: 423, message: () => "There were too many failed attempts. Try again later." },
  tooManyAttempts: { status: 429, message: () => "There were too many failed attempts. Try again later." },
  internal: { status: 500, message: () => "An unexpected error happened." },
  WebhookTransactionException: { status: 504, message: () => "Too few of the webhooks that were asked agreed." },
  overloaded: { status: 503, message: () => "Too many answers wait to be read. Try again later." },
  storageUnavailable: { status: 503, message: () => "The storage is not available. Try again later." },
  identityProviderPending: { status: 409, message: () => "The user has not decided yet. Repeat the call in a moment." },
  identityProviderIncomplete: badRequest(() => "The identity provider does not say which address or name the user has."),
  identityProviderRefused: badRequest(() => "The identity provider does not vouch for this login."),
  identityProviderUnavailable: {
    status: 502,
    message: () => "The identity provider does not answer as it should. Try again later.",
  },
  connectorUnavailable: {
    status: 502,
    message: () => "The system that checks the password does not answer as it should. Try again later.",
  },
  externalPassword: badRequest(() => "Another system checks the password of this user. Change it there."),
};

/** Statuses with an empty response body (docs/reference/wire.md#output). */
export const emptyBodyStatuses: ReadonlySet<number> = new Set([401, 404, 405, 410, 421, 423, 500]);
