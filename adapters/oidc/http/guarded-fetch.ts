import type { ProtocolHost } from "latchkey/ports";

const timeoutMs = 2_500;

/** Returns `fetch` for calls to clients, such as logout tokens, with the HTTP client and the guard of webhooks. */
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
