import { generalError } from "../../errors/identity-error.js";
import { type EndpointGrants, hasGrants, type Principal } from "../../http/authenticate/principal.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { ApiKey, ApiKeyPermissions } from "../../records/api-keys/schema.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { foldText } from "../../shared/text.js";

/** The digest of the value, and the value itself sealed when the key is retrievable. */
export interface HiddenApiKey {
  readonly digest: string;
  readonly sealed?: string;
  /** The value before the last rotation, and until when it works, in epoch milliseconds. */
  readonly earlier?: { readonly digest: string; readonly expirationInstant: number };
}

/** What is stored of a value. */
export function hideValue(sealer: Sealer, id: string, value: string, isRetrievable: boolean): HiddenApiKey {
  const digest = digestSecret(value);
  return isRetrievable ? { digest, sealed: sealer.seal(value, sealedLocationOf("apiKeys", id)) } : { digest };
}

/** What a key is found by. */
export function columnsOf(name: string | undefined, hidden: HiddenApiKey | undefined): RecordToStore["columns"] {
  const nameFolded = name === undefined ? null : foldText(name);
  return { digest: hidden?.digest ?? "", earlierDigest: hidden?.earlier?.digest ?? null, nameFolded };
}

/** Until when the value before the last rotation works, in epoch milliseconds: never past the end of the key. Undefined without one. */
export function earlierExpirationOf(
  hidden: HiddenApiKey | undefined,
  { expirationInstant = Number.POSITIVE_INFINITY }: Pick<ApiKey, "expirationInstant">,
): number | undefined {
  return hidden?.earlier && Math.min(hidden.earlier.expirationInstant, expirationInstant);
}

/** What a key may call, by its permissions. */
export function toGrants(permissions: ApiKeyPermissions): EndpointGrants {
  const endpoints = Object.entries(permissions.endpoints);
  return endpoints.length === 0 ? "all" : new Map(endpoints.map(([endpoint, methods]) => [endpoint, new Set(methods)]));
}

/**
 * A caller that reads or changes a key has its rights: it must not do more than the caller's own key, nor for longer, nor from elsewhere.
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

/** Whether a key works from where the caller's own works. */
export function isWithinSource(principal: Principal | undefined, { ipAccessControlListId }: ApiKey): boolean {
  const source = principal?.kind === "apiKey" ? principal.source : undefined;
  return source === undefined || source.accessListId === ipAccessControlListId;
}
