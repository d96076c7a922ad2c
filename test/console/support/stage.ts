import { createServer, type Server, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { adminConsole, type ConsoleOptions, type ConsoleRole, consoleApplicationId } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import { testCost } from "../../support/world.js";
import { hosts } from "../../transport/support/hosts.js";

/** What a test may want otherwise. */
export interface StageOptions {
  /** Default `express`. */
  readonly framework?: "express" | "fastify" | "koa" | "node" | "fetch";
  /** Default `/admin`; empty for the root. */
  readonly basePath?: string;
  /** The prefix that a proxy in front takes away. Default: there is no proxy. */
  readonly proxyPrefix?: string;
  readonly console?: ConsoleOptions;
  /** Options of the service; it is in memory, and may call this machine. */
  readonly service?: Partial<IdentityServiceOptions>;
  /** A service that exists already. */
  readonly identity?: IdentityService;
}

/** A service with its console, served on a port of this machine. */
export interface Stage extends AsyncDisposable {
  readonly identity: IdentityService;
  /** The default tenant. */
  readonly tenantId: string;
  /** Where a browser sees the console, without a slash at its end. */
  readonly url: string;
  /** The path of the same. */
  readonly mount: string;
  /** The link for the first administrator. */
  readonly setUpUrl: () => Promise<string>;
  /** Makes a person with a role, and returns the `Cookie` header of a session. */
  readonly signIn: (role?: ConsoleRole) => Promise<string>;
}

/** The password of all administrators. */
export const password = "correct horse battery";

/** Starts a service with its console. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { basePath = "/admin", framework = "express", proxyPrefix } = options;
  const identity =
    options.identity ??
    (await createIdentityService({
      storage: memoryStorage(),
      secret: "a secret of a test, long enough to be one",
      auditChanges: true,
      allowPrivateNetwork: true,
      passwordHashing: testCost,
      ...options.service,
    }));
  const served = adminConsole(identity, options.console);
  const host = hosts.find(({ name }) => name === framework);
  if (host === undefined) throw new Error(`There is no framework ${framework}.`);
  const running = await host.start([{ identity: served, basePath }]);
  const proxy = proxyPrefix === undefined ? undefined : await startProxy(running.port, proxyPrefix);
  const port = proxy === undefined ? running.port : (proxy.address() as AddressInfo).port;
  const mount = `${proxyPrefix ?? ""}${basePath}`;
  const url = `http://127.0.0.1:${port}${mount}`;
  const { tenants } = await identity.tenants.list();
  return {
    identity,
    tenantId: tenants[0]?.id ?? "",
    url,
    mount,
    setUpUrl: async () => `${url}/set-up#${(await served.issueSetUp())?.token}`,
    signIn: (role = "full") => signIn(identity, served, url, role),
    async [Symbol.asyncDispose]() {
      proxy?.closeAllConnections();
      proxy?.close();
      await running[Symbol.asyncDispose]();
      if (options.identity === undefined) await identity.close();
    },
  };
}

async function signIn(
  identity: IdentityService,
  served: { issueSetUp(): Promise<unknown> },
  url: string,
  role: ConsoleRole,
): Promise<string> {
  // The application of the console is made with its first use.
  await served.issueSetUp();
  const email = `${role}@example.com`;
  const known = await identity.users.find({ email }).catch(() => undefined);
  const registration = { applicationId: consoleApplicationId, roles: [role] };
  const user = { email, password, fullName: `${role[0]?.toUpperCase()}${role.slice(1)} Person` };
  if (known === undefined) await identity.registrations.create({ user, registration });
  const headers = { "content-type": "application/json", "x-console": "1" };
  const body = JSON.stringify({ loginId: email, password });
  const response = await fetch(`${url}/session`, { method: "POST", headers, body });
  if (response.status !== 200) throw new Error(`The sign-in of ${email} is ${response.status}: ${await response.text()}`);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** A proxy that takes a prefix away and says so. */
async function startProxy(port: number, prefix: string): Promise<Server> {
  const proxy = createServer((req, res) => {
    const path = req.url?.startsWith(prefix) ? req.url.slice(prefix.length) || "/" : undefined;
    if (path === undefined) {
      res.writeHead(404).end();
      return;
    }
    const headers = { ...req.headers, "x-forwarded-prefix": prefix };
    const inner = sendRequest({ port, host: "127.0.0.1", method: req.method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    inner.on("error", () => res.destroy());
    req.pipe(inner);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return proxy;
}
