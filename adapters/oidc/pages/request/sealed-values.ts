import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { isObject } from "../../../internal/objects.js";

const ivLength = 12;
const tagLength = 16;

/** So long a page may take to be filled in. */
const formLifetimeMs = 3_600_000;

/**
 * Encrypts values that a browser keeps and may neither read nor change, passwords among them: AES-256-GCM under a secret of the service, for one
 * purpose. They open for an hour, or `lifetimeMs`.
 */
export function sealValues(secret: string, purpose: string, values: object, lifetimeMs: number = formLifetimeMs): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", toKey(secret), iv).setAAD(Buffer.from(purpose));
  const text = JSON.stringify({ values, until: Date.now() + lifetimeMs });
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** The values of a hidden field; undefined where they are too old, of another purpose, or were changed. */
export function openValues(secret: string, purpose: string, sealed: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < ivLength + tagLength) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", toKey(secret), bytes.subarray(0, ivLength), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagLength));
    const text = decipher.update(bytes.subarray(ivLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
    const { until, values } = JSON.parse(text) as { readonly until: number; readonly values: unknown };
    return until > Date.now() && isObject(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function toKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "latchkey", "pages v1", 32));
}
