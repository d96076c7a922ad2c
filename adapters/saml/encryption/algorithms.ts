/** An algorithm that encrypts content. */
export interface EncryptionAlgorithm {
  readonly uri: string;
  /** The name of the cipher in OpenSSL. */
  readonly cipher: "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm" | "aes-128-cbc" | "aes-192-cbc" | "aes-256-cbc";
  readonly keyBytes: number;
  /** Whether a changed ciphertext is noticed. */
  readonly isAuthenticated: boolean;
}

const gcm = (uri: string, bits: 128 | 192 | 256): EncryptionAlgorithm => ({
  uri: `http://www.w3.org/2009/xmlenc11#${uri}`,
  cipher: `aes-${bits}-gcm`,
  keyBytes: bits / 8,
  isAuthenticated: true,
});

const cbc = (uri: string, bits: 128 | 192 | 256): EncryptionAlgorithm => ({
  uri: `http://www.w3.org/2001/04/xmlenc#${uri}`,
  cipher: `aes-${bits}-cbc`,
  keyBytes: bits / 8,
  isAuthenticated: false,
});

/** The name of an algorithm of content in the API. */
export type EncryptionName = "AES128" | "AES192" | "AES256" | "AES128GCM" | "AES192GCM" | "AES256GCM";

/** Algorithms of content by their names in the API. Triple DES is not among them: it is withdrawn. */
export const encryptionAlgorithms: Readonly<Record<EncryptionName, EncryptionAlgorithm>> = {
  AES128: cbc("aes128-cbc", 128),
  AES192: cbc("aes192-cbc", 192),
  AES256: cbc("aes256-cbc", 256),
  AES128GCM: gcm("aes128-gcm", 128),
  AES192GCM: gcm("aes192-gcm", 192),
  AES256GCM: gcm("aes256-gcm", 256),
};

/** RSA with OAEP, whose mask is made with SHA-1. PKCS #1 1.5 is not accepted: an attacker can decrypt with the help of its errors. */
export const keyTransportUri = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

/** SHA-1 as the digest of OAEP, where it need not resist collisions. */
export const keyDigestUri = "http://www.w3.org/2000/09/xmldsig#sha1";
