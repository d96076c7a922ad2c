// How a process ends whose shutdown does not: by a limit, one line on standard error, and the exit code 1.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { RawConnection } from "../transport/support/raw-connection.js";
import { createStage, type Stage } from "./support/stage.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

/** Runs a server with a shutdown of its own, sends it a request that never ends where `isStuck`, and stops it. */
async function runAndStop(close: string, isStuck = false): Promise<readonly [code: number, said: string]> {
  const program = `
    import { createServer } from "node:http";
    import { stopOnSignals } from "latchkey/node";
    const server = createServer(() => console.log("requested"));
    stopOnSignals(server, async () => { ${close} }, { timeoutMs: 100 });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { cwd: stage.directory });
  const ended = Promise.all([once(child, "close"), text(child.stderr)]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await using connection = await RawConnection.open(Number((await lines.next()).value));
  if (isStuck) {
    connection.writeHead("GET / HTTP/1.1");
    await lines.next();
  }
  child.kill("SIGTERM");
  child.kill("SIGINT");
  const [[code], said] = await ended;
  return [code, said];
}

requirement("server.shutdown", "ends with 1 where the database does not close in time", async () => {
  const line = "The shutdown took more than 0.1 s: the process ends without it.\n";
  expect(await runAndStop("await new Promise(() => setInterval(() => 0, 1000));")).toEqual([1, line]);
});

requirement("server.shutdown", "ends with 1 where closing fails", async () => {
  expect(await runAndStop('throw new Error("no disk");')).toEqual([1, "The shutdown failed: no disk\n"]);
});

requirement("server.shutdown", "counts the requests that it cuts off, and closes", async () => {
  const [code, said] = await runAndStop('console.error("closed");', true);
  expect([code, said]).toEqual([0, "The shutdown cut off requests that took more than 0.025 s: 1.\nclosed\n"]);
});
