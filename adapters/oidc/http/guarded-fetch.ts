import type { ProtocolHost } from "latchkey/ports";

/** How long a call of the provider may take, in milliseconds. */
const timeoutMs = 2_500;

/** Returns the `fetch` of the provider's calls to clients, such as logout tokens: by the client that webhooks use, with its guard. */
export function guardedFetch(http: ProtocolHost["http"]) {
  return async (url: string | URL | Request, options: RequestInit = {}): Promise<Response> => {
    const { body, headers, method = "GET" } = options;
    const outcome = await http.send({
      url: String(url),
      method: method as "POST",
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? "" : String(body),
      connectTimeoutMs: timeoutMs,
      timeoutMs,
    });
    if (outcome.kind === "failed") throw new Error(`The call failed: ${outcome.reason}.`);
    const hasBody = outcome.status !== 204 && outcome.status !== 304;
    return new Response(hasBody ? outcome.body : null, { status: outcome.status, headers: outcome.headers });
  };
}
