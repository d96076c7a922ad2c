import { anyValue, data, flag, id, ipAddress, map, object, requiredText, type Schema, text } from "../../http/schema/fields.js";
import { isObjectOrList } from "../../shared/objects.js";

/** The body that starts a login by an identity provider. */
export interface ExternalLoginStartRequest {
  /** The application that the user logs in to. */
  readonly applicationId: string;
  /** The provider; it must serve the application. */
  readonly identityProviderId: string;
  /** The login id that the user typed; the provider may show it. Required for `HYPR`. */
  readonly loginId?: string | undefined;
  /** The redirect URI, registered at the provider. Required except for `HYPR`. */
  readonly redirect_uri?: string | undefined;
  /** Returned by the login. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

/** The next step of a started login. */
export interface ExternalLoginStartResponse {
  /** Finishes the login, once: the `state` that the provider returns. Valid for 300 s by default. */
  readonly code: string;
  /** The fields of a form that the browser posts to `url`; absent if it follows the URL. */
  readonly formFields?: Readonly<Record<string, string>>;
  /** The URL for the browser; absent for `HYPR`. */
  readonly url?: string;
}

/** The body that finishes a login by an identity provider. */
export interface ExternalLoginRequest {
  /** The application. Not needed for a started login. */
  readonly applicationId?: string | undefined;
  /** The response of the provider, such as `code` and `state`, or its `token`, with the `redirect_uri`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** A token of the issuer, for the type `ExternalJWT`. */
  readonly encodedJWT?: string | undefined;
  /** The provider. Not needed for a started login. */
  readonly identityProviderId?: string | undefined;
  /** The IP address of the user, from a caller with a credential. */
  readonly ipAddress?: string | undefined;
  /** Metadata of the device, stored with the refresh token. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** As for a login with a password. */
  readonly newDevice?: boolean | undefined;
  /** Whether to issue no tokens. Default false. */
  readonly noJWT?: boolean | undefined;
  /** Whether to refuse unlinked accounts with 404. Default false. */
  readonly noLink?: boolean | undefined;
  /** Replaces the second factor on a trusted device: the value that a login with `trustComputer` returned. */
  readonly twoFactorTrustId?: string | undefined;
}

/** The body of the older call for tokens of known issuers. */
export interface ReconcileRequest extends Omit<ExternalLoginRequest, "data"> {
  readonly applicationId: string;
  readonly encodedJWT: string;
  readonly identityProviderId: string;
}

/** The response of a login with an unlinked account (232). */
export interface PendingLinkLoginResponse {
  /** Always absent: only a complete login has tokens. @hidden */
  readonly token?: undefined;
  /** The id to link the account to a user: `POST /api/identity-provider/link`. Valid for an hour by default. */
  readonly pendingIdPLinkId: string;
  /** The `state` of the start. */
  readonly state?: Readonly<Record<string, unknown>>;
}

export type ParsedExternalLoginRequest = ExternalLoginRequest &
  Required<Pick<ExternalLoginRequest, "noJWT" | "noLink">> & { readonly data: Readonly<Record<string, string>> };

const shortText = (): Schema<string | undefined> => text().max(1_000, { error: "tooLong" }).optional();

const maxRedirectLength = 8_000;

export const externalLoginStartRequest: Schema<ExternalLoginStartRequest> = object({
  applicationId: id(),
  identityProviderId: id(),
  loginId: shortText(),
  redirect_uri: requiredText(maxRedirectLength).optional(),
  state: data().optional(),
});

/** The response of a provider as texts. Objects, which some providers send for new users, become JSON. */
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
