import { createIdentityService, type IdentityService } from "latchkey";
import { type AdminConsole, adminConsole, type ConsoleOptions } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { testCost } from "../../support/world.js";

/** What a test says of a request. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Default: the one that the client holds. */
  readonly cookie?: string;
}

/** A browser, as far as the server sees it: it keeps the cookie of the console. */
export interface ConsoleClient {
  readonly identity: IdentityService;
  readonly console: AdminConsole;
  cookie: string;
  send(method: string, path: string, sent?: Sent): Promise<ApiResponse>;
}

/** Options of {@link createConsoleClient}. */
export interface ClientOptions extends ConsoleOptions {
  readonly basePath?: string;
  readonly clock?: () => number;
}

/** The password of every administrator of these tests. */
export const password = "correct horse battery";

/** A service with a console, and nobody signed in. */
export async function createConsoleClient(options: ClientOptions = {}, service?: IdentityService): Promise<ConsoleClient> {
  const { basePath = "/admin", clock, ...given } = options;
  const identity =
    service ??
    (await createIdentityService({
      storage: memoryStorage(),
      secret: "a secret of a test, long enough to be one",
      apiKey: "a-key-of-the-test-0123456789abcdef",
      delivery: false,
      passwordHashing: testCost,
      auditChanges: true,
      throttle: { login: { maxDelayMs: 0 } },
      ...(clock && { clock }),
    }));
  return toClient(identity, adminConsole(identity, given), basePath);
}

/** Another browser on the same console. */
export function toClient(identity: IdentityService, served: AdminConsole, basePath: string): ConsoleClient {
  const client: ConsoleClient = {
    identity,
    console: served,
    cookie: "",
    async send(method, path, sent = {}) {
      const response = await served.handle(toRequest(client, basePath, method, path, sent));
      if (response === undefined) throw new Error("The console answers everything.");
      const set = [response.headers["set-cookie"] ?? []].flat()[0];
      if (set !== undefined) client.cookie = set.slice(0, set.indexOf(";"));
      return response;
    },
  };
  return client;
}

function toRequest(client: ConsoleClient, basePath: string, method: string, url: string, sent: Sent): ApiRequest {
  const [path = "/", query = ""] = url.split("?");
  const text = sent.body === undefined ? undefined : typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body);
  return {
    method,
    path,
    query,
    basePath,
    remoteAddress: "127.0.0.1",
    headers: {
      host: "app.example.com",
      cookie: sent.cookie ?? client.cookie,
      "x-console": "1",
      "sec-fetch-site": "same-origin",
      ...(text !== undefined && { "content-type": "application/json", "content-length": String(text.length) }),
      ...sent.headers,
    },
    body: text === undefined ? undefined : { kind: "text", text },
  };
}

/** Opens the set-up link as the first administrator. */
export async function setUpFirst(client: ConsoleClient): Promise<ApiResponse> {
  const setUp = await client.console.issueSetUp();
  return client.send("POST", "/session/set-up", { body: { token: setUp?.token, email: "ann@example.com", password } });
}
