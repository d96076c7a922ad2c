import type { KeyAlgorithm, KeyType } from "./algorithms.js";
import type { CertificateInformation } from "./certificate.js";
import type { PublicMembers } from "./public-key-data.js";

/**
 * What a key is made of, once it is known to be sound: its halves belong together and fit its algorithm. Either the secret
 * or the public half is there. Texts are PEM with LF and without a last one.
 */
export interface KeyMaterial {
  readonly type: KeyType;
  readonly algorithm: KeyAlgorithm;
  /** The bits of an RSA modulus or of an elliptic curve. */
  readonly length?: number | undefined;
  /** SPKI. */
  readonly publicKey?: string | undefined;
  readonly publicMembers?: PublicMembers | undefined;
  readonly certificate?: string | undefined;
  readonly certificateInformation?: CertificateInformation | undefined;
  /** PKCS #8; as `secret`, never to be shown, logged or kept unsealed. */
  readonly privateKey?: string | undefined;
  readonly secret?: string | undefined;
}
