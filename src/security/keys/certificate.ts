import { hash, type X509Certificate } from "node:crypto";

/** The contents of a certificate (docs/reference/signing-keys.md). Instants are epoch milliseconds. */
export interface CertificateInformation {
  /** The issuer as a distinguished name of RFC 4514: the most specific part first. */
  readonly issuer: string;
  /** The holder, as a distinguished name. */
  readonly subject: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  /** The MD5 digest as hexadecimal pairs with colons. All digests are of the DER form. */
  readonly md5Fingerprint: string;
  /** The SHA-1 digest as hexadecimal pairs with colons. */
  readonly sha1Fingerprint: string;
  /** The SHA-1 digest in base64url. */
  readonly sha1Thumbprint: string;
  /** The SHA-256 digest as hexadecimal pairs with colons. */
  readonly sha256Fingerprint: string;
  /** The SHA-256 digest in base64url. */
  readonly sha256Thumbprint: string;
  /** The start of the validity, in epoch milliseconds. */
  readonly validFrom: number;
  /** The end of the validity, in epoch milliseconds. */
  readonly validTo: number;
}

/** Returns the contents of a certificate. */
export function describeCertificate(certificate: X509Certificate): CertificateInformation {
  const { raw } = certificate;
  return {
    issuer: toDistinguishedName(certificate.issuer),
    subject: toDistinguishedName(certificate.subject),
    serialNumber: certificate.serialNumber,
    md5Fingerprint: toFingerprint(hash("md5", raw, "hex")),
    sha1Fingerprint: certificate.fingerprint,
    sha1Thumbprint: hash("sha1", raw, "base64url"),
    sha256Fingerprint: certificate.fingerprint256,
    sha256Thumbprint: hash("sha256", raw, "base64url"),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
  };
}

// Node writes one part per line, the most general first, with special characters already escaped.
function toDistinguishedName(lines: string | undefined): string {
  return (lines ?? "").split("\n").reverse().join(",");
}

function toFingerprint(hexadecimal: string): string {
  return (hexadecimal.toUpperCase().match(/../g) ?? []).join(":");
}
