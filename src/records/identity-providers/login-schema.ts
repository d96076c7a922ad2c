import { anyValue, data, flag, id, ipAddress, map, object, requiredText, type Schema, text } from "../../http/schema/fields.js";
import { isObjectOrList } from "../../shared/objects.js";

/** The body that starts a login by an identity provider. */
export interface ExternalLoginStartRequest {
  /** The application that the user logs in to. */
  readonly applicationId: string;
  /** The provider; it must serve the application. */
  readonly identityProviderId: string;
  /** What the user typed: the provider may show it. Required for `HYPR`. */
  readonly loginId?: string | undefined;
  /** Where the provider sends the user back to: registered there. Required but for `HYPR`. */
  readonly redirect_uri?: string | undefined;
  /** Returned by the login that this starts. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

/** Where a login goes on. */
export interface ExternalLoginStartResponse {
  /** Finishes the login, once: it is the `state` that the provider sends back. Good for 300 s by default. */
  readonly code: string;
  /** The fields of a form that the browser posts to `url`; absent: it follows the URL. */
  readonly formFields?: Readonly<Record<string, string>>;
  /** Where the browser goes; absent for `HYPR`. */
  readonly url?: string;
}

/** The body that finishes a login by an identity provider. */
export interface ExternalLoginRequest {
  /** The application; known for a login that was started. */
  readonly applicationId?: string | undefined;
  /** What the provider sent, such as `code` and `state`, or a `token` of it, with the `redirect_uri`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** A token of the issuer, for the type `ExternalJWT`. */
  readonly encodedJWT?: string | undefined;
  /** The provider; known for a login that was started. */
  readonly identityProviderId?: string | undefined;
  /** The address of the user, from a caller with a credential. */
  readonly ipAddress?: string | undefined;
  /** Stored with the refresh token: which device it is for. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** As for a login with a password. */
  readonly newDevice?: boolean | undefined;
  /** Whether to issue no tokens. Default false. */
  readonly noJWT?: boolean | undefined;
  /** Whether to link nobody: 404 for an account that is not linked. Default false. */
  readonly noLink?: boolean | undefined;
  /** Makes a second factor unnecessary on a trusted device: what a login with `trustComputer` returned. */
  readonly twoFactorTrustId?: string | undefined;
}

/** The body of the older call for tokens of known issuers. */
export interface ReconcileRequest extends Omit<ExternalLoginRequest, "data"> {
  readonly applicationId: string;
  readonly encodedJWT: string;
  readonly identityProviderId: string;
}

/** The answer of a login whose account is linked to nobody (232). */
export interface PendingLinkLoginResponse {
  /** Never here: a login has tokens when it is complete. @hidden */
  readonly token?: undefined;
  /** Links the account once its user is known: `POST /api/identity-provider/link`. Good for an hour by default. */
  readonly pendingIdPLinkId: string;
  /** What the start was given. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A login request whose defaults are filled in. */
export interface ParsedExternalLoginRequest extends Omit<ExternalLoginRequest, "data"> {
  readonly data: Readonly<Record<string, string>>;
  readonly noJWT: boolean;
  readonly noLink: boolean;
}

const shortText = (): Schema<string | undefined> => text().max(1_000, { error: "tooLong" }).optional();

const maxRedirectLength = 8_000;

export const externalLoginStartRequest: Schema<ExternalLoginStartRequest> = object({
  applicationId: id(),
  identityProviderId: id(),
  loginId: shortText(),
  redirect_uri: requiredText(maxRedirectLength).optional(),
  state: data().optional(),
});

/** What a provider sent: texts; an object, as one sends it to new users, is its JSON. */
const parameters = (): Schema<Record<string, string>> =>
  map(anyValue()).transform((given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, isObjectOrList(value) ? JSON.stringify(value) : String(value)]),
    ),
  );

export const externalLoginRequest: Schema<ParsedExternalLoginRequest> = object({
  applicationId: id().optional(),
  data: parameters().default({}),
  encodedJWT: requiredText().optional(),
  identityProviderId: id().optional(),
  ipAddress: ipAddress().optional(),
  metaData: data().optional(),
  newDevice: flag().optional(),
  noJWT: flag().default(false),
  noLink: flag().default(false),
  twoFactorTrustId: shortText(),
});
