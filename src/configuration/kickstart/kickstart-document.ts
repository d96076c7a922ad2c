/** A kickstart document (docs/reference/system.md#kickstart): what a fresh service is set up with. */
export interface KickstartDocument {
  /** Texts to insert with `#{name}`. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
  /** The first one makes the requests and must be global and unrestricted. */
  readonly apiKeys: readonly KickstartApiKey[];
  /** Requests that run in order; a text of the form `&{path}` includes a JSON file. */
  readonly requests?: readonly (KickstartRequest | string)[];
  /** Accepted and unused: times of waiting for a service that is elsewhere. */
  readonly settings?: unknown;
}

/** An API key that exists from the start; the only way but the host itself to make a key manager. */
export interface KickstartApiKey {
  /** The value that callers present; unique. */
  readonly key: string;
  /** The UUID of the key. Default: a fresh one. */
  readonly id?: string;
  /** A unique name. Since 1.56.0. */
  readonly name?: string;
  /** Free text for people. */
  readonly description?: string;
  /** Whether the key may manage API keys. Default false. */
  readonly keyManager?: boolean;
  /** The endpoints that the key may call, as in the field of an API key. Default: every endpoint. */
  readonly permissions?: unknown;
  /** The tenant that the key is bound to; absent for a global key. */
  readonly tenantId?: string;
  /** The access list that decides from which addresses the key works. */
  readonly ipAccessControlListId?: string;
}

/** One request of the API. */
export interface KickstartRequest {
  /** The HTTP method. */
  readonly method: string;
  /** Path and query, such as `/api/user`. */
  readonly url: string;
  /** The media type of the body. Default: JSON. */
  readonly contentType?: string;
  /** Becomes the tenant header. */
  readonly tenantId?: string;
  /** The body: any JSON. Default: none. */
  readonly body?: unknown;
}
