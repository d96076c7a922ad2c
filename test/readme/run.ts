/**
 * Runs the commands of README.md and docs/try-it.md for a clone, in this one: `npm run readme`. `.ci/run` does so in a fresh clone, after
 * `npm ci && npm test`. The commands for an installed package run on the packed tarball: test/package/readme.ts.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { blocksOf } from "../docs/support/pages.ts";
import { exchangesOf, toPattern } from "../docs/support/transcript.ts";

const root = join(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "latchkey-readme-"));
const env = toOutsideEnvironment(process.env);

// A newcomer has neither this repository's Node nor what npm tells its scripts.
function toOutsideEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !/^npm_(?!config_)/.test(name));
  const path = (given.PATH ?? "").split(delimiter).filter((entry) => !entry.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
}

function shell(command: string, extra: NodeJS.ProcessEnv = {}): string {
  return execFileSync("sh", ["-c", command], { cwd: root, env: { ...env, ...extra }, encoding: "utf8" });
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return String(typeof address === "object" ? address?.port : 0);
}

/** The commands of a page: the lines of its `sh` blocks without comments, and what stands in its prose as `npm run …`. */
function commandsOf(page: string): readonly string[] {
  const blocks = blocksOf("", page).filter(({ language }) => language === "sh");
  const lines = blocks.flatMap(({ text }) => text.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim()));
  const inProse = [...page.matchAll(/`(npm run [^`]+)`/g)].map(([, command = ""]) => command);
  return [...new Set([...lines, ...inProse])].filter((line) => line !== "");
}

/** Starts the service as a command does, hands its origin to `use`, and ends it with all of its processes. */
async function withServer(command: string, use: (origin: string) => void): Promise<void> {
  const child = spawn("sh", ["-c", command], {
    cwd: root,
    env: { ...env, DATABASE_URL: `sqlite:${join(directory, "latchkey.db")}`, PORT: await freePort() },
    detached: true,
  });
  try {
    use(await readOrigin(child));
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  }
}

function readOrigin(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const read = (text: unknown): void => {
      printed += String(text);
      const origin = /^ready (http:\S+)$/m.exec(printed)?.[1];
      if (origin !== undefined) resolve(origin);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", () => reject(new Error(`It ended before it was ready:\n${printed}`)));
  });
}

async function runCommand(command: string, exchanges: ReturnType<typeof exchangesOf>): Promise<string> {
  // The app of the README runs in a project of its own.
  if (/^npm install latchkey |\.env\b|127\.0\.0\.1:3000/.test(command)) return "test/package/readme.ts";
  if (command.startsWith("npx latchkey ")) return "test/cli/new-app.ci.test.ts";
  const own = command.replace(/^npm ci && /, "");
  if (own === "npm test") return "the caller";
  if (!own.endsWith("npm start")) {
    shell(own, { PORT: await freePort(), RECEIVER_PORT: await freePort() });
    return "done";
  }
  await withServer(own, (origin) => {
    const isOfTranscripts = own.includes("LATCHKEY_API_KEY=");
    for (const { command: asked, answer } of isOfTranscripts ? exchanges : []) {
      const printed = shell(asked.replaceAll("http://127.0.0.1:9011", origin));
      assert.match(printed.trim().replaceAll("\r", ""), toPattern(answer), asked);
    }
  });
  return "done";
}

try {
  const pages = ["README.md", "docs/try-it.md"].map((page) => readFileSync(join(root, page), "utf8")).join("\n\n");
  const exchanges = exchangesOf(blocksOf("docs/try-it.md", pages));
  assert.ok(exchanges.length > 3, "docs/try-it.md has transcripts.");
  for (const command of commandsOf(pages)) console.log(`${await runCommand(command, exchanges)}: ${command}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
