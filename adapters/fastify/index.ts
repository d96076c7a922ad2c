import type {
  FastifyPluginAsync,
  FastifyReply,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  RouteHandlerMethod,
} from "fastify";
import type { AccessRequirement, Guards, IdentityService, RequestIdentity } from "latchkey";
import { handleInOrder, type RequestHandler, toApiRequest, toReadable } from "latchkey/node";
import type { ApiResponse } from "latchkey/ports";
import { assertService, toGuards } from "../internal/guards.js";
import { mergeHeaders } from "../internal/merge-headers.js";
import { createUrlReader, toRouteUrl } from "./request-urls.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller, behind a guard of {@link fastifyGuards}. */
    identity?: RequestIdentity;
  }
}

/** The methods without a body in Fastify. */
const bodyless: readonly string[] = ["GET", "HEAD"];

/**
 * The service as a Fastify plugin: `app.register(identityPlugin(identity))`, or below a path with
 * `app.register(identityPlugin(identity), { prefix: "/identity" })`. It is encapsulated: the host's body parsers and hooks are
 * unaffected, and more specific routes of the host take precedence. The host's not-found handler answers unknown paths. A path
 * with invalid percent-encoding reaches no route: Fastify answers it, or its option `frameworkErrors`.
 */
export function identityPlugin(identity: RequestHandler): FastifyPluginAsync {
  assertService(identity, "handle");
  return async (app) => {
    // The service reads bodies itself, so no content type is parsed.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const toUrls = createUrlReader(app);
    const handler: RouteHandlerMethod = (request, reply) => {
      const { url, originalUrl } = toUrls(request);
      // Not an async function, which Fastify would wrap in further promises.
      handleInOrder(identity, toApiRequest(request.raw, url, undefined, originalUrl), reply.raw)
        .then((response) => (response === undefined ? reply.callNotFound() : write(reply, response)))
        .catch((error: unknown) => reply.send(error));
    };
    const others = app.supportedMethods.filter((method) => !bodyless.includes(method));
    for (const url of identity.paths.map(toRouteUrl)) {
      app.route({ method: [...bodyless], url, handler });
      app.route({ method: others, url, handler, onRequest: hideContentType });
    }
  };
}

// Fastify would refuse an unparsable content type before the service can.
const hideContentType: onRequestHookHandler = (request, _reply, done) => {
  const { "content-type": type = "application/json" } = request.headers;
  if (type !== "application/json") request.headers = { "content-type": "application/octet-stream" };
  done();
};

function write(reply: FastifyReply, response: ApiResponse): void {
  const { body, bytes, status, stream } = response;
  const headers = mergeHeaders(response.headers, (name) => reply.getHeader(name) ?? reply.raw.getHeader(name));
  // Fastify appends cookies to existing ones, which `headers` already includes.
  if (headers["set-cookie"] !== undefined) reply.removeHeader("set-cookie");
  reply.code(status).headers(headers);
  if (stream !== undefined) reply.send(toReadable(stream, reply.raw));
  // Fastify would add a content type to an empty text.
  else reply.send(bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : body || undefined);
}

/**
 * Route guards: `const { requireUser, requireRole, requireApiKey } = fastifyGuards(identity)`, then
 * `app.get("/orders", { onRequest: requireRole("buyer", { applicationId }) }, …)`. The caller is `request.identity`; a refusal is
 * thrown with its `status`, 401 or 403.
 */
export function fastifyGuards(
  identity: Pick<IdentityService, "authorize">,
): Guards<onRequestAsyncHookHandler, onRequestAsyncHookHandler> {
  const toGuard = (requirement: AccessRequirement): onRequestAsyncHookHandler =>
    async function guard(request) {
      request.identity = await identity.authorize(toApiRequest(request.raw, request.raw.url ?? "/"), requirement);
    };
  return toGuards(identity, toGuard, toGuard);
}
