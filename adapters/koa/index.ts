import type { IncomingMessage, ServerResponse } from "node:http";
import { type AccessRequirement, assertKnownOptions, type Guards, type IdentityService, type RequestIdentity } from "latchkey";
import { handleInOrder, type NodeHandlerOptions, stripBasePath, toApiRequest, toReadable } from "latchkey/node";
import { assertService, toGuards } from "../internal/guards.js";
import { mergeHeaders } from "../internal/merge-headers.js";

/** The used part of a Koa context. */
export interface KoaContextLike {
  /** Node's request. */
  readonly req: IncomingMessage;
  /** Node's response. */
  readonly res: ServerResponse;
  /** Path and query, after middleware such as `koa-mount` removed a prefix. */
  readonly url: string;
  /** The original URL, before middleware such as `koa-mount` changed `url`. */
  readonly originalUrl: string;
  /** Koa's request: `body` is the result of a body parser, if one ran. */
  readonly request: { readonly body?: unknown };
  /** The HTTP status of the response. */
  status: number;
  /** The body of the response; null for none. */
  body: unknown;
  /** Koa's response: `get` returns the value of a header, or an empty text. */
  readonly response: { get(name: string): number | string | readonly string[] | undefined };
  /** Sets several headers. */
  set(headers: Readonly<Record<string, string | string[]>>): void;
}

/** Koa middleware. */
export type KoaMiddleware = (context: KoaContextLike, next: () => Promise<unknown>) => Promise<void>;

/**
 * The service as Koa middleware: `app.use(identityMiddleware(identity))`. Works with or without a body parser before it. Requests
 * for other paths go to the next middleware.
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
    // Koa would add a content type to an empty text. Null removes headers and sets 204, so it comes before them; a text gets a
    // content type only without one, so it comes after them.
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
  /** The caller. */
  identity?: RequestIdentity;
}

/** Koa middleware that guards the middleware after it. */
export type KoaGuard = (
  context: Pick<KoaContextLike, "originalUrl" | "req" | "url"> & { readonly state: IdentityState },
  next: () => Promise<unknown>,
) => Promise<void>;

/**
 * Route guards: `const { requireUser, requireRole, requireApiKey } = koaGuards(identity)`, then
 * `router.get("/orders", requireRole("buyer", { applicationId }), …)`. The caller is `context.state.identity`; a refusal is
 * thrown with its `status`, 401 or 403.
 */
export function koaGuards(identity: Pick<IdentityService, "authorize">): Guards<KoaGuard, KoaGuard> {
  const toGuard = (requirement: AccessRequirement): KoaGuard => {
    return async (context, next) => {
      const request = toApiRequest(context.req, context.url, undefined, context.originalUrl);
      context.state.identity = await identity.authorize(request, requirement).catch((error: Error) => {
        // Koa treats an error without `expose` as a failure of the host.
        throw Object.assign(error, { expose: "status" in error && Number(error.status) < 500 });
      });
      await next();
    };
  };
  return toGuards(identity, toGuard, toGuard);
}
