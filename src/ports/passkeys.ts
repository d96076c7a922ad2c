/** Port for passkeys: verifies responses of authenticators (Web Authentication, Level 3). */

/** The algorithm of a passkey's key, by its COSE name (RFC 9053). */
export type PasskeyAlgorithm = "ES256" | "ES384" | "ES512" | "RS256" | "RS384" | "RS512" | "EdDSA";

/** The expected challenge, origin and relying party of a response. */
export interface PasskeyCheck {
  /** The challenge that was issued, in base64url. */
  readonly challenge: string;
  /** The origin of the page that the response must come from. */
  readonly origin: string;
  /** The relying party ID: the domain of the passkey. */
  readonly relyingPartyId: string;
  /** Whether the authenticator must have verified the user, such as by a PIN or a fingerprint. */
  readonly requiresUserVerification: boolean;
}

/**
 * An attestation: the authenticator's response to a registration. Texts are base64url, as `PublicKeyCredential.toJSON()` writes
 * them.
 */
export interface PasskeyAttestation {
  /** The id of the credential. */
  readonly id: string;
  /** The attestation object of the authenticator, in CBOR. */
  readonly attestationObject: string;
  /** The client data of the browser, in JSON. */
  readonly clientDataJSON: string;
}

/** An assertion: the authenticator's response to a login. Texts are base64url. */
export interface PasskeyAssertion {
  /** The id of the credential. */
  readonly id: string;
  /** The authenticator data, which the signature covers along with the hash of the client data. */
  readonly authenticatorData: string;
  /** The client data of the browser, in JSON. */
  readonly clientDataJSON: string;
  /** The signature by the passkey's private key. */
  readonly signature: string;
}

/** The flags of the authenticator data, and the signature counter. */
export interface PasskeyFlags {
  /** Whether the passkey may be copied to other devices. */
  readonly isBackupEligible: boolean;
  /** Whether the passkey is copied to other devices now. */
  readonly isBackedUp: boolean;
  /** Whether the authenticator verified the user. */
  readonly isUserVerified: boolean;
  /** The signature counter; 0 when the authenticator does not count. */
  readonly signCount: number;
}

/** A verified new passkey. */
export interface NewPasskey extends PasskeyFlags {
  /** The algorithm of its key. */
  readonly algorithm: PasskeyAlgorithm;
  /** `none`, or `self` when the passkey signed its own attestation. */
  readonly attestationType: "none" | "self";
  /** The public key: SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
}

/** The public key to verify a signature with. */
export interface PasskeyPublicKey {
  /** The algorithm of the key. */
  readonly algorithm: PasskeyAlgorithm;
  /** The public key: SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
}

/** The reason for an invalid response. */
export interface PasskeyFailure {
  /** Narrows a result to a failure. */
  readonly kind: "refused";
  /** One line for a log, without secrets. */
  readonly reason: string;
}

/** Verifies responses of authenticators: `simpleWebAuthn()` of `latchkey/passkeys`. */
export interface PasskeyVerifier {
  /**
   * Allowed origins besides `https://<relying party id>` and that of `publicUrl`. An https origin must have the host of the
   * relying party or a subdomain of it; the origin of an app, such as `android:apk-key-hash:…`, is always allowed. Default: none.
   */
  readonly origins?: readonly string[] | undefined;
  /** Verifies the attestation of a new passkey. Refuses algorithms outside {@link PasskeyAlgorithm}. */
  verifyAttestation(
    answer: PasskeyAttestation,
    expected: PasskeyCheck,
  ): Promise<PasskeyFailure | { readonly kind: "ok"; readonly passkey: NewPasskey }>;
  /** Verifies the assertion of a login. The caller compares the signature counter. */
  verifyAssertion(
    answer: PasskeyAssertion,
    expected: PasskeyCheck,
    key: PasskeyPublicKey,
  ): Promise<PasskeyFailure | { readonly kind: "ok"; readonly flags: PasskeyFlags }>;
}
