import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The statuses of each step that the README's app offers, and the email that its protected route reads from the token. */
export interface ReadmeExampleResult {
  readonly signUp: number;
  readonly signUpAgain: number;
  /** The status, and the members of the answer. */
  readonly wrongPassword: readonly unknown[];
  readonly login: number;
  readonly withoutToken: number;
  /** The statuses of a sign-up and a login without a body. */
  readonly withoutBody: readonly number[];
  readonly email: unknown;
}

/**
 * Runs the README's app where its packages resolve: sign up, log in, call the protected route.
 * @throws Error with what the process wrote to standard error when it ends early.
 */
export async function tryReadmeExample(directory: string, file: string): Promise<ReadmeExampleResult> {
  const port = await freePort();
  const { LATCHKEY_SECRET: _own, ...others } = process.env;
  const env = { ...others, PORT: String(port) };
  // Other apps of the directory have a database with another secret.
  const cwd = mkdtempSync(join(directory, "readme-"));
  execFileSync("sh", ["-c", commandWith("> .env")], { cwd });
  const app = join(directory, file);
  const child = spawn(process.execPath, ["--env-file=.env", app], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr?.on("data", (text) => {
    complaints += String(text);
  });
  try {
    await untilAnswered(child, () => fetch(`http://127.0.0.1:${port}/me`));
    return await useAll(`http://127.0.0.1:${port}`);
  } catch (error) {
    throw new Error(`${file}: ${String(error)} ${complaints}`, { cause: error });
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}

/** The command of the README that has a text. */
function commandWith(text: string): string {
  const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  const command = readme.split("\n").find((line) => line.includes(text));
  if (command === undefined) throw new Error(`The README has no command with ${text}.`);
  return command;
}

/** The status that the README's `curl` for a path prints. */
function callAsShown(origin: string, path: string): number {
  const command = commandWith(`127.0.0.1:3000${path} `).replace("http://127.0.0.1:3000", origin);
  return Number(execFileSync("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`], { encoding: "utf8" }));
}

async function useAll(origin: string): Promise<ReadmeExampleResult> {
  const user = { email: "grace@example.com", password: "correct horse battery" };
  const signUp = callAsShown(origin, "/sign-up");
  const { status: signUpAgain } = await post(`${origin}/sign-up`, user);
  const refused = await post(`${origin}/login`, { ...user, password: "a wrong password" });
  const wrongPassword = [refused.status, Object.keys(JSON.parse(await refused.text()))];
  const login = callAsShown(origin, "/login");
  const { token } = JSON.parse(await (await post(`${origin}/login`, user)).text());
  const { status: withoutToken } = await fetch(`${origin}/me`);
  const me = await fetch(`${origin}/me`, { headers: { authorization: `Bearer ${token}` } });
  const { email } = JSON.parse(await me.text());
  const bare = await Promise.all(["sign-up", "login"].map((path) => fetch(`${origin}/${path}`, { method: "POST" })));
  const withoutBody = bare.map(({ status }) => status);
  return { signUp, signUpAgain, wrongPassword, login, withoutToken, withoutBody, email };
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function untilAnswered(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (child.exitCode !== null || tries > 300) throw error;
      await setTimeout(100);
    }
  }
}
