import { toIdentityError } from "../errors/identity-error.js";
import type { HandleContext } from "../handle.js";
import type { Principal } from "../http/authenticate/principal.js";
import { checkHeaderTexts } from "../http/transport/read-parameters.js";
import { readRequestId, withRequestId, writeError } from "../http/transport/write-response.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import { lazily } from "../shared/async.js";
import { isAvailable, type Protocol, type ProtocolHandler, type ProtocolHost } from "./protocol.js";
import { createProtocolHost, type ServiceParts } from "./protocol-host.js";
import { findRoot } from "./protocol-paths.js";

export { assertProtocols } from "./protocol-paths.js";

/** The mounted protocols of a service. */
export interface ProtocolMounts {
  /** The root paths of the protocols. */
  readonly roots: readonly string[];
  /** Answers a request at or below such a path; undefined for any other. */
  answer(request: ApiRequest, principal: Principal | undefined): Promise<ApiResponse | undefined> | undefined;
}

/** Mounts protocols on a service. */
export function mountProtocols(context: HandleContext, protocols: readonly Protocol[], parts: ServiceParts): ProtocolMounts {
  const answer: ProtocolMounts["answer"] = (request, principal) => {
    for (const mount of mounts) {
      const root = findRoot(mount.roots, request.path);
      if (root !== undefined) return mount.answer(request, principal, root);
    }
    return undefined;
  };
  const host = createProtocolHost(context, { ...parts, callProtocol: async (request) => answer(request, undefined) });
  const available = protocols.filter((protocol) => isAvailable(protocol, host));
  const mounts = available.map((protocol) => new ProtocolMount(context, protocol, host));
  return { answer, roots: mounts.flatMap(({ roots }) => roots) };
}

class ProtocolMount {
  readonly roots: readonly string[];
  readonly #context: HandleContext;
  readonly #load: () => ProtocolHandler | Promise<ProtocolHandler>;
  /** Metrics count the requests of each method as a route. */
  readonly #counted = new Map<string, { readonly method: string; readonly path: string }>();

  constructor(context: HandleContext, { path, start }: Protocol, host: ProtocolHost) {
    this.roots = [path].flat();
    this.#context = context;
    this.#load = lazily(() => start(host));
  }

  async answer(request: ApiRequest, principal: Principal | undefined, root: string): Promise<ApiResponse | undefined> {
    const { makesRequestIds, service } = this.#context;
    const { newId } = service.runtime;
    const given = readRequestId(request);
    // The protocol logs this id, also where only a failure answers it.
    const requestId = given ?? request.requestId ?? newId();
    const began = service.runtime.monotonic();
    const response = await this.#respond({ ...request, requestId }, principal).catch((error: unknown) =>
      this.#refuse(request.method, root, { error, requestId }),
    );
    if (response === undefined) return undefined;
    const elapsed = service.runtime.monotonic() - began;
    service.measurements.requests.note(this.#routeOf(request.method, root), response.status, elapsed);
    const isRepeated = given !== undefined || makesRequestIds;
    return withRequestId(response, isRepeated ? requestId : undefined, () => requestId);
  }

  async #respond(request: ApiRequest, principal: Principal | undefined): Promise<ApiResponse | undefined> {
    const { unsent } = this.#context;
    unsent.assertRoom();
    checkHeaderTexts(request);
    const handler = await this.#load();
    const response = await handler(request, principal);
    if (response !== undefined) unsent.count(request, response, request.method === "GET");
    return response;
  }

  // Converts an error that the protocol did not answer in its own format.
  #refuse(method: string, root: string, refusal: { readonly error: unknown; readonly requestId: string }): ApiResponse {
    const error = toIdentityError(refusal.error);
    if (error.status < 500 || error.code === "[overloaded]") return writeError(error);
    const { logger } = this.#context.service.runtime;
    const { requestId } = refusal;
    // The whole path can contain a credential, such as a one-time id.
    logger.error({ err: error.cause ?? error, method, path: root, requestId }, "request failed");
    return writeError(error);
  }

  #routeOf(given: string, root: string): { readonly method: string; readonly path: string } {
    const method = knownMethods.has(given) ? given : "other";
    const name = `${method} ${root}`;
    const route = this.#counted.get(name) ?? { method, path: `${root}/*` };
    this.#counted.set(name, route);
    return route;
  }
}

const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
