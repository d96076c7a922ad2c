import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "latchkey/ports";
import { isObject } from "../../../internal/objects.js";

const ivLength = 12;
const tagLength = 16;

/** So long a page may take to be filled in. */
const formLifetimeMs = 3_600_000;

/** What values are sealed with. */
export interface Sealer {
  /** Secrets of the service, the newest first: it seals, and all of them open. */
  readonly secrets: readonly string[];
  /** Reads the clock of the service, in epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
}

/**
 * Encrypts values that a browser keeps and may neither read nor change, passwords among them: AES-256-GCM under a secret of the service, for one
 * purpose. They open for an hour, or `lifetimeMs`. @throws TypeError without a secret.
 */
export function sealValues(sealer: Sealer, purpose: string, values: object, lifetimeMs: number = formLifetimeMs): string {
  const [secret] = sealer.secrets;
  if (secret === undefined) throw new TypeError("The host of the pages needs a secret: InteractionHost.secrets is empty.");
  const iv = sealer.random(ivLength);
  const cipher = createCipheriv("aes-256-gcm", toKey(secret), iv).setAAD(Buffer.from(purpose));
  const text = JSON.stringify({ values, until: sealer.clock() + lifetimeMs });
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** What was sealed; undefined where it is too old, of another purpose, or was changed. */
export function openValues(sealer: Sealer, purpose: string, sealed: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < ivLength + tagLength) return undefined;
  for (const secret of sealer.secrets) {
    const opened = decrypt(toKey(secret), purpose, bytes);
    if (opened === undefined) continue;
    const { until, values } = JSON.parse(opened) as { readonly until: number; readonly values: unknown };
    return until > sealer.clock() && isObject(values) ? values : undefined;
  }
  return undefined;
}

function decrypt(key: Uint8Array, purpose: string, bytes: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivLength), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagLength));
    return decipher.update(bytes.subarray(ivLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

function toKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "latchkey", "pages v1", 32));
}
