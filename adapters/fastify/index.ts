import type {
  FastifyPluginAsync,
  FastifyReply,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  RouteHandlerMethod,
} from "fastify";
import type { AccessRequirement, ApiResponse, IdentityService, RequestIdentity } from "latchkey";
import { handleInOrder, type RequestHandler, stripBasePath, toApiRequest, toReadable } from "latchkey/node";
import { type Guards, toGuards } from "../internal/guards.js";

export type { ApiKeyGuardOptions, Guards, RoleGuardOptions, UserGuardOptions } from "../internal/guards.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes the request, behind a guard of {@link identityGuards}. */
    identity?: RequestIdentity;
  }
}

/** The folders of paths that the service answers; a host's own, more exact routes below them win. */
const wildcards: readonly string[] = ["/api/*", "/oauth2/*", "/.well-known/*"];

/** The methods whose bodies Fastify does not look at. */
const bodyless: readonly string[] = ["GET", "HEAD"];

/**
 * The service as a Fastify plugin: `app.register(identityPlugin(identity))`, or below a path with
 * `app.register(identityPlugin(identity), { prefix: "/identity" })`. It is encapsulated: the host's body parsers and hooks stay
 * as they are. What is not the service's is answered by the host's not-found handler. A path that is not valid
 * percent-encoding reaches no route: Fastify answers it, or its option `frameworkErrors`. `paths` are the routes of a part of the service
 * that has others, such as the console.
 */
export function identityPlugin(identity: RequestHandler): FastifyPluginAsync {
  return async (app) => {
    // The service reads the body itself, so every content type is left unread.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const handler: RouteHandlerMethod = (request, reply) => {
      const url = stripBasePath(request.raw.url ?? "/", app.prefix);
      if (url === undefined) return reply.callNotFound();
      // Not an async function, which Fastify would wrap in promises of its own.
      handleInOrder(identity, toApiRequest(request.raw, url), reply.raw).then(
        (response) => (response === undefined ? reply.callNotFound() : write(reply, response)),
        (error: unknown) => reply.send(error),
      );
    };
    const others = app.supportedMethods.filter((method) => !bodyless.includes(method));
    for (const url of identity.paths ?? wildcards) {
      app.route({ method: [...bodyless], url, handler });
      app.route({ method: others, url, handler, onRequest: hideContentType });
    }
  };
}

// Fastify refuses by itself what it cannot parse as a content type; the service has an answer of its own.
const hideContentType: onRequestHookHandler = (request, _reply, done) => {
  const type = request.headers["content-type"];
  if (type !== undefined && type !== "application/json") request.headers = { "content-type": "application/octet-stream" };
  done();
};

function write(reply: FastifyReply, { status, headers, body, bytes, stream }: ApiResponse): void {
  const streamed = stream && toReadable(stream, reply.raw);
  // An empty text would get a content type.
  reply
    .code(status)
    .headers(headers)
    .send(streamed ?? (bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : body || undefined));
}

/**
 * Guards of routes: `const { requireUser, requireRole, requireApiKey } = identityGuards(identity)`, then
 * `app.get("/orders", { onRequest: requireRole("buyer", { applicationId }) }, …)`. The caller is `request.identity`; a refusal is thrown
 * with its `status`, 401 or 403.
 */
export function identityGuards(
  identity: Pick<IdentityService, "authorize">,
): Guards<onRequestAsyncHookHandler, onRequestAsyncHookHandler> {
  const toGuard = (requirement: AccessRequirement): onRequestAsyncHookHandler => {
    return async (request) => {
      request.identity = await identity.authorize(toApiRequest(request.raw, request.raw.url ?? "/"), requirement);
    };
  };
  return toGuards(toGuard, toGuard);
}
