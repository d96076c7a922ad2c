/**
 * The service of `npm run load`: the built package on a SQLite file, behind `node:http`, with lambdas in guests and deliveries. Asked over
 * its channel, it answers what it weighs after a collection.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { isolatedVmRunner } from "latchkey/runners";
import { sqliteStorage } from "latchkey/sqlite";
import { listen } from "../bench/harness/listen.ts";
import { childrenOf } from "../support/guests.ts";
import type { Weight } from "./judge.ts";

const mebibyte = 1_048_576;
const pageBytes = 4_096;

const { LOAD_FILE: filename = "", LOAD_KEY: apiKey } = process.env;
const identity = await createIdentityService({
  storage: sqliteStorage({ filename }),
  secret: "the secret of the load test, of thirty-two characters",
  apiKey,
  allowPrivateNetwork: true,
  lambdas: { runner: isolatedVmRunner({ processes: 1 }) },
});
await identity.start();
const port = await listen(createServer(nodeHandler(identity)));

process.on("message", () => process.send?.(weigh()));
process.on("disconnect", () => process.exit());
process.send?.({ port });

function weigh(): Weight {
  globalThis.gc?.();
  const resident = (pid: number): number => Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  const children = childrenOf(process.pid).reduce((sum, { pid }) => sum + resident(pid), 0);
  return {
    heap: process.memoryUsage().heapUsed / mebibyte,
    resident: process.memoryUsage().rss / mebibyte,
    guests: children / mebibyte,
  };
}
