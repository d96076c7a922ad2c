/** The JSON forms of Web Authentication, Level 3 (5.1.8 to 5.1.10). Binary values are base64url. */

/** A reference to a passkey by its credential id. */
export interface CredentialDescriptor {
  /** The credential id. */
  readonly id: string;
  /** The transports of the authenticator. */
  readonly transports: readonly string[];
  /** The only type in the specification. */
  readonly type: "public-key";
}

/** The options to create a passkey: pass them to `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export interface PasskeyCreationOptions {
  /** Requests no attestation. */
  readonly attestation: "none";
  /** The allowed authenticators. */
  readonly authenticatorSelection: {
    /** Absent: any. */
    readonly authenticatorAttachment?: "cross-platform" | "platform" | undefined;
    readonly requireResidentKey: boolean;
    readonly residentKey: "required";
    readonly userVerification: "discouraged" | "preferred" | "required";
  };
  /** Valid once. */
  readonly challenge: string;
  /** The existing passkeys of the user: an authenticator with one of them creates no second one. */
  readonly excludeCredentials: readonly CredentialDescriptor[];
  /** Asks the browser whether the passkey is discoverable. */
  readonly extensions: { readonly credProps: boolean };
  /** The algorithms, in order of preference. */
  readonly pubKeyCredParams: readonly { readonly alg: number; readonly type: "public-key" }[];
  /** The relying party: its RP ID and name. */
  readonly rp: { readonly id: string; readonly name: string };
  /** Milliseconds. */
  readonly timeout: number;
  /** The user; `id` is the user handle. */
  readonly user: { readonly displayName: string; readonly id: string; readonly name: string };
}

/** The options to sign a challenge: pass them to `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export interface PasskeyRequestOptions {
  /** The passkeys that may sign; empty: any passkey of the RP ID. */
  readonly allowCredentials: readonly CredentialDescriptor[];
  /** Valid once. */
  readonly challenge: string;
  /** The RP ID. */
  readonly rpId: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether the authenticator verifies the user. */
  readonly userVerification: "discouraged" | "preferred" | "required";
}

/** The common members of credentials from a browser. */
interface BrowserCredential {
  /** How the authenticator is attached. Ignored. */
  readonly authenticatorAttachment?: string | undefined;
  /** The credential id. */
  readonly id: string;
  /** The same as `id`. Ignored. */
  readonly rawId?: string | undefined;
  /** The only type in the specification. */
  readonly type?: "public-key" | undefined;
}

/** A new passkey, as written by `toJSON()`. */
export interface CreatedCredential extends BrowserCredential {
  /** Results of the browser, by extension; `credProps.rk`: whether the passkey is discoverable. Other extensions are ignored. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>> | undefined;
  /** The response of the authenticator. */
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
  /** Replaces those in `response`. */
  readonly transports?: readonly string[] | undefined;
}

/** An assertion of a passkey, as written by `toJSON()`. */
export interface AssertedCredential extends BrowserCredential {
  /** Results of the browser, by extension. Ignored. */
  readonly clientExtensionResults?: Readonly<Record<string, unknown>> | undefined;
  /** The response of the authenticator. */
  readonly response: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
    /** The user handle; absent if the options listed the passkeys. */
    readonly userHandle?: string | undefined;
  };
}
