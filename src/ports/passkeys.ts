/** The port of passkeys: what checks the answers of authenticators (Web Authentication, Level 3). */

/** An algorithm of a passkey's key, by its name in COSE (RFC 9053). */
export type PasskeyAlgorithm = "ES256" | "ES384" | "ES512" | "RS256" | "RS384" | "RS512" | "EdDSA";

/** What an answer of an authenticator must match. */
export interface PasskeyCheck {
  /** The challenge that was issued, in base64url. */
  readonly challenge: string;
  /** The only page that the answer may come from. */
  readonly origin: string;
  /** The domain that the passkey is for. */
  readonly relyingPartyId: string;
  /** Whether the authenticator must have verified the user, such as by a PIN or a fingerprint. */
  readonly requiresUserVerification: boolean;
}

/** The answer to the creation of a passkey. Texts are base64url, as `PublicKeyCredential.toJSON()` writes them. */
export interface PasskeyAttestation {
  /** The id of the credential. */
  readonly id: string;
  /** What the authenticator made: a CBOR map. */
  readonly attestationObject: string;
  /** What the browser saw: a JSON document. */
  readonly clientDataJSON: string;
}

/** The answer to a request for a signature. Texts are base64url. */
export interface PasskeyAssertion {
  /** The id of the credential. */
  readonly id: string;
  /** What the authenticator signed, beside the client data. */
  readonly authenticatorData: string;
  /** What the browser saw: a JSON document. */
  readonly clientDataJSON: string;
  /** The signature. */
  readonly signature: string;
}

/** What the flags of the authenticator say. */
export interface PasskeyFlags {
  /** Whether the passkey may be copied to other devices. */
  readonly isBackupEligible: boolean;
  /** Whether the passkey is copied to other devices now. */
  readonly isBackedUp: boolean;
  /** Whether the authenticator verified the user. */
  readonly isUserVerified: boolean;
  /** How often the passkey has signed; 0 where the authenticator does not count. */
  readonly signCount: number;
}

/** A passkey that an authenticator made. */
export interface NewPasskey extends PasskeyFlags {
  /** The algorithm of its key. */
  readonly algorithm: PasskeyAlgorithm;
  /** `none`, or `self` where the passkey signed for itself. */
  readonly attestationType: "none" | "self";
  /** The public key: SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
}

/** The key that must have signed. */
export interface PasskeyPublicKey {
  /** The algorithm of the key. */
  readonly algorithm: PasskeyAlgorithm;
  /** The public key: SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
}

/** Why an answer is not valid: a sentence for the log. */
export interface PasskeyFailure {
  /** Narrows a result to a failure. */
  readonly kind: "refused";
  /** One line for a log, without secrets. */
  readonly reason: string;
}

/** Checks the answers of authenticators: `simpleWebAuthn()` of `latchkey/passkeys`. */
export interface PasskeyVerifier {
  /**
   * Origins of pages beside `https://<relying party id>` and that of `publicUrl`. An https origin counts where its host is the relying party's or
   * below it; an origin of an app, such as `android:apk-key-hash:…`, always does. Default: none.
   */
  readonly origins?: readonly string[] | undefined;
  /** Checks a new passkey. Refuses other algorithms than those of {@link PasskeyAlgorithm}. */
  verifyAttestation(
    answer: PasskeyAttestation,
    expected: PasskeyCheck,
  ): Promise<PasskeyFailure | { readonly kind: "ok"; readonly passkey: NewPasskey }>;
  /** Checks a signature. The caller compares the count. */
  verifyAssertion(
    answer: PasskeyAssertion,
    expected: PasskeyCheck,
    key: PasskeyPublicKey,
  ): Promise<PasskeyFailure | { readonly kind: "ok"; readonly flags: PasskeyFlags }>;
}
