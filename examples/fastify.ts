/** The service as a Fastify plugin, below a prefix, beside the app's own routes. */
import fastify, { type FastifyInstance } from "fastify";
import { createIdentityService } from "latchkey";
import { identityPlugin } from "latchkey/fastify";
import { memoryStorage } from "latchkey/memory";

/** The app. `apiKey` is what callers over HTTP present. */
export async function createApp(apiKey: string): Promise<FastifyInstance> {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey });

  const app = fastify();
  // The plugin is encapsulated: the parsers of the app's own routes stay as they are.
  app.register(identityPlugin(identity), { prefix: "/identity" }); // /identity/api/group, /identity/api/user, …

  app.post<{ Body: { readonly team: string } | undefined }>("/teams", async (request, reply) => {
    const { group } = await identity.groups.create({ group: { name: request.body?.team ?? "" } });
    return reply.code(201).send({ team: group.name, id: group.id });
  });
  // Closing the app closes the service, which closes the storage.
  app.addHook("onClose", () => identity.close());
  return app;
}

if (import.meta.main) {
  const app = await createApp("a-key-for-trying-this-0123456789ab");
  const address = await app.listen({ port: 3000 });
  console.log(`curl -H 'Authorization: a-key-for-trying-this-0123456789ab' ${address}/identity/api/group`);
}
