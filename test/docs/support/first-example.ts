import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

const apiKey = "the-key-of-the-first-example-0123456789";
const applicationId = "10000000-0000-4000-8000-000000000001";
const groupId = "10000000-0000-4000-8000-000000000002";
const body = "function populate(jwt, user) { jwt.department = user.data.department; }";

/** What the app of docs/try-it.md did. */
export interface FirstExampleResult {
  /** The types of the events that a webhook received, in alphabetical order. */
  readonly received: readonly string[];
  /** The claim that a lambda added to an access token. */
  readonly department: unknown;
  /** The metadata of a group after a PATCH. */
  readonly patched: unknown;
  /** The name of the group that was created in one transaction with a row of the app. */
  readonly project: unknown;
  /** What the app's own route answers. */
  readonly teams: unknown;
}

/** What is read of answers. */
interface Answer {
  readonly group?: { readonly data: unknown };
  readonly lambda?: { readonly id: string };
  readonly name?: unknown;
  readonly token?: string;
}

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

/**
 * Runs the app of docs/try-it.md where its packages resolve, and uses all that the page says of it.
 * @throws Error with what the process wrote to standard error when it ends early.
 */
export async function tryFirstExample(directory: string, file: string): Promise<FirstExampleResult> {
  const received: string[] = [];
  const receiver = await startReceiver(received);
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), LATCHKEY_SECRET: "x".repeat(32), LATCHKEY_API_KEY: apiKey };
  const child = spawn(process.execPath, [file], { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr?.on("data", (text) => {
    complaints += String(text);
  });
  try {
    const call = callsOf(`http://127.0.0.1:${port}`);
    await untilAnswered(child, () => call("GET", "/teams"));
    return await useAll(call, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, received);
  } catch (error) {
    throw new Error(`${file}: ${String(error)} ${complaints}`, { cause: error });
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
    receiver.close();
  }
}

async function useAll(call: Call, url: string, received: readonly string[]): Promise<FirstExampleResult> {
  const eventsEnabled = { "group.create": true, "group.update": true, "user.create": true };
  const webhook = { url, global: true, eventsEnabled, connectTimeout: 1_000, readTimeout: 2_000 };
  await call("POST", "/api/webhook", { webhook });
  await call("POST", `/api/group/${groupId}`, { group: { name: "Editors", data: { tags: ["a"] } } });
  const { group } = await call("PATCH", `/api/group/${groupId}`, { group: { data: { tags: ["b"] } } });
  const department = await enrichToken(call);
  const { name: project } = await call("POST", "/projects/Atlas");
  const teams: unknown = await call("GET", "/teams");
  for (let tries = 0; received.length < 4 && tries < 300; tries += 1) await setTimeout(100);
  return { received: received.toSorted(), department, patched: group?.data, project, teams };
}

async function enrichToken(call: Call): Promise<unknown> {
  const { lambda } = await call("POST", "/api/lambda", { lambda: { name: "Department", type: "JWTPopulate", body } });
  const lambdaConfiguration = { accessTokenPopulateId: lambda?.id };
  await call("POST", `/api/application/${applicationId}`, { application: { name: "Shop", lambdaConfiguration } });
  const user = { email: "ada@example.com", password: "correct horse battery", data: { department: "Engines" } };
  await call("POST", "/api/user/registration", { user, registration: { applicationId } });
  const login = { loginId: user.email, password: user.password, applicationId };
  const { token } = await call("POST", "/api/login", login);
  return JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()).department;
}

function callsOf(origin: string): Call {
  return async (method, path, given) => {
    const headers = { authorization: apiKey, "content-type": "application/json" };
    const init = { method, headers, ...(given !== undefined && { body: JSON.stringify(given) }) };
    const response = await fetch(origin + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
}

async function startReceiver(received: string[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).event.type);
    response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
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
