const standardShape = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** A shared secret as Standard Webhooks writes it has 24 bytes at least. */
export const leastStandardBytes = 24;

/** Whether a secret is written as Standard Webhooks writes it: `whsec_` and Base64. */
export function isStandardSecret(secret: string): boolean {
  return standardShape.test(secret);
}

/** The bytes of a shared secret: its UTF-8 text, or what stands behind `whsec_` in Base64. */
export function toSecretBytes(secret: string): Buffer {
  const [, encoded] = standardShape.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
