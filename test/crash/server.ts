/** The server that the crash test kills: the built package on SQLite or Postgres, which delivers events as it takes writes. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import type { Logger, Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";

const {
  CRASH_FILE: filename = "",
  CRASH_KEY: apiKey,
  CRASH_PORT: port,
  CRASH_REPLICA_URL: readFrom,
  CRASH_SESSION_URL: sessionConnectionString,
} = process.env;
const { CRASH_URL: connectionString } = process.env;
/** Where sessions are kept, the database is behind a pooler in transaction mode. */
const pooling =
  sessionConnectionString === undefined ? undefined : ({ pooling: "transaction", sessionConnectionString } as const);

const storage: Storage =
  connectionString === undefined
    ? sqliteStorage({ filename })
    : postgresStorage({ connectionString, ...pooling, ...(readFrom !== undefined && { readFrom }) });
// A database that crashes is no news here.
const silent = (): void => undefined;
const logger: Logger = { debug: silent, info: silent, warn: silent, error: silent };

const identity = await createIdentityService({
  storage,
  secret: "the secret of the crash test, of thirty-two characters",
  apiKey,
  allowPrivateNetwork: true,
  ...(connectionString !== undefined && { logger }),
  delivery: { retryDelaysMilliseconds: Array(100).fill(200) },
});
await identity.start();
createServer(nodeHandler(identity)).listen(Number(port), "127.0.0.1", () => console.log("ready"));
