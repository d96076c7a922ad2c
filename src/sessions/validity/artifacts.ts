/** What can end an artifact, by the question that is asked. */
export type Ending =
  /** An action prevents logins, to the application or to all, while it lasts. */
  | "action"
  /** The address that it was sent to, or that its proof was read at, changed. */
  | "address"
  /** The application is gone or inactive. */
  | "application"
  /** The user is inactive. */
  | "deactivation"
  /** The user's time is over. */
  | "expiry"
  /** A method or a passkey that its proof used was removed. */
  | "factor"
  /** The API key that asked for it is gone. */
  | "key"
  /** The password changed since the proof. */
  | "password"
  /** The user is not registered to the application, which asks for that. */
  | "registration"
  /** The user is gone, or is another one under the same id. */
  | "removal"
  /** All sessions of the user ended since the proof. */
  | "sessions"
  /** Settings of the application do not allow it any more. */
  | "settings"
  /** The tenant is gone or inactive. */
  | "tenant";

/** What ends a kind of artifact. Each kind names its endings, so that none is forgotten. */
export interface ArtifactRule {
  readonly endings: ReadonlySet<Ending>;
  /** Of these endings any change ends it, as of what is used within minutes; else changes of what its proof used. */
  readonly anyChange: ReadonlySet<"address" | "factor">;
}

const all: ArtifactRule["anyChange"] = new Set(["address", "factor"]);
const none: ArtifactRule["anyChange"] = new Set();

const user = ["removal", "deactivation", "expiry", "tenant"] as const;
const login = [...user, "action", "application", "password", "sessions", "address", "factor"] as const;

const session: ArtifactRule = { endings: new Set([...login, "registration", "settings"]), anyChange: none };
const step: ArtifactRule = { endings: new Set([...login, "settings", "key"]), anyChange: all };
// What proves an address alone: it logs nobody in, and a user who may not log in may do so.
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

/** Every artifact that stands for a user, and what ends it (docs/reference/validity.md). */
export const artifactRules: Readonly<Record<ArtifactKind, ArtifactRule>> = {
  /** An access token, at the service's own routes. The keys of tokens and the tenant are looked at with the signature. */
  accessToken: session,
  /** A code of the OpenID provider. */
  authorizationCode: { ...session, anyChange: all },
  /** The session of a browser at the OpenID provider, and so of SAML. */
  browserSession: session,
  /** The id of a mail to who forgot the password. A user who is locked out may choose another one. */
  changePassword: { endings: new Set([...user, "password", "address", "key"]), anyChange: all },
  /** A code of a device that a user allowed. */
  deviceCode: { ...session, anyChange: all },
  emailVerification: verification,
  /** A login at the pages, until the browser comes back to the provider. */
  heldLogin: { ...session, anyChange: all },
  /** What a change of the password returns: good for one login. */
  oneTimePassword: step,
  /** A refresh token of the OpenID provider. */
  openIdRefreshToken: session,
  passkeyAuthentication: step,
  // A caller who may add one adds it while an action lasts, too.
  passkeyRegistration: { ...step, endings: new Set([...step.endings].filter((ending) => ending !== "action")) },
  passkeySecondFactor: step,
  passwordless: step,
  phoneVerification: verification,
  /** A refresh token of a login by the API. */
  refreshToken: session,
  registrationVerification: { endings: new Set([...verification.endings, "application", "registration"]), anyChange: none },
  setupPassword: { endings: new Set([...user, "password", "address"]), anyChange: all },
  /** A second factor that was shown, for a change of the password. */
  trustToken: step,
  /** A login that waits for its second factor: one that is removed makes room for another. */
  twoFactorLogin: { ...step, anyChange: new Set(["address"]) },
  /** A device that needs no second factor. */
  twoFactorTrust: { endings: new Set([...user, "password", "sessions", "factor"]), anyChange: all },
};
