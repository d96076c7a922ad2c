import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import type { Random } from "../ports/runtime.js";
import { isObjectOrList } from "../shared/objects.js";

/**
 * Seals secrets that must be readable again: AES-256-GCM with a key derived from the host's secret. A sealed text is `v1.<key
 * id>.<iv>.<ciphertext and tag>`; after a rotation, the key id identifies the secret that opens it.
 */
export interface Sealer {
  /**
   * Seals a secret for one place, such as `apiKeys/<id>`; it opens only with the same `place`. @throws Error for a table
   * without seals.
   */
  seal(secret: string, place: SealedLocation): string;
  /** @throws Error when the text was sealed with an unknown secret, for another place, or was changed. */
  open(sealed: string, place: SealedLocation): string;
  /** Returns the text sealed with the first secret, or the text itself if it is. @throws Error like `open`. */
  renew(sealed: string, place: SealedLocation): string;
  /** Whether a text is sealed with the first secret. */
  isCurrent(sealed: string): boolean;
  /** Whether one of the secrets sealed a text. */
  isKnown(sealed: string): boolean;
  /** Signs a text that leaves the service and comes back, such as a cookie: HMAC-SHA-256 with the first secret, in base64url. */
  sign(text: string): string;
  /** Whether a signature of a text was made with one of the secrets. */
  isSignature(text: string, signature: string): boolean;
  /** Derives a key of 256 bits in base64url from each of the secrets, in their order. Different purposes have different keys. */
  derive(purpose: string): readonly string[];
}

const minSecretLength = 32;
const ivLength = 12;
const tagLength = 16;

/**
 * Creates a sealer that seals with the first secret and opens with any of them, for these tables. Secrets have at least 32
 * characters.
 */
export function createSealer(secrets: readonly string[], random: Random, tables: SealedTables): Sealer {
  const keys = secrets.map(deriveKey);
  const current = keys[0];
  if (current === undefined) throw new TypeError("A secret is required to seal stored secrets.");
  const byId = new Map(keys.map((key) => [key.id, key.sealing]));
  const sealer: Sealer = {
    seal(secret, place) {
      if (!Object.hasOwn(tables, tableOf(place))) throw new Error(`Nothing is sealed in ${tableOf(place)}.`);
      const iv = random(ivLength);
      const cipher = createCipheriv("aes-256-gcm", current.sealing, iv).setAAD(Buffer.from(place));
      const bytes = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["v1", current.id, Buffer.from(iv).toString("base64url"), bytes.toString("base64url")].join(".");
    },
    isCurrent: (sealed) => sealKeyIdOf(sealed) === current.id,
    isKnown: (sealed) => byId.has(sealKeyIdOf(sealed) ?? ""),
    sign: (text) => toSignature(current.bytes, text),
    isSignature: (text, signature) => keys.some(({ bytes }) => isSame(toSignature(bytes, text), signature)),
    derive: (purpose) => keys.map(({ bytes }) => toPurposeKey(bytes, `derive v1 ${purpose}`).toString("base64url")),
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

// Signatures use a derived key, not the sealing key itself.
function toSignature(sealingKey: Uint8Array, text: string): string {
  return createHmac("sha256", toPurposeKey(sealingKey, "sign v1")).update(text).digest("base64url");
}

function toPurposeKey(sealingKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", sealingKey, "latchkey", purpose, 32));
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface DerivedKey {
  readonly id: string;
  readonly bytes: Buffer;
  /** The same as a key object, so that the runtime does not import it again. */
  readonly sealing: KeyObject;
}

function deriveKey(secret: string): DerivedKey {
  if (secret.length < minSecretLength) throw new TypeError(`A secret must have at least ${minSecretLength} characters.`);
  const bytes = Buffer.from(hkdfSync("sha256", secret, "latchkey", "seal v1", 32));
  return { id: digestSecret(bytes.toString("base64url")).slice(0, 8), bytes, sealing: createSecretKey(bytes) };
}

/**
 * The digest to look up a high-entropy secret: SHA-256, in base64url. A guess cannot be steered towards a digest, so index
 * lookups of digests leak nothing about the secret.
 */
export function digestSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** A string and its path in a document. */
export interface TextAt {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * The part of a record that a sealed text belongs to, from the path of the text in the hidden part. Undefined: the whole
 * record. Null: the text is not sealed, even if it looks so.
 */
export type SealedPart = (path: readonly string[]) => string | undefined | null;

/** For tables with one sealed text per record. */
export const sealedRecord: SealedPart = () => undefined;

/** For families with `sealedPaths` or `writeOnlyPaths`: a text belongs to its field. */
export const sealedField: SealedPart = ([member, path]) => (member === "sealed" || member === "writeOnly" ? path : null);

/**
 * All tables with sealed texts. A text opens only in its own place; a sealer accepts these tables only, so a rotation of
 * secrets finds every sealed text.
 */
export type SealedTables = Readonly<Record<string, SealedPart>>;

/** The place of a sealed text: a record, or a part of one. Only `sealedLocationOf` creates it. */
export type SealedLocation = string & { readonly isSealedPlace: true };

/** The place of a record, or of a part of one. */
export function sealedLocationOf(table: string, id: string, part?: string): SealedLocation {
  return [table, id, ...(part === undefined ? [] : [part])].join("/") as SealedLocation;
}

function tableOf(place: SealedLocation): string {
  return place.slice(0, place.indexOf("/"));
}

/** The strings in a document that look sealed. */
export function findSealed(document: unknown, path: readonly string[] = []): readonly TextAt[] {
  if (typeof document === "string") return sealKeyIdOf(document) === undefined ? [] : [{ path, text: document }];
  if (!isObjectOrList(document)) return [];
  return Object.entries(document).flatMap(([name, value]) => findSealed(value, [...path, name]));
}

/** The length of the secret in a sealed text, in bytes. */
export function sealedBytes(sealed: string): number {
  const text = sealed.slice(sealed.lastIndexOf(".") + 1);
  return Math.floor((text.length * 3) / 4) - tagLength;
}

/** The id of the sealing key; undefined for an unsealed text. */
export function sealKeyIdOf(text: string): string | undefined {
  return /^v1\.([\w-]{8})\.[\w-]{16}\.[\w-]{22,}$/.exec(text)?.[1];
}
