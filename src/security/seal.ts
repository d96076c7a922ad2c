import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "../ports/runtime.js";
import { digestSecret } from "./digest.js";
import { keyIdOf, type SealedLocation, type SealedTables, tableOf } from "./sealed-locations.js";

/**
 * Seals secrets that must be readable again: AES-256-GCM under a key derived from the host's secret.
 * A sealed text reads `v1.<key id>.<iv>.<ciphertext and tag>`; the key id names the secret that opens it after a rotation.
 */
export interface Sealer {
  /** Seals a secret for one place; it opens only with the same `place` (for example `apiKeys/<id>`). @throws Error for a table without seals. */
  seal(secret: string, place: SealedLocation): string;
  /** @throws Error when the text was sealed with a secret that is not known, for another place, or was changed. */
  open(sealed: string, place: SealedLocation): string;
  /** The text as the first secret seals it; itself when that sealed it. @throws Error as `open` does. */
  renew(sealed: string, place: SealedLocation): string;
  /** Whether a text is sealed with the first secret. */
  isCurrent(sealed: string): boolean;
  /** Whether one of the secrets sealed a text. */
  isKnown(sealed: string): boolean;
}

const minSecretLength = 32;
const ivLength = 12;
const tagLength = 16;

/** A sealer that seals with the first secret and opens with any of them, in these tables. Secrets have at least 32 characters. */
export function createSealer(secrets: readonly string[], random: Random, tables: SealedTables): Sealer {
  const keys = secrets.map(deriveKey);
  const current = keys[0];
  if (current === undefined) throw new TypeError("A secret is required to seal stored secrets.");
  const byId = new Map(keys.map((key) => [key.id, key.bytes]));
  const sealer: Sealer = {
    seal(secret, place) {
      if (!Object.hasOwn(tables, tableOf(place))) throw new Error(`Nothing is sealed in ${tableOf(place)}.`);
      const iv = random(ivLength);
      const cipher = createCipheriv("aes-256-gcm", current.bytes, iv).setAAD(Buffer.from(place));
      const bytes = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, Buffer.from(iv).toString("base64url"), bytes.toString("base64url")].join(".");
    },
    isCurrent: (sealed) => keyIdOf(sealed) === current.id,
    isKnown: (sealed) => byId.has(keyIdOf(sealed) ?? ""),
    renew: (sealed, place) => (sealer.isCurrent(sealed) ? sealed : sealer.seal(sealer.open(sealed, place), place)),
    open(sealed, place) {
      const [version, id = "", iv = "", text = ""] = sealed.split(".");
      const key = byId.get(id);
      if (version !== "v1" || key === undefined) throw new Error("A stored secret was sealed with a secret that is not known.");
      const bytes = Buffer.from(text, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: tagLength });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength));
      return decipher.update(bytes.subarray(0, -tagLength), undefined, "utf8") + decipher.final("utf8");
    },
  };
  return sealer;
}

function deriveKey(secret: string): { readonly id: string; readonly bytes: Buffer } {
  if (secret.length < minSecretLength) throw new TypeError(`A secret must have at least ${minSecretLength} characters.`);
  const bytes = Buffer.from(hkdfSync("sha256", secret, "latchkey", "seal v1", 32));
  return { id: digestSecret(bytes.toString("base64url")).slice(0, 8), bytes };
}
