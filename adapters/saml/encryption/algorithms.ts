/** An algorithm for content encryption. */
export interface EncryptionAlgorithm {
  readonly uri: string;
  /** The OpenSSL name of the cipher. */
  readonly cipher: "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm" | "aes-128-cbc" | "aes-192-cbc" | "aes-256-cbc";
  readonly keyBytes: number;
  /** Whether decryption detects a changed ciphertext. */
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

/** The API name of a content algorithm. */
export type EncryptionName = "AES128" | "AES192" | "AES256" | "AES128GCM" | "AES192GCM" | "AES256GCM";

/** Content algorithms by API name. Triple DES is missing: it is withdrawn. */
export const encryptionAlgorithms: Readonly<Record<EncryptionName, EncryptionAlgorithm>> = {
  AES128: cbc("aes128-cbc", 128),
  AES192: cbc("aes192-cbc", 192),
  AES256: cbc("aes256-cbc", 256),
  AES128GCM: gcm("aes128-gcm", 128),
  AES192GCM: gcm("aes192-gcm", 192),
  AES256GCM: gcm("aes256-gcm", 256),
};

/** RSA-OAEP with MGF1 over SHA-1. PKCS #1 1.5 is not accepted: its errors help an attacker to decrypt. */
export const keyTransportUri = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";

/** SHA-1 as the digest of OAEP, where it need not resist collisions. */
export const keyDigestUri = "http://www.w3.org/2000/09/xmldsig#sha1";
