import type { FastifyPluginAsync } from "fastify";
import type { IdentityService } from "latchkey";
import { toApiRequest } from "latchkey/node";

/** The folders of paths that the service answers; a host's own, more exact routes below them win. */
const wildcards = ["/api/*", "/oauth2/*", "/.well-known/*"];

/**
 * The service as a Fastify plugin: `app.register(identityPlugin(identity))`, or below a path with
 * `app.register(identityPlugin(identity), { prefix: "/identity" })`. It is encapsulated: the host's body parsers and hooks stay
 * as they are. What is not the service's is answered by the host's not-found handler.
 */
export function identityPlugin(identity: Pick<IdentityService, "handle">): FastifyPluginAsync {
  return async (app) => {
    // The service reads the body itself, so every content type is left unread.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const mountLength = app.prefix.length;
    for (const url of wildcards)
      app.all(url, async (request, reply) => {
        const target = request.raw.url ?? "/";
        const response = await identity.handle(toApiRequest(request.raw, target.slice(mountLength)));
        if (response === undefined) return reply.callNotFound();
        return reply.code(response.status).headers(response.headers).send(response.body);
      });
  };
}
