import {
  flag,
  id,
  instant,
  integer,
  list,
  map,
  maxNameLength,
  object,
  option,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** The methods of an endpoint grant. */
export type GrantMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Endpoint grants: methods by endpoint; no endpoint means every endpoint (docs/reference/api-keys.md#permissions). */
export interface ApiKeyPermissions {
  /** Methods by path without ids: `{ "/api/user": ["GET"] }`. Empty: every endpoint; an empty list of methods grants none. */
  readonly endpoints: Readonly<Record<string, readonly GrantMethod[]>>;
}

/** Writable fields of an API key (docs/reference/api-keys.md#fields). */
export interface ApiKeyFields {
  /** The value that callers present; random when absent. Cannot be changed. */
  readonly key?: string | undefined;
  /** Unique in the service, at most 191 characters; required when `retrievable` is false. Since 1.56.0. */
  readonly name?: string | undefined;
  /** Whether later answers show the value of the key. Default true; fixed after creation. Since 1.56.0. */
  readonly retrievable: boolean;
  /** The tenant that the key is bound to; absent for a global key. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** The tenants of a key with several tenants, at most 100: each call names one of them. The list can change. */
  readonly tenantIds?: readonly string[] | undefined;
  /** When the key stops working, in epoch milliseconds; absent: never. A PUT without it clears it. Since 1.55.0. */
  readonly expirationInstant?: number | undefined;
  /** The access list with the addresses from which the key works; absent: every address. */
  readonly ipAccessControlListId?: string | undefined;
  /** Whether the key may manage API keys. Only kickstart and the host set it; others repeat the stored value. Default false. */
  readonly keyManager: boolean;
  /** Free texts by name, such as `attributes.description`. Default: none. */
  readonly metaData: { readonly attributes: Record<string, string> };
  /** The endpoints that the key may call. Default: every endpoint. */
  readonly permissions: ApiKeyPermissions;
}

/**
 * An API key on the wire; `key` is present when retrievable, and once in the response that creates it. Instants are epoch
 * milliseconds.
 */
export interface ApiKey extends BaseRecord, ApiKeyFields {
  /** The end of the grace period of the previous value, in epoch milliseconds; absent when that value is not valid. */
  readonly earlierKeyExpirationInstant?: number;
  /** When the key was last used, in epoch milliseconds, exact to a minute; absent before the first use. */
  readonly lastUsedInstant?: number;
  /** The address of the last use; absent before the first use. */
  readonly lastUsedIPAddress?: string;
}

/** Settings with defaults for each member. */
type ApiKeySettings = "metaData" | "permissions";

/** The body of POST and PUT. */
export interface ApiKeyRequest {
  /** The fields of the key. Default: a global key with a random value and all endpoints. */
  readonly apiKey?: Partial<Omit<ApiKeyFields, ApiKeySettings>> & {
    readonly [Name in ApiKeySettings]?: Partial<ApiKeyFields[Name]> | undefined;
  };
  /** The key to copy missing fields from, apart from name, value and `keyManager`; on POST only. */
  readonly sourceKeyId?: string | undefined;
}

export interface ParsedApiKeyRequest extends Omit<ApiKeyRequest, "apiKey"> {
  readonly apiKey: Omit<ApiKeyFields, "keyManager"> & { readonly keyManager?: boolean | undefined };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const maxTenants = 100;

function keyValue(): ReturnType<typeof text> {
  return (
    text()
      .refine((value) => value.trim() !== "", { error: "blank" })
      .max(maxNameLength, { error: "tooLong" })
      // The characters of an HTTP header: a client could never send a key with others.
      .regex(/^[\x21-\x7e]+$/, { error: "invalid" })
  );
}

export const apiKeyRequest: Schema<ParsedApiKeyRequest> = object({
  apiKey: object({
    key: keyValue().optional(),
    name: text().max(maxNameLength, { error: "tooLong" }).optional(),
    retrievable: flag().default(true),
    tenantId: id().optional(),
    tenantIds: list(id())
      .min(1, { error: "invalid" })
      .max(maxTenants, { error: "tooMany" })
      .overwrite((ids) => [...new Set(ids)])
      .optional(),
    expirationInstant: instant().optional(),
    ipAccessControlListId: id().optional(),
    keyManager: flag().optional(),
    metaData: object({ attributes: map(text()).default({}) }).prefault({}),
    permissions: object({ endpoints: map(list(option(methods))).default({}) }).prefault({}),
  }).prefault({}),
  sourceKeyId: id().optional(),
});

/** The body of a rotation. */
export interface RotateApiKeyRequest {
  /** The grace period of the previous value in seconds: at most 2,592,000 (30 days). Default 86,400 (1 day). */
  readonly gracePeriodInSeconds?: number | undefined;
  /** The new value. Default: a random one. */
  readonly apiKey?: Pick<ApiKeyFields, "key"> | undefined;
}

export const rotateApiKeyRequest: Schema<Required<RotateApiKeyRequest>> = object({
  gracePeriodInSeconds: integer(0, 2_592_000).default(86_400),
  apiKey: object({ key: keyValue().optional() }).prefault({}),
});
