import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../support/properties.js";
import { runScenario } from "./support/scenario.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";
import { Transcript } from "./support/transcript.js";

const apiKey = "the-key-of-the-black-box-0123456789";
let stage: Stage;
let files: string;
let first: readonly string[] | undefined;

beforeAll(async () => {
  stage = await createStage();
  files = await mkdtemp(join(tmpdir(), "latchkey-matrix-"));
}, 60_000);

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(files, { recursive: true });
});

async function run(framework: string, databaseUrl: string): Promise<readonly string[]> {
  const env = { LATCHKEY_FRAMEWORK: framework, DATABASE_URL: databaseUrl, LATCHKEY_API_KEY: apiKey };
  await using server = await startServer(stage.directory, env);
  const transcript = new Transcript(server.port, { authorization: apiKey });
  await runScenario(transcript);
  transcript.close();
  expect(await server.stop()).toBe(0);
  expect(server.complaints()).toBe("");
  return transcript.lines();
}

const frameworks = ["node", "express", "fastify", "koa"];
const matrix = frameworks.flatMap((framework) => ["memory:", "sqlite:"].map((storage) => ({ framework, storage })));
// By default each framework is tried on one of the storages.
const part = matrix.filter(({ storage }, index) => isLong || (storage === "memory:") === index % 4 < 2);

test.each(part)(
  "$framework on $storage answers as all the others do",
  async ({ framework, storage }) => {
    const lines = await run(framework, storage === "sqlite:" ? `sqlite:${join(files, `${framework}.db`)}` : storage);
    first ??= lines;
    expect(lines).toHaveLength(first.length);
    for (const [index, line] of lines.entries()) expect(line).toBe(first[index]);
  },
  60_000,
);
