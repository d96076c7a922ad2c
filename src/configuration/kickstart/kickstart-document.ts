/** A kickstart document (docs/reference/system.md#kickstart): what a fresh service is set up with. */
export interface KickstartDocument {
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
  /** The first one makes the requests and must be global and unrestricted. */
  readonly apiKeys: readonly KickstartApiKey[];
  readonly requests?: readonly (KickstartRequest | string)[];
  /** Accepted and unused: times of waiting for a service that is elsewhere. */
  readonly settings?: unknown;
}

/** An API key that exists from the start; the only way but the host itself to make a key manager. */
export interface KickstartApiKey {
  readonly key: string;
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly keyManager?: boolean;
  readonly permissions?: unknown;
  readonly tenantId?: string;
  readonly ipAccessControlListId?: string;
}

/** One request of the API. */
export interface KickstartRequest {
  readonly method: string;
  readonly url: string;
  readonly contentType?: string;
  /** Becomes the tenant header. */
  readonly tenantId?: string;
  readonly body?: unknown;
}
