// The README's transcript works as printed: each of its commands is run, and must answer what stands below it.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../blackbox/support/server.js";
import { createStage, type Stage } from "../blackbox/support/stage.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.runIf(hasCurl)("the commands of the README answer as printed", async () => {
  const exchanges = readExchanges();
  expect(exchanges.length).toBeGreaterThanOrEqual(6);
  await using server = await startServer(stage.directory, { DATABASE_URL: "memory:", LATCHKEY_API_KEY: "try-latchkey" });
  for (const { command, answer } of exchanges) {
    const here = command.replaceAll("http://127.0.0.1:9011", `http://127.0.0.1:${server.port}`);
    expect(normalise(execFileSync("sh", ["-c", here], { encoding: "utf8" }))).toBe(normalise(answer));
  }
});

interface Exchange {
  readonly command: string;
  readonly answer: string;
}

function readExchanges(): readonly Exchange[] {
  const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((part) => part !== "")
      .map((part) => ({ command: part.slice(0, part.indexOf("\n")), answer: part.slice(part.indexOf("\n") + 1).trim() })),
  );
}

// Instants and the tenant's id differ from run to run.
function normalise(answer: string): string {
  return answer
    .trim()
    .replace(/Instant":\d+/g, 'Instant":0')
    .replace(/"tenantId":"[^"]+"/g, '"tenantId":""');
}
