/** The service as Koa middleware, below a path; errors of the in-process API become answers of the app. */
import Koa from "koa";
import { createIdentityService, IdentityError } from "latchkey";
import { identityMiddleware } from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";

/** The app. `apiKey` is what callers over HTTP present. */
export async function createApp(apiKey: string): Promise<Koa> {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey });

  const app = new Koa();
  app.use(identityMiddleware(identity, { basePath: "/identity" })); // /identity/api/group, /identity/api/user, …

  // POST /teams/Editors makes a group in process. A refusal carries its status and says which field it is about.
  app.use(async (context, next) => {
    const team = /^\/teams\/([^/]+)$/.exec(context.path)?.[1];
    if (team === undefined || context.method !== "POST") return next();
    try {
      const { group } = await identity.groups.create({ group: { name: decodeURIComponent(team) } });
      context.status = 201;
      context.body = { team: group.name, id: group.id };
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      context.status = error.status;
      context.body = { refused: error.code };
    }
  });
  return app;
}

if (import.meta.main) {
  const app = await createApp("a-key-for-trying-this-0123456789ab");
  app.listen(3000, () => {
    console.log("curl -H 'Authorization: a-key-for-trying-this-0123456789ab' http://localhost:3000/identity/api/group");
  });
}
