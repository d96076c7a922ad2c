/** The JSON forms of Web Authentication, Level 3 (5.1.8 to 5.1.10), as browsers read and write them. Texts of bytes are base64url. */

/** A passkey that a browser knows by its id. */
export interface CredentialDescriptor {
  /** The authenticator's id of it. */
  readonly id: string;
  /** How the authenticator is reached. */
  readonly transports: readonly string[];
  /** The only type that there is. */
  readonly type: "public-key";
}

/** What makes a passkey: pass it to `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export interface PasskeyCreationOptions {
  /** Whether the authenticator vouches for it: no. */
  readonly attestation: "none";
  /** Which authenticators may make it. */
  readonly authenticatorSelection: {
    /** Absent: any. */
    readonly authenticatorAttachment?: "cross-platform" | "platform" | undefined;
    readonly requireResidentKey: boolean;
    readonly residentKey: "required";
    readonly userVerification: "discouraged" | "preferred" | "required";
  };
  /** Works once. */
  readonly challenge: string;
  /** The passkeys that the user has: an authenticator makes no second one. */
  readonly excludeCredentials: readonly CredentialDescriptor[];
  /** Asks the browser whether it is discoverable. */
  readonly extensions: { readonly credProps: boolean };
  /** The algorithms, the preferred one first. */
  readonly pubKeyCredParams: readonly { readonly alg: number; readonly type: "public-key" }[];
  /** The domain that it is for, and its name. */
  readonly rp: { readonly id: string; readonly name: string };
  /** Milliseconds. */
  readonly timeout: number;
  /** Whose it is; `id` is the user handle. */
  readonly user: { readonly displayName: string; readonly id: string; readonly name: string };
}

/** What asks for a signature: pass it to `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export interface PasskeyRequestOptions {
  /** The passkeys that may sign; empty: any of the domain. */
  readonly allowCredentials: readonly CredentialDescriptor[];
  /** Works once. */
  readonly challenge: string;
  /** The domain of the passkeys. */
  readonly rpId: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether the authenticator verifies the user. */
  readonly userVerification: "discouraged" | "preferred" | "required";
}

/** What all credentials of a browser have. */
interface BrowserCredential {
  /** How the authenticator is attached. Ignored. */
  readonly authenticatorAttachment?: string | undefined;
  /** The authenticator's id of it. */
  readonly id: string;
  /** The same as `id`. Ignored. */
  readonly rawId?: string | undefined;
  /** The only type that there is. */
  readonly type?: "public-key" | undefined;
}

/** A new passkey, as `toJSON()` writes it. */
export interface CreatedCredential extends BrowserCredential {
  /** What the browser says of it, by extension; `credProps.rk`: whether it is discoverable. Other extensions are ignored. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>> | undefined;
  /** What the authenticator answered. */
  readonly response: {
    readonly attestationObject: string;
    readonly clientDataJSON: string;
    readonly transports?: readonly string[] | undefined;
    /** Part of `attestationObject`. Ignored. */
    readonly authenticatorData?: string | undefined;
    /** Part of `attestationObject`. Ignored. */
    readonly publicKey?: string | undefined;
    /** Part of `attestationObject`. Ignored. */
    readonly publicKeyAlgorithm?: number | undefined;
  };
  /** In place of those in `response`. */
  readonly transports?: readonly string[] | undefined;
}

/** A signature of a passkey, as `toJSON()` writes it. */
export interface AssertedCredential extends BrowserCredential {
  /** What the browser says of it, by extension. Ignored. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>> | undefined;
  /** What the authenticator answered. */
  readonly response: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
    /** Names the user; absent where the start named the passkeys. */
    readonly userHandle?: string | undefined;
  };
}
