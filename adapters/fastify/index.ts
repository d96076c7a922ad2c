import type { FastifyPluginAsync } from "fastify";
import type { IdentityService } from "latchkey";
import { stripBasePath, toApiRequest } from "latchkey/node";

/** The folders of paths that the service answers; a host's own, more exact routes below them win. */
const wildcards = ["/api/*", "/oauth2/*", "/.well-known/*"];

/**
 * The service as a Fastify plugin: `app.register(identityPlugin(identity))`, or below a path with
 * `app.register(identityPlugin(identity), { prefix: "/identity" })`. It is encapsulated: the host's body parsers and hooks stay
 * as they are. What is not the service's is answered by the host's not-found handler. A path that is not valid
 * percent-encoding reaches no route: Fastify answers it, or its option `frameworkErrors`.
 */
export function identityPlugin(identity: Pick<IdentityService, "handle">): FastifyPluginAsync {
  return async (app) => {
    // The service reads the body itself, so every content type is left unread.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    // Fastify refuses by itself what it cannot parse as a content type; the service has an answer of its own.
    app.addHook("onRequest", (request, _reply, done) => {
      const type = request.headers["content-type"];
      if (type !== undefined && type !== "application/json") request.headers = { "content-type": "application/octet-stream" };
      done();
    });
    for (const url of wildcards)
      app.all(url, async (request, reply) => {
        const url = stripBasePath(request.raw.url ?? "/", app.prefix);
        const response = url === undefined ? undefined : await identity.handle(toApiRequest(request.raw, url));
        if (response === undefined) return reply.callNotFound();
        // An empty text would get a content type.
        return reply
          .code(response.status)
          .headers(response.headers)
          .send(response.body === "" ? undefined : response.body);
      });
  };
}
