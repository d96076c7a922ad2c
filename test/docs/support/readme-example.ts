import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
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
  const env = { ...process.env, PORT: String(port), LATCHKEY_SECRET: "x".repeat(32) };
  const child = spawn(process.execPath, [file], { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] });
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

async function useAll(origin: string): Promise<ReadmeExampleResult> {
  const user = { email: "grace@example.com", password: "correct horse battery" };
  const { status: signUp } = await post(`${origin}/sign-up`, user);
  const { status: signUpAgain } = await post(`${origin}/sign-up`, user);
  const refused = await post(`${origin}/login`, { ...user, password: "a wrong password" });
  const wrongPassword = [refused.status, Object.keys(JSON.parse(await refused.text()))];
  const answer = await post(`${origin}/login`, user);
  const { token } = JSON.parse(await answer.text());
  const { status: withoutToken } = await fetch(`${origin}/me`);
  const me = await fetch(`${origin}/me`, { headers: { authorization: `Bearer ${token}` } });
  const { email } = JSON.parse(await me.text());
  const bare = await Promise.all(["sign-up", "login"].map((path) => fetch(`${origin}/${path}`, { method: "POST" })));
  const withoutBody = bare.map(({ status }) => status);
  return { signUp, signUpAgain, wrongPassword, login: answer.status, withoutToken, withoutBody, email };
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
