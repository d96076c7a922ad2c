import type { IncomingMessage, ServerResponse } from "node:http";
import { type AccessRequirement, assertKnownOptions, type Guards, type IdentityService, type RequestIdentity } from "latchkey";
import { handleInOrder, type NodeHandlerOptions, stripBasePath, toApiRequest, toReadable } from "latchkey/node";
import { assertService, toGuards } from "../internal/guards.js";
import { mergeHeaders } from "../internal/merge-headers.js";

/** The part of a Koa context that is used here. */
export interface KoaContextLike {
  /** The request of Node. */
  readonly req: IncomingMessage;
  /** The response of Node. */
  readonly res: ServerResponse;
  /** Path and query, after middleware such as `koa-mount` removed a prefix. */
  readonly url: string;
  /** The URL that the client called, before middleware such as `koa-mount` changed `url`. */
  readonly originalUrl: string;
  /** The request of Koa: `body` is what a body parser left, if one ran. */
  readonly request: { readonly body?: unknown };
  /** The HTTP status of the response. */
  status: number;
  /** The body of the response; null for none. */
  body: unknown;
  /** The response of Koa: `get` returns what was set of a header, or an empty text. */
  readonly response: { get(name: string): number | string | readonly string[] | undefined };
  /** Sets several headers. */
  set(headers: Readonly<Record<string, string | string[]>>): void;
}

/** Koa middleware. */
export type KoaMiddleware = (context: KoaContextLike, next: () => Promise<unknown>) => Promise<void>;

/**
 * The service as Koa middleware: `app.use(identityMiddleware(identity))`. A body parser may run before it or not. What is not
 * the service's goes on to the next middleware.
 */
export function identityMiddleware(identity: Pick<IdentityService, "handle">, options: NodeHandlerOptions = {}): KoaMiddleware {
  assertService(identity, "handle");
  assertKnownOptions("", options, { basePath: "text" });
  return async (context, next) => {
    const url = stripBasePath(context.url, options.basePath);
    const response =
      url === undefined
        ? undefined
        : await handleInOrder(identity, toApiRequest(context.req, url, context.request.body, context.originalUrl), context.res);
    if (response === undefined) {
      await next();
      return;
    }
    // An empty text would get a content type. Null takes the headers away and sets 204, so the others come after it; a text
    // looks for its type only where none is set, so it comes last.
    const { bytes, stream } = response;
    const headers = mergeHeaders(response.headers, (name) => context.response.get(name) || undefined);
    const body = stream ? toReadable(stream, context.res) : bytes === undefined ? response.body : Buffer.from(bytes);
    const isUntyped = body === "" && headers["content-type"] === undefined;
    if (isUntyped) context.body = null;
    context.status = response.status;
    context.set(headers);
    if (!isUntyped) context.body = body;
  };
}

/** The state of a context behind a guard: `new Koa<IdentityState>()`. */
export interface IdentityState {
  /** Who makes the request. */
  identity?: RequestIdentity;
}

/** Koa middleware that guards what comes after it. */
export type KoaGuard = (
  context: Pick<KoaContextLike, "originalUrl" | "req" | "url"> & { readonly state: IdentityState },
  next: () => Promise<unknown>,
) => Promise<void>;

/**
 * Guards of routes: `const { requireUser, requireRole, requireApiKey } = koaGuards(identity)`, then
 * `router.get("/orders", requireRole("buyer", { applicationId }), …)`. The caller is `context.state.identity`; a refusal is thrown with its
 * `status`, 401 or 403.
 */
export function koaGuards(identity: Pick<IdentityService, "authorize">): Guards<KoaGuard, KoaGuard> {
  const toGuard = (requirement: AccessRequirement): KoaGuard => {
    return async (context, next) => {
      const request = toApiRequest(context.req, context.url, undefined, context.originalUrl);
      context.state.identity = await identity.authorize(request, requirement).catch((error: Error) => {
        // Koa takes what is not exposed for a failure of the host.
        throw Object.assign(error, { expose: "status" in error && Number(error.status) < 500 });
      });
      await next();
    };
  };
  return toGuards(identity, toGuard, toGuard);
}
