// What the server of `npm start` says when it cannot start: one line on standard error, and the exit code 1.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await createStage();
  directory = await mkdtemp(join(tmpdir(), "latchkey-start-"));
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const secret = "the first secret of this test, long enough";

// The harness tells of an end before the server listened by its code and what it wrote to standard error.
async function expectRefusal(env: Readonly<Record<string, string>>, line: RegExp): Promise<void> {
  const error = await startServer(stage.directory, env).then(
    async (server) => {
      await server[Symbol.asyncDispose]();
      return new Error("It started.");
    },
    (refused: Error) => refused,
  );
  const [, said = error.message] = /^The server ended with 1 before it was ready: (.*)\n$/s.exec(error.message) ?? [];
  expect(said).toMatch(/^The server cannot start: [^\n]+$/);
  expect(said).toMatch(line);
  expect(said).not.toContain("pass-word");
}

requirement("server.clear-start", "a port that is in use", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  await expectRefusal(
    { DATABASE_URL: "memory:", PORT: port },
    new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*set PORT`),
  );
  await new Promise((resolve) => other.close(resolve));
});

requirement("server.clear-start", "a wrong database", async () => {
  await expectRefusal({ DATABASE_URL: "host=a password=pass-word" }, /DATABASE_URL must be memory:/);
  await expectRefusal({ DATABASE_URL: `sqlite:${directory}/none/a.db` }, /folder \S+none does not exist\. Create it/);
  await writeFile(join(directory, "text.db"), "no database, but long enough to be read as a head ".repeat(40));
  await expectRefusal({ DATABASE_URL: `sqlite:${directory}/text.db` }, /it is no SQLite database/);
  const refused = "postgres://me:pass-word@127.0.0.1:1/identity";
  await expectRefusal({ DATABASE_URL: refused, LATCHKEY_SECRET: secret }, /ECONNREFUSED .*Start the server/);
});

requirement("server.clear-start", "a wrong secret, or none", async () => {
  const DATABASE_URL = `sqlite:${directory}/identity.db`;
  const server = await startServer(stage.directory, { DATABASE_URL, LATCHKEY_SECRET: secret });
  await server.stop();
  await expectRefusal({ DATABASE_URL, LATCHKEY_SECRET: `not ${secret}` }, /The secret does not open .*Pass the secret/);
  await expectRefusal({ DATABASE_URL: "postgres://me@127.0.0.1:1/a" }, /LATCHKEY_SECRET is missing\. Set it/);
});

requirement(
  ["server.clear-start", "service.weak-key"],
  "a short key where others can reach it, and wrong variables",
  async () => {
    const memory = { DATABASE_URL: "memory:" };
    await expectRefusal({ ...memory, LATCHKEY_API_KEY: "short", HOST: "0.0.0.0" }, /LATCHKEY_API_KEY must have at least 32 char/);
    await expectRefusal({ ...memory, LATCHKEY_NAMES: "{" }, /LATCHKEY_NAMES must be JSON/);
    await expectRefusal({ ...memory, PORT: "x" }, /PORT must be a number/);
    await expectRefusal({ ...memory, HOST: "192.0.2.1", LATCHKEY_SECRET: secret }, /192\.0\.2\.1 is no address .*Correct HOST/);
    await expectRefusal({ ...memory, LATCHKEY_PUBLIC_URL: "example.com" }, /LATCHKEY_PUBLIC_URL must be a URL/);
    await expectRefusal({ ...memory, LATCHKEY_FRAMEWORK: "hapi" }, /LATCHKEY_FRAMEWORK must be fastify/);
    await expectRefusal({ ...memory, LATCHKEY_PREVIOUS_SECRETS: "{}" }, /LATCHKEY_PREVIOUS_SECRETS must be a JSON list/);
  },
);
