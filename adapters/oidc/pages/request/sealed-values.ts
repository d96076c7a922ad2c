import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "latchkey/ports";
import { isObject } from "../../../internal/objects.js";

const ivLength = 12;
const tagLength = 16;

/** The time for filling in a page. */
const formLifetimeMs = 3_600_000;

/** The secrets, clock and random source for sealing. */
export interface Sealer {
  /** Secrets of the service, the newest first: the first one seals, and all of them open. */
  readonly secrets: readonly string[];
  /** Reads the clock of the service, in epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
}

/**
 * Encrypts values that a browser stores but must not read or change, including passwords: AES-256-GCM with a key from a secret of
 * the service, for one purpose. They open for an hour, or `lifetimeMs`.
 * @throws TypeError without a secret.
 */
export function sealValues(sealer: Sealer, purpose: string, values: object, lifetimeMs: number = formLifetimeMs): string {
  const [secret] = sealer.secrets;
  if (secret === undefined) throw new TypeError("The host of the pages needs a secret: InteractionHost.secrets is empty.");
  const iv = sealer.random(ivLength);
  const cipher = createCipheriv("aes-256-gcm", toKey(secret), iv).setAAD(Buffer.from(purpose));
  const text = JSON.stringify({ values, until: sealer.clock() + lifetimeMs });
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** Decrypts sealed values; undefined for expired or changed ones, or another purpose. */
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
