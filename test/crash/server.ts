/** The server that the crash test kills: the built package on SQLite, which delivers events as it takes writes. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";

const { CRASH_FILE: filename = "", CRASH_KEY: apiKey, CRASH_PORT: port } = process.env;

const identity = await createIdentityService({
  storage: sqliteStorage({ filename }),
  secret: "the secret of the crash test, of thirty-two characters",
  apiKey,
  allowPrivateNetwork: true,
  delivery: { retryDelaysMilliseconds: Array(100).fill(200) },
});
await identity.start();
createServer(nodeHandler(identity)).listen(Number(port), "127.0.0.1", () => console.log("ready"));
