/** The service in a catch-all route of Next, `app/[...path]/route.ts`. */
import { createIdentityService } from "latchkey";
import { fetchHandler } from "latchkey/fetch";
import { sqliteStorage } from "latchkey/sqlite";

type Answer = ReturnType<typeof fetchHandler>;

async function start(): Promise<Answer> {
  const identity = await createIdentityService({
    storage: sqliteStorage({ filename: "latchkey.db" }),
    secret: process.env.LATCHKEY_SECRET,
    // Next does not say who calls. Run it behind a proxy that sets X-Forwarded-For.
    trustedProxies: 1,
  });
  return fetchHandler(identity);
}

// With the first request: Next loads the modules of routes while it builds, too.
let started: Promise<Answer> | undefined;

async function handle(request: Request): Promise<Response> {
  started ??= start();
  const answer = await started;
  return (await answer(request)) ?? new Response(null, { status: 404 });
}

export const dynamic = "force-dynamic";
export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
