import type { IdentityService, InjectedRequest } from "latchkey";
import type { ApiKeyFields } from "latchkey/types";

/** The permissions of a caller. */
export interface CallerOptions {
  /** The tenant of its key. Default: none, a global key. */
  readonly tenantId?: string | undefined;
  /** The allowed methods, by path: `{ "/api/group": ["GET"] }`. Default: everything. */
  readonly endpoints?: ApiKeyFields["permissions"]["endpoints"] | undefined;
  /** Whether the key is a key manager. Default false. */
  readonly keyManager?: boolean | undefined;
}

/** The response to a caller. */
export interface CallerResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The body as text; empty without one. */
  readonly text: string;
  /** The body as JSON; undefined when it is empty. */
  readonly body: unknown;
}

/** Calls the service with an API key as over HTTP, without a socket. */
export interface TestCaller {
  /** The value of the key. */
  readonly apiKey: string;
  /** Sends a request with any method. */
  send(request: InjectedRequest): Promise<CallerResponse>;
  /** Sends a GET. */
  get(url: string): Promise<CallerResponse>;
  /** Sends a POST with a JSON body. */
  post(url: string, body?: unknown): Promise<CallerResponse>;
  /** Sends a PUT with a JSON body. */
  put(url: string, body?: unknown): Promise<CallerResponse>;
  /** Sends a PATCH with a JSON body. */
  patch(url: string, body: unknown): Promise<CallerResponse>;
  /** Sends a DELETE. */
  delete(url: string, body?: unknown): Promise<CallerResponse>;
}

/** Creates an API key and its caller. */
export async function createCaller(identity: IdentityService, options: CallerOptions): Promise<TestCaller> {
  const { endpoints, ...fields } = options;
  const permissions = endpoints === undefined ? {} : { permissions: { endpoints } };
  const { apiKey } = await identity.apiKeys.create({ apiKey: { ...fields, ...permissions, retrievable: true } });
  return toCaller(identity, apiKey.key ?? "");
}

/** Returns a caller for an existing API key. */
export function toCaller(identity: IdentityService, apiKey: string): TestCaller {
  const send = async ({ headers, ...request }: InjectedRequest): Promise<CallerResponse> => {
    const answer = await identity.inject({ ...request, headers: { authorization: apiKey, ...headers } });
    const { body: text, ...rest } = answer;
    return { ...rest, text, body: isJson(answer.headers) && text !== "" ? JSON.parse(text) : undefined };
  };
  return {
    apiKey,
    send,
    get: (url) => send({ url }),
    post: (url, body) => send({ method: "POST", url, body }),
    put: (url, body) => send({ method: "PUT", url, body }),
    patch: (url, body) => send({ method: "PATCH", url, body }),
    delete: (url, body) => send({ method: "DELETE", url, body }),
  };
}

function isJson(headers: CallerResponse["headers"]): boolean {
  return String(headers["content-type"]).startsWith("application/json");
}
