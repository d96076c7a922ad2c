import { createPrivateKey, createPublicKey } from "node:crypto";
import { type LazySchema, lazySchema } from "../../http/schema/parse-with.js";
import { parseHidden, parseRecord } from "../../operations/family.js";
import type { Members } from "../../operations/family-row.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { StoredRecord } from "../../ports/storage.js";
import { generatedAlgorithms, rsaLengths } from "../../security/keys/algorithms.js";
import { loadKey, type SealedKey } from "../../security/keys/loaded-keys.js";
import type { Key } from "./schema.js";

/** Parts that are only imported: without any of them a key is generated. */
const importedParts = ["certificate", "publicKey", "privateKey", "secret"];

/** The operation that makes a key of what a document says of it. */
export function verbOfKey(record: Members): string {
  return importedParts.some((part) => record[part] !== undefined) ? "import" : "generate";
}

/** Everything that a key can be made of. */
export const newKeyRequest: LazySchema<unknown> = lazySchema(() => import("./schema.js"), "newKeyRequest");

/** What of a key stays as it is: all but its name. */
export function fixedOfKey(): readonly string[] {
  return ["algorithm", "type", "length", "issuer", "kid", "publicKey", "certificate"];
}

/**
 * What a document says of a key: how to generate another one like it, or, of one that only an import makes, its public parts. A private
 * half or secret is never part of it.
 */
export function describeKey(record: Members): Members {
  const { name, algorithm, certificate, issuer, kid, length, publicKey, type, hasPrivateKey: isPair } = record as Members & Key;
  const isMadeHere = (isPair && certificate === undefined) || type === "HMAC";
  const isGenerated = isMadeHere && generatedAlgorithms.some((known) => known === algorithm);
  if (isGenerated && type !== "RSA") return { name, algorithm, issuer };
  if (isGenerated && rsaLengths.includes(length ?? 0)) return { name, algorithm, length, issuer };
  const secret = { $secret: "kept" };
  if (type === "HMAC" || type === "Secret") return { name, algorithm, type, kid, secret };
  return { name, algorithm, kid, certificate, publicKey, ...(isPair && { privateKey: secret }) };
}

/** Whether a key has this private half. */
export function hasPrivateKey(_service: ServiceContext, stored: StoredRecord, pem: string): boolean {
  try {
    const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" });
    return publicKey.toString().trim() === parseRecord<Key>(stored).publicKey?.trim();
  } catch {
    return false;
  }
}

/** Whether a key is this secret. */
export function hasSecret({ sealer }: ServiceContext, stored: StoredRecord, secret: string): boolean {
  const key = parseRecord<Key>(stored);
  const { signingKey } = loadKey(sealer, { ...key, type: "HMAC" }, parseHidden<SealedKey>(stored) ?? {});
  return signingKey?.export().toString() === secret;
}
