// The README's tour, as it is printed there, run as whoever tries the service out runs it.
import { execFile, spawnSync } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

test.runIf(hasCurl)("examples/one-minute.sh shows a group, its signed events and a lambda", { timeout: 120_000 }, async () => {
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    PORT: await freePort(),
    RECEIVER_PORT: await freePort(),
  };
  const { stdout } = await promisify(execFile)("sh", ["examples/one-minute.sh"], { cwd: stage.directory, env });
  const group = "10000000-0000-4000-8000-000000000002";
  const told = stdout.split("\n").filter((line) => line.startsWith("group."));
  expect(told.toSorted()).toEqual([`group.create ${group}`, ...Array(3).fill(`group.update ${group}`)]);
  expect(stdout).toContain('"name":"Authors"');
  expect(stdout).toContain("Hello Ada");
});
