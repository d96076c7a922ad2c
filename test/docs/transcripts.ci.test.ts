// What a page shows as a transcript works as printed: each of its commands is run, and must answer what stands below it.
import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../blackbox/support/server.js";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { blocksOf, pages } from "./support/pages.js";
import { exchangesOf, toPattern } from "./support/transcript.js";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const transcripts = pages
  .map((page) => [page, exchangesOf(blocksOf(page))] as const)
  .filter(([, exchanges]) => exchanges.length > 0);

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

describe.runIf(hasCurl)("a transcript", () => {
  test.each(transcripts)("of %s answers as printed", { timeout: 60_000 }, async (_page, exchanges) => {
    await using server = await startServer(stage.directory, { DATABASE_URL: "memory:", LATCHKEY_API_KEY: "try-latchkey" });
    for (const { command, answer } of exchanges) {
      const here = command.replaceAll("http://127.0.0.1:9011", `http://127.0.0.1:${server.port}`);
      const printed = execFileSync("sh", ["-c", here], { encoding: "utf8" });
      expect(printed.trim().replaceAll("\r", ""), command).toMatch(toPattern(answer));
    }
  });
});

requirement("docs.transcripts", "there are transcripts, and what they print is compared", () => {
  expect(transcripts.map(([page]) => page)).toContain("docs/try-it.md");
  expect('{"id":"01a203fd-bb37-7b96-8791-6149292d96e2","insertInstant":5,"name":"x"}').toMatch(
    toPattern('{"id":"019aa5c1-2a50-7d0e-9c6e-2b1f6a2b7c11","insertInstant":17,"name":"…"}'),
  );
  expect('{"name":"x"}').not.toMatch(toPattern('{"name":"y"}'));
  expect('{"name":"x"}\nmore').not.toMatch(toPattern('{"name":"x"}'));
});
