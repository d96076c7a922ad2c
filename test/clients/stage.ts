import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/clients");

/** Installs the clients of package.json, out of the way of the project's own packages. */
export function installClients(): void {
  mkdirSync(cache, { recursive: true });
  cpSync(join(import.meta.dirname, "package.json"), join(cache, "package.json"));
  const options = ["--include=dev", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: cache, stdio: "inherit" });
}

/** Loads an installed client. */
// biome-ignore lint/suspicious/noExplicitAny: the clients are not there when types are checked.
export async function load(name: string): Promise<any> {
  try {
    return createRequire(join(cache, "package.json"))(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
    const [scope = "", plain = "", ...below] = name.startsWith("@") ? name.split("/") : ["", ...name.split("/")];
    const folder = join(cache, "node_modules", scope, plain);
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const entry = exports[below.length === 0 ? "." : `./${below.join("/")}`] ?? { import: `./${below.join("/")}.js` };
    return import(pathToFileURL(join(folder, entry.import ?? entry.default)).href);
  }
}

/** The path of a file of an installed client. */
export function findFile(path: string): string {
  return join(cache, "node_modules", path);
}

/** A tenant of a server with an application, and a user who can log in. */
export interface Stage {
  readonly url: string;
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userId: string;
  readonly call: (method: string, path: string, body?: object) => Promise<Record<string, never>>;
  readonly stop: () => void;
}

export const user = { email: "ada@example.com", password: "correct horse battery", firstName: "Ada", lastName: "Lovelace" };

/** The page of the relying party that a login leads back to: nobody listens there, and nobody has to. */
export const callback = "http://localhost:4100/callback";

/**
 * Runs `npm start` as it is, on a new SQLite database, and makes what a login needs over HTTP. `fastify /auth`: behind a proxy that shows the
 * server below a path.
 */
export async function startStage(name: string): Promise<Stage> {
  const [framework, path = ""] = name.split(" ");
  const folder = mkdtempSync(join(tmpdir(), "latchkey-clients-"));
  const proxy = path === "" ? undefined : await startProxy(path);
  const env = {
    ...process.env,
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, "latchkey.db")}`,
    LATCHKEY_FRAMEWORK: framework,
    ...(proxy && { LATCHKEY_PUBLIC_URL: proxy.url, LATCHKEY_TRUSTED_PROXIES: "127.0.0.1" }),
  };
  const server = spawn(process.execPath, ["examples/server.ts"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const started = await readStart(server);
  const { key } = started;
  proxy?.lead(started.url);
  const url = proxy?.url ?? started.url;
  const call: Stage["call"] = async (method, path, body) => {
    const headers = { authorization: key, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text || "{}");
  };
  const stop = (): void => {
    server.kill("SIGKILL");
    proxy?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, call, stop, ...(await makeRecords(url, call)) };
}

interface Proxy {
  readonly url: string;
  /** Leads its requests to a server. */
  readonly lead: (url: string) => void;
  readonly stop: () => void;
}

/** A reverse proxy that takes a path away, as one in front of several services does. */
async function startProxy(path: string): Promise<Proxy> {
  let target = "";
  const server = createServer(({ headers, method, url = "" }, response) => {
    const to = new URL(url.slice(path.length) || "/", target);
    const asked = request(to, { method, headers: { ...headers, "x-forwarded-for": "198.51.100.7" } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    response.req.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const lead = (url: string): void => {
    target = url;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, lead, stop };
}

async function readStart(server: ChildProcess): Promise<{ readonly key: string; readonly url: string }> {
  let key = "";
  if (server.stdout === null) throw new Error("The server has no output.");
  for await (const line of createInterface(server.stdout)) {
    key = /^API key \(shown once\): (\S+)$/.exec(line)?.[1] ?? key;
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) {
      server.stdout.resume();
      return { key, url };
    }
  }
  throw new Error("The server ended before it was ready.");
}

async function makeRecords(url: string, call: Stage["call"]) {
  const { tenants } = (await call("GET", "/api/tenant")) as unknown as { tenants: { id: string }[] };
  const tenantId = tenants[0]?.id ?? "";
  const oauthConfiguration = {
    authorizedRedirectURLs: [callback],
    authorizedOriginURLs: [new URL(callback).origin],
    enabledGrants: ["authorization_code", "refresh_token"],
    generateRefreshTokens: true,
  };
  const made = await call("POST", "/api/application", { application: { name: "Shop", oauthConfiguration } });
  const application = made.application as { id: string; oauthConfiguration: { clientSecret: string } };
  const created = await call("POST", "/api/user", { user });
  const { id: userId } = created.user as { id: string };
  await call("POST", `/api/user/registration/${userId}`, { registration: { applicationId: application.id } });
  const { clientSecret } = application.oauthConfiguration;
  return { tenantId, issuer: `${url}/${tenantId}`, clientId: application.id, clientSecret, userId };
}
