const standardShape = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** The minimum length of a shared secret in the Standard Webhooks format. */
export const leastStandardBytes = 24;

/** Whether a secret has the Standard Webhooks format: `whsec_` and Base64. */
export function isStandardSecret(secret: string): boolean {
  return standardShape.test(secret);
}

/** The bytes of a shared secret: its UTF-8 text, or the Base64 after `whsec_`. */
export function toSecretBytes(secret: string): Buffer {
  const [, encoded] = standardShape.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
