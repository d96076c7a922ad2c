import { generalError } from "../../errors/identity-error.js";
import { type EndpointGrants, hasGrants, type Principal } from "../../http/authenticate/principal.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { ApiKey, ApiKeyPermissions } from "../../records/api-keys/schema.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { foldText } from "../../shared/text.js";

/** The hidden part of a key: the digest of its value, and the sealed value if the key is retrievable. */
export interface HiddenApiKey {
  readonly digest: string;
  readonly sealed?: string;
  /** The value before the last rotation, and the end of its grace period in epoch milliseconds. */
  readonly earlier?: { readonly digest: string; readonly expirationInstant: number };
}

/** Returns the hidden part for a value. */
export function hideValue(sealer: Sealer, { id, retrievable }: Pick<ApiKey, "id" | "retrievable">, value: string): HiddenApiKey {
  const digest = digestSecret(value);
  return retrievable ? { digest, sealed: sealer.seal(value, sealedLocationOf("apiKeys", id)) } : { digest };
}

/** The columns to look up a key. */
export function columnsOf(name: string | undefined, hidden: HiddenApiKey | undefined): RecordToStore["columns"] {
  const nameFolded = name === undefined ? null : foldText(name);
  return { digest: hidden?.digest ?? "", earlierDigest: hidden?.earlier?.digest ?? null, nameFolded };
}

/**
 * The end of the grace period of the previous value, in epoch milliseconds, limited by the expiry of the key. Undefined without
 * one.
 */
export function earlierExpirationOf(
  hidden: HiddenApiKey | undefined,
  { expirationInstant = Number.POSITIVE_INFINITY }: Pick<ApiKey, "expirationInstant">,
): number | undefined {
  return hidden?.earlier && Math.min(hidden.earlier.expirationInstant, expirationInstant);
}

/** The endpoint grants of a key. */
export function toGrants(permissions: ApiKeyPermissions): EndpointGrants {
  const endpoints = Object.entries(permissions.endpoints);
  return endpoints.length === 0 ? "all" : new Map(endpoints.map(([endpoint, methods]) => [endpoint, new Set(methods)]));
}

/**
 * A caller that reads or changes a key can use it, so the key must not exceed the caller's own key in grants, expiry or source
 * addresses.
 * @throws IdentityError 401 when it does.
 */
export function assertWithinKey(principal: Principal | undefined, key: ApiKey): void {
  const isWithin = isWithinSource(principal, key) && isWithinTime(principal, key);
  if (!isWithin || !hasGrants(principal, toGrants(key.permissions))) throw generalError("unauthorized");
}

/** Whether a key expires no later than the caller's own. */
export function isWithinTime(
  principal: Principal | undefined,
  { expirationInstant = Number.POSITIVE_INFINITY }: Pick<ApiKey, "expirationInstant">,
): boolean {
  const latest = principal?.kind === "apiKey" ? principal.expirationInstant : undefined;
  return latest === undefined || expirationInstant <= latest;
}

/** Whether a key is restricted to the source addresses of the caller's own. */
export function isWithinSource(principal: Principal | undefined, { ipAccessControlListId }: ApiKey): boolean {
  const source = principal?.kind === "apiKey" ? principal.source : undefined;
  return source === undefined || source.accessListId === ipAccessControlListId;
}
