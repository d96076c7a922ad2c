import { flag, id, instant, list, map, maxNameLength, object, option, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family.js";

/** The methods that an endpoint grant can name. */
export type GrantMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Endpoint grants: methods by endpoint; no endpoint at all means every endpoint (docs/reference/api-keys.md#permissions). */
export interface ApiKeyPermissions {
  readonly endpoints: Readonly<Record<string, readonly GrantMethod[]>>;
}

/** What a caller may say about an API key (docs/reference/api-keys.md#fields). */
export interface ApiKeyFields {
  /** The value that callers present; random when absent. Cannot be changed. */
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly retrievable: boolean;
  readonly tenantId?: string | undefined;
  readonly expirationInstant?: number | undefined;
  readonly ipAccessControlListId?: string | undefined;
  readonly keyManager: boolean;
  readonly metaData: { readonly attributes: Record<string, string> };
  readonly permissions: ApiKeyPermissions;
}

/** An API key on the wire; `key` is there when it is retrievable, and once when it was made. Instants are epoch milliseconds. */
export interface ApiKey extends BaseRecord, ApiKeyFields {
  readonly lastUsedInstant?: number;
  readonly lastUsedIPAddress?: string;
}

/** Settings whose members are filled in one by one. */
type ApiKeySettings = "metaData" | "permissions";

/** The body of POST and PUT. `sourceKeyId` names a key to copy what the body leaves out from. */
export interface ApiKeyRequest {
  readonly apiKey?: Partial<Omit<ApiKeyFields, ApiKeySettings>> & {
    readonly [Name in ApiKeySettings]?: Partial<ApiKeyFields[Name]> | undefined;
  };
  readonly sourceKeyId?: string | undefined;
}

/** A request whose defaults are filled in. */
export interface ParsedApiKeyRequest {
  readonly apiKey: Omit<ApiKeyFields, "keyManager"> & { readonly keyManager?: boolean | undefined };
  readonly sourceKeyId?: string | undefined;
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const apiKeyRequest: Schema<ParsedApiKeyRequest> = object({
  apiKey: object({
    key: text()
      .refine((value) => value.trim() !== "", { error: "blank" })
      .max(maxNameLength, { error: "tooLong" })
      // What an HTTP header can carry: a key outside of it could never be presented.
      .regex(/^[\x21-\x7e]+$/, { error: "invalid" })
      .optional(),
    name: text().max(maxNameLength, { error: "tooLong" }).optional(),
    retrievable: flag().default(true),
    tenantId: id().optional(),
    expirationInstant: instant().optional(),
    ipAccessControlListId: id().optional(),
    keyManager: flag().optional(),
    metaData: object({ attributes: map(text()).default({}) }).prefault({}),
    permissions: object({ endpoints: map(list(option(methods))).default({}) }).prefault({}),
  }).prefault({}),
  sourceKeyId: id().optional(),
});
