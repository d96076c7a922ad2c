import type { Principal } from "../http/authenticate/principal.js";
import type { Method } from "../http/route/define-route.js";
import type { InProcessApi } from "../in-process.js";
import type { OpenIdHost } from "../openid/openid-host.js";
import type { HttpClient } from "../ports/event-transport.js";
import type { Clock, IdGenerator, Logger, Random } from "../ports/runtime.js";
import type { SignInKey } from "../ports/sign-in.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import type { EventLogType } from "../records/event-logs/schema.js";

/** A protocol besides the API, such as SCIM. Pass it in the option `protocols`. */
export interface Protocol {
  /** The name, unique within a service. */
  readonly name: string;
  /** The root path of the protocol, such as `/api/scim/resource/v2`, or several. A leading `/:tenantId/` stands for any UUID. */
  readonly path: string | readonly string[];
  /**
   * Whether a version and plan include the protocol; if not, it is not mounted and creates no records. Default: all include it.
   */
  readonly isAvailable?: ((service: ProtocolService) => boolean) | undefined;
  /** Whether the protocol needs the option `publicUrl`. Default false. */
  readonly needsPublicUrl?: boolean | undefined;
  /** Whether it signs ID tokens: a storage's first start with it creates a key for them. Default false. */
  readonly signsIdTokens?: boolean | undefined;
  /**
   * Called at the start of the service, before its storage is opened. Rejects if a requirement, such as a package, is missing.
   */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Creates the records of the protocol: once in the life of a storage, in the transaction of the first start with it. */
  readonly setUp?: ((api: InProcessApi) => Promise<void>) | undefined;
  /** Returns the handler of a service. Called with the first request. */
  readonly start: (host: ProtocolHost) => Promise<ProtocolHandler>;
}

/** Whether a service includes a protocol. */
export function isAvailable({ isAvailable: has }: Protocol, service: ProtocolService): boolean {
  return has?.(service) ?? true;
}

/**
 * Answers a request at or below the path of a protocol. Undefined for an unknown path: then the service's own route answers, or
 * the host. `principal`: the caller, if the host has authenticated it.
 */
export type ProtocolHandler = (request: ApiRequest, principal: Principal | undefined) => Promise<ApiResponse | undefined>;

/** A call below the path of a protocol, as in grants of API keys. */
export interface ProtocolCall {
  /** The HTTP method. */
  readonly method: Method;
  /** The path without ids, such as `/api/scim/resource/v2/Users`. */
  readonly endpoint: string;
}

/** How a protocol reads a body. */
export interface ProtocolBody {
  /** The accepted media types, in lower case. */
  readonly types: readonly string[];
  /**
   * Lists without a limit of items, in bodies up to the limit of imports. Each is a path with `*` for any name or index. Empty:
   * the usual limit of bodies applies.
   */
  readonly bulkLists: readonly (readonly string[])[];
}

/** The version and plan of the reference that a service emulates. */
export interface ProtocolService {
  /** The version of the reference, such as `1.65.0`. */
  readonly version: string;
  /** Whether the plan of the service has a feature of docs/reference/service.md#versions-and-plans. */
  isLicensed(name: string): boolean;
}

/** A cache of values from the storage. */
export interface ProtocolCache<T> {
  /** Returns the cached value of `name`, or the result of `read`, which is cached unless it is undefined. */
  find(name: string, read: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** The service's operations for its protocols. */
export interface ProtocolHost extends ProtocolService {
  /** The largest record in JSON and the largest body without bulk lists, in bytes. */
  readonly maxBodyBytes: number;
  /** The largest body with bulk lists, in bytes. */
  readonly maxImportBytes: number;
  /** Returns the time in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns a fresh id for a record. */
  readonly newId: IdGenerator;
  /** Returns bytes from a cryptographic source. */
  readonly random: Random;
  /** Writes to the service's log. */
  readonly logger: Logger;
  /** Returns the in-process API with the rights of a principal. */
  as(principal: Principal): InProcessApi;
  /** Runs calls of a principal in one transaction, without approval by receivers of transactional events. */
  transaction<T>(principal: Principal, work: (tx: InProcessApi) => Promise<T>): Promise<T>;
  /** Authenticates a request like the service's own routes. Throws IdentityError 401. */
  authenticate(request: ApiRequest): Promise<Principal>;
  /** Returns the tenant of a call, by its caller or the tenant header; undefined for none. Throws IdentityError 401, 400. */
  authorize(principal: Principal, call: ProtocolCall, request: ApiRequest): string | undefined;
  /**
   * Returns the JSON value of a body, checked like on the service's own routes; undefined without one. Throws IdentityError 400
   * to 415.
   */
  readBody(request: ApiRequest, body: ProtocolBody): Promise<unknown>;
  /**
   * Returns the fields of a form (`application/x-www-form-urlencoded`); the first value of a repeated name. Throws IdentityError
   * 400 to 415.
   */
  readForm(request: ApiRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Returns the text of a body, for protocols that parse it themselves; undefined without one. Reads at most `maxBytes`, by
   * default and at most {@link ProtocolHost.maxBodyBytes}. Throws IdentityError 400, 408, 413, 415.
   */
  readText(request: ApiRequest, maxBytes?: number): Promise<string | undefined>;
  /**
   * Creates a cache for data about tenants, applications and clients. Entries expire after a second, and when such a record
   * changes in this process or, with signals of the storage, in another one.
   */
  createCache<T>(): ProtocolCache<T>;
  /** Returns the type ids of a tenant's existing entities, by entity id. */
  findEntityTypes(tenantId: string, entityIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the stored key with this id; undefined for none. */
  findKey(keyId: string): Promise<SignInKey | undefined>;
  /** Returns the response of the protocol at the path of a request; undefined when no protocol matches. */
  callProtocol(request: ApiRequest): Promise<ApiResponse | undefined>;
  /** Returns the URL of the client's call, without its query; undefined when unknown. */
  urlOf(request: ApiRequest): string | undefined;
  /** The service's root URL for clients, without a trailing slash: the option `publicUrl`. */
  readonly publicUrl: string | undefined;
  /** Returns the address of the client, behind trusted proxies; undefined when the transport does not know it. */
  addressOf(request: ApiRequest): string | undefined;
  /** Whether pages of an origin may call the service from a browser: the option `cors`. */
  allowsOrigin(origin: string): boolean;
  /**
   * Returns the response of the service's own routes, not of protocols; undefined for any other path. Without a principal, it
   * reads the request's credential.
   */
  serve(request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined>;
  /** The name of the tenant header. */
  readonly tenantHeaderName: string;
  /**
   * Returns secrets for one purpose, 256 bits each. Use the first for new values, and all of them for values from before a
   * rotation.
   */
  deriveSecrets(purpose: string): readonly string[];
  /** Returns the core's operations for an OpenID provider. */
  openId(): OpenIdHost | Promise<OpenIdHost>;
  /** Sends HTTP calls through the outbound guard, like webhooks. */
  readonly http: HttpClient;
  /** Writes an entry of the event log. */
  recordEvent(entry: { readonly type: EventLogType; readonly message: string }): Promise<void>;
}
