import type { Principal } from "../http/authenticate/principal.js";
import type { Method } from "../http/route/define-route.js";
import type { InProcessApi } from "../in-process.js";
import type { OpenIdHost } from "../openid/openid-host.js";
import type { HttpClient } from "../ports/event-transport.js";
import type { Clock, IdGenerator, Logger, Random } from "../ports/runtime.js";
import type { SignInKey } from "../ports/sign-in.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import type { EventLogType } from "../records/event-logs/schema.js";

/** A protocol beside the API, such as SCIM: pass it in the option `protocols`. */
export interface Protocol {
  /** Name of the protocol; no two of a service have the same. */
  readonly name: string;
  /**
   * The path of the service below which the protocol answers, such as `/api/scim/resource/v2`, or several. A path can begin with
   * `/:tenantId/`, which stands for any UUID.
   */
  readonly path: string | readonly string[];
  /** Whether a version and plan have the protocol; where they do not, it makes and answers nothing. Default: all have it. */
  readonly isAvailable?: ((service: ProtocolService) => boolean) | undefined;
  /** Whether the protocol cannot do without the option `publicUrl`. Default false. */
  readonly needsPublicUrl?: boolean | undefined;
  /** Whether it signs ID tokens: the first start of a storage that has it makes a key for them. Default false. */
  readonly signsIdTokens?: boolean | undefined;
  /** Called when the service starts, before its storage is opened. Rejects where something is missing that the protocol needs, such as a package. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Makes the records that the protocol needs: once in the life of a storage, in the transaction of the first start that has it. */
  readonly setUp?: ((api: InProcessApi) => Promise<void>) | undefined;
  /** Returns the handler of a service. It is called with the first request. */
  readonly start: (host: ProtocolHost) => Promise<ProtocolHandler>;
}

/** Whether a service has a protocol. */
export function isAvailable({ isAvailable: has }: Protocol, service: ProtocolService): boolean {
  return has?.(service) ?? true;
}

/**
 * Answers a request below the path of a protocol. Undefined where the protocol has no such path: then the service's own route answers, or the host.
 * `principal`: the caller, where the host has authenticated it.
 */
export type ProtocolHandler = (request: ApiRequest, principal: Principal | undefined) => Promise<ApiResponse | undefined>;

/** What is asked for below the path of a protocol, as grants of API keys name it. */
export interface ProtocolCall {
  /** The HTTP method. */
  readonly method: Method;
  /** The path without ids, such as `/api/scim/resource/v2/Users`. */
  readonly endpoint: string;
}

/** How a protocol reads a body. */
export interface ProtocolBody {
  /** The media types that it accepts, in lower case. */
  readonly types: readonly string[];
  /**
   * The lists that the limit of imports bounds, and no number of items; each a path with `*` for any name or place. Without any, the body may
   * be no longer than others.
   */
  readonly bulkLists: readonly (readonly string[])[];
}

/** Which version and plan of the reference a service emulates. */
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

/** What a service offers to its protocols. */
export interface ProtocolHost extends ProtocolService {
  /** The most bytes of a record in JSON, on which the size of answers relies, and of a body without bulk lists. */
  readonly maxBodyBytes: number;
  /** The most bytes of a body with bulk lists. */
  readonly maxImportBytes: number;
  /** Returns the time in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns a fresh id for a record. */
  readonly newId: IdGenerator;
  /** Returns bytes from a cryptographic source. */
  readonly random: Random;
  /** Writes lines of the service's log. */
  readonly logger: Logger;
  /** The in-process API with the rights of a principal. */
  as(principal: Principal): InProcessApi;
  /** Runs calls of a principal in one transaction. Receivers of transactional events are not asked. */
  transaction<T>(principal: Principal, work: (tx: InProcessApi) => Promise<T>): Promise<T>;
  /** Returns the caller of a request as the service's own routes would. Throws IdentityError 401. */
  authenticate(request: ApiRequest): Promise<Principal>;
  /** Returns the tenant that a call is bound to by its caller or the tenant header; undefined for none. Throws IdentityError 401, 400. */
  authorize(principal: Principal, call: ProtocolCall, request: ApiRequest): string | undefined;
  /** Returns the JSON value of a body, checked as those of the service's own routes; undefined without one. Throws IdentityError 400 to 415. */
  readBody(request: ApiRequest, body: ProtocolBody): Promise<unknown>;
  /** Returns the fields of a form (`application/x-www-form-urlencoded`); of a name that comes twice the first. Throws IdentityError 400 to 415. */
  readForm(request: ApiRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Returns the text of a body, for protocols that parse it themselves; undefined without one. It has at most `maxBytes`, by default and at most
   * {@link ProtocolHost.maxBodyBytes}. Throws IdentityError 400, 408, 413, 415.
   */
  readText(request: ApiRequest, maxBytes?: number): Promise<string | undefined>;
  /**
   * Creates a cache for data about tenants, applications and clients. Entries expire after a second, and when such a record changes in this
   * process, or in another one that the storage signals.
   */
  createCache<T>(): ProtocolCache<T>;
  /** Returns the ids of the types of a tenant's entities, by the ids of those that are there. */
  findEntityTypes(tenantId: string, entityIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The stored key with this id; undefined for none. */
  findKey(keyId: string): Promise<SignInKey | undefined>;
  /** Returns the answer of the protocol that the path of a request belongs to; undefined where the service has none. */
  callProtocol(request: ApiRequest): Promise<ApiResponse | undefined>;
  /** Returns the URL that the client called, without its query; undefined when it cannot be known. */
  urlOf(request: ApiRequest): string | undefined;
  /** The service's root URL as clients call it, without a slash at its end: the option `publicUrl`. */
  readonly publicUrl: string | undefined;
  /** Returns the address that a request came from, past proxies that the host trusts; undefined where the transport does not know it. */
  addressOf(request: ApiRequest): string | undefined;
  /** Whether pages of an origin may call the service from a browser: the option `cors`. */
  allowsOrigin(origin: string): boolean;
  /** Returns the answer of the service's own routes, never of a protocol; undefined for a path that is none. Without a principal, the request's credential counts. */
  serve(request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined>;
  /** The header that names the tenant of a call over HTTP. */
  readonly tenantHeaderName: string;
  /** Returns secrets for one purpose, 256 bits each: the first for new values, all of them for values of before a rotation. */
  deriveSecrets(purpose: string): readonly string[];
  /** Returns what the core does for an OpenID provider. */
  openId(): OpenIdHost | Promise<OpenIdHost>;
  /** Sends HTTP calls as webhooks are sent: not to addresses that the host forbids. */
  readonly http: HttpClient;
  /** Writes an entry of the event log. */
  recordEvent(entry: { readonly type: EventLogType; readonly message: string }): Promise<void>;
}
