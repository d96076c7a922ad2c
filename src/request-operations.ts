import { createAnswer } from "./answer-request.js";
import type { HandleContext } from "./handle.js";
import type { Principal } from "./http/authenticate/principal.js";
import type { Route } from "./http/route/define-route.js";
import { type InjectedRequest, toApiRequest } from "./http/transport/inject.js";
import { narrow } from "./http/transport/read-bytes.js";
import { readText } from "./http/transport/read-text.js";
import type { AnyOperation } from "./operations/operation.js";
import type { ApiRequest, ApiResponse } from "./ports/transport.js";
import type { HostCalls } from "./service/host-transaction.js";
import { listPaths } from "./service/list-paths.js";
import type { ProtocolMounts } from "./service/mount-protocols.js";

/** Operations that answer HTTP requests. */
export interface RequestOperations {
  /**
   * Answers a request; undefined when its path is not one of the service's. With `principal`, that is the caller and the
   * request's credential is not read, for hosts that authenticate callers themselves. Rejects only inside of `transaction`. After
   * `close`, the answer is 503.
   */
  handle(request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined>;
  /** Answers a request built from a few values, as in a test; 404 where `handle` leaves the path to the host. */
  inject(request: InjectedRequest): Promise<ApiResponse>;
  /**
   * Returns the text of a request's body, for pages of your own besides the service; undefined without a body. Reads at most
   * `maxBytes`, by default and at most the option `maxBodyBytes`, and no longer than the option `bodyTimeoutMs`. Throws
   * IdentityError 400, 408, 413, 415.
   */
  readText(request: ApiRequest, maxBytes?: number): Promise<string | undefined>;
  /** The name of the tenant header. */
  readonly tenantHeaderName: string;
  /** The service's root URL for browsers, without a trailing slash; undefined without the option `publicUrl`. */
  readonly publicUrl: string | undefined;
  /**
   * The paths that the service answers, as patterns for the router of an adapter: `/api/*` is every path below `/api`. A leading
   * `/:tenantId` stands for any UUID.
   */
  readonly paths: readonly string[];
  /** The endpoints of the service's version, with the access requirement of each method. A principal's grants refer to them. */
  readonly endpoints: readonly Endpoint[];
}

/** A method of an endpoint. */
export type Endpoint = Pick<Route<AnyOperation>, "access" | "endpoint" | "method" | "path">;

/**
 * Creates the operations of one service. Refuses requests inside of the host's own transaction, because they would wait for its
 * end.
 */
export function requestOperations(context: HandleContext, calls: HostCalls, mounts?: ProtocolMounts): RequestOperations {
  const answer = createAnswer(context, calls, mounts);
  return {
    handle: answer,
    inject: async (request) => (await answer(toApiRequest(request))) ?? notOurs,
    readText: (request, maxBytes) => readText(request, narrow(context.bodyLimits, maxBytes)),
    tenantHeaderName: context.tenantHeaderName,
    publicUrl: context.service.accounts.publicUrl,
    paths: listPaths(context.endpoints, mounts?.roots ?? []),
    endpoints: context.endpoints,
  };
}

const notOurs: ApiResponse = Object.freeze({ status: 404, headers: Object.freeze({}), body: "" });
