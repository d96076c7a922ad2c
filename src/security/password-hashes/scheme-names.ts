/** The hash schemes of the reference. */
export const encryptionSchemes = [
  "bcrypt",
  "phpass-md5",
  "phpass-sha512",
  "salted-hmac-sha256",
  "salted-md5",
  "salted-pbkdf2-hmac-sha256",
  "salted-pbkdf2-hmac-sha256-512",
  "salted-pbkdf2-hmac-sha512-512",
  "salted-sha256",
] as const;

/** The number of password bytes that bcrypt reads. */
export const bcryptBytes = 72;

/** One of {@link encryptionSchemes}. */
export type EncryptionScheme = (typeof encryptionSchemes)[number];
