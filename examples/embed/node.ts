/** The service in a bare server of Node. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler, stopOnSignals } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: process.env.LATCHKEY_SECRET,
  apiKey: process.env.LATCHKEY_API_KEY,
});

const handle = nodeHandler(identity); // with { basePath: "/identity" } below a path
const server = createServer((request, response) =>
  handle(request, response, async () => {
    const { groups } = await identity.groups.list();
    response.setHeader("content-type", "application/json").end(JSON.stringify(groups.map(({ name }) => name)));
  }),
);
stopOnSignals(server, () => identity.close());
server.listen(Number(process.env.PORT ?? 3000));
