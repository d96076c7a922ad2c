import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { postgresStorage } from "latchkey/postgres";
import { nodeVmRunner } from "latchkey/runners";
import type { ServerCommand, ServerSettings } from "./server-processes.js";

// One of several servers on one database. Its parent says where, and gets the port; later it has it run lambdas and sets its clock on.

let aheadMs = 0;

async function serve({ apiKey, schema, url }: ServerSettings): Promise<number> {
  const identity = await createIdentityService({
    storage: postgresStorage({ connectionString: url, schema, maxConnections: 4 }),
    secret: "the secret of several servers, of thirty-two characters",
    apiKey,
    clock: () => Date.now() + aheadMs,
    allowPrivateNetwork: true,
    lambdas: { runner: nodeVmRunner() },
  });
  await identity.start();
  const handle = nodeHandler(identity);
  const server = createServer((request, response) => void handle(request, response));
  process.on("message", (command: ServerCommand) => {
    if ("advanceMs" in command) aheadMs += command.advanceMs;
    else void identity.lambdas.run(command.lambdaId, { jwt: {}, user: {}, registration: {} }).then(tell);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
}

function tell(answer: unknown): void {
  process.send?.(answer);
}

process.once("message", (settings: ServerSettings) => {
  serve(settings).then(
    (port) => tell({ port }),
    (error: unknown) => tell({ failure: String(error) }),
  );
});
