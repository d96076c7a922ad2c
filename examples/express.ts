/** The service inside an Express app, below a path, beside the app's own routes and body parser. */
import express, { type Express } from "express";
import { createIdentityService, type IdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import { memoryStorage } from "latchkey/memory";

/** The app, and the service for calls in process. `apiKey` is what callers over HTTP present. */
export async function createApp(apiKey: string): Promise<{ readonly app: Express; readonly identity: IdentityService }> {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey });

  const app = express();
  // A body parser may run before the service, or not: both work.
  app.use(express.json());
  app.use("/identity", identityRouter(identity)); // /identity/api/group, /identity/api/user, …

  // The app's own routes call the service in process: the same rules, no HTTP in between.
  app.post("/teams", async (request, response) => {
    const { group } = await identity.groups.create({ group: { name: request.body?.team } });
    response.status(201).json({ team: group.name, id: group.id });
  });
  return { app, identity };
}

if (import.meta.main) {
  const { app } = await createApp("a-key-for-trying-this-0123456789ab");
  app.listen(3000, () => {
    console.log("curl -H 'Authorization: a-key-for-trying-this-0123456789ab' http://localhost:3000/identity/api/group");
  });
}
