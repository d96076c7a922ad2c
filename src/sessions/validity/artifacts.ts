/** The reasons for which an artifact ends. */
export type Ending =
  /** An active action prevents logins, to the application or to all. */
  | "action"
  /** The address that it was sent to, or that its proof used, has changed. */
  | "address"
  /** The application was removed or deactivated. */
  | "application"
  /** The user was deactivated. */
  | "deactivation"
  /** The user's account expired. */
  | "expiry"
  /** A two-factor method or passkey that its proof used was removed. */
  | "factor"
  /** The API key that requested it was removed. */
  | "key"
  /** The password changed after the proof. */
  | "password"
  /** The application requires a registration that the user does not have. */
  | "registration"
  /** The user was removed, even if a new user has the same id. */
  | "removal"
  /** All sessions of the user ended after the proof. */
  | "sessions"
  /** The settings of the application no longer allow it. */
  | "settings"
  /** The tenant was removed or deactivated. */
  | "tenant";

/** The reasons for which a kind of artifact ends. Each kind lists them all, so that none is forgotten. */
export interface ArtifactRule {
  readonly endings: ReadonlySet<Ending>;
  /**
   * For these reasons any change ends it, as fits artifacts used within minutes; otherwise only changes of factors that its proof
   * used.
   */
  readonly anyChange: ReadonlySet<"address" | "factor">;
}

const all: ArtifactRule["anyChange"] = new Set(["address", "factor"]);
const none: ArtifactRule["anyChange"] = new Set();

const user = ["removal", "deactivation", "expiry", "tenant"] as const;
const login = [...user, "action", "application", "password", "sessions", "address", "factor"] as const;

const session: ArtifactRule = { endings: new Set([...login, "registration", "settings"]), anyChange: none };
const step: ArtifactRule = { endings: new Set([...login, "settings", "key"]), anyChange: all };
// Proves an address only, so a user with prevented logins may use it.
const verification: ArtifactRule = { endings: new Set([...user, "address", "key"]), anyChange: none };

/** The kinds of artifacts. */
export type ArtifactKind =
  | "accessToken"
  | "authorizationCode"
  | "browserSession"
  | "changePassword"
  | "deviceCode"
  | "emailVerification"
  | "heldLogin"
  | "oneTimePassword"
  | "openIdRefreshToken"
  | "passkeyAuthentication"
  | "passkeyRegistration"
  | "passkeySecondFactor"
  | "passwordless"
  | "phoneVerification"
  | "refreshToken"
  | "registrationVerification"
  | "setupPassword"
  | "trustToken"
  | "twoFactorLogin"
  | "twoFactorTrust";

/** The kinds of artifacts that stand for a user, and the reasons for which they end (docs/reference/validity.md). */
export const artifactRules: Readonly<Record<ArtifactKind, ArtifactRule>> = {
  /** An access token at the service's own routes. Its key and tenant are checked with the signature. */
  accessToken: session,
  /** An authorization code of the OpenID provider. */
  authorizationCode: { ...session, anyChange: all },
  /** A browser session at the OpenID provider, also used by SAML. */
  browserSession: session,
  /** The id in a mail about a forgotten password. A locked-out user may change the password. */
  changePassword: { endings: new Set([...user, "password", "address", "key"]), anyChange: all },
  /** A device code that a user allowed. */
  deviceCode: { ...session, anyChange: all },
  emailVerification: verification,
  /** A login at the sign-in pages, until the browser returns to the provider. */
  heldLogin: { ...session, anyChange: all },
  /** Returned by a change of the password; valid for one login. */
  oneTimePassword: step,
  /** A caller that may add passkeys may do so during an action too. */
  openIdRefreshToken: session,
  passkeyAuthentication: step,
  // An action does not keep a logged-in user from adding a passkey.
  passkeyRegistration: { ...step, endings: new Set([...step.endings].filter((ending) => ending !== "action")) },
  passkeySecondFactor: step,
  passwordless: step,
  phoneVerification: verification,
  /** A refresh token of a login over the API. */
  refreshToken: session,
  registrationVerification: { endings: new Set([...verification.endings, "application", "registration"]), anyChange: none },
  setupPassword: { endings: new Set([...user, "password", "address"]), anyChange: all },
  /** Proves a second factor for a change of the password. */
  trustToken: step,
  /** A login that waits for its second factor. If that factor is removed, another one can be used. */
  twoFactorLogin: { ...step, anyChange: new Set(["address"]) },
  /** A device that needs no second factor. */
  twoFactorTrust: { endings: new Set([...user, "password", "sessions", "factor"]), anyChange: all },
};
