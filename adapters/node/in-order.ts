import type { ServerResponse } from "node:http";
import type { IdentityService } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";

/** What adapters serve: a service, or a part of one, such as the console. */
export type RequestHandler = Pick<IdentityService, "handle" | "paths">;

/**
 * Lets the service answer a request once those before it on its connection were answered, and notifies it when the answer is sent. Where the
 * connection closes before, the promise stays open, and goes with the request.
 */
export function handleInOrder(
  identity: Pick<IdentityService, "handle">,
  request: ApiRequest,
  res: ServerResponse,
): Promise<ApiResponse | undefined> {
  const followed: ApiRequest = { ...request, whenSent: (callback) => whenSent(res, callback) };
  // Node reads ahead on a connection: a response that must wait for another one has no socket yet.
  const isWaiting = res.socket === null && !res.destroyed;
  const answered = isWaiting ? inTurn(res).then(() => identity.handle(followed)) : identity.handle(followed);
  return res.req.httpVersionMajor < 2 ? answered : answered.then(withoutConnection);
}

// HTTP/2 has no such header.
function withoutConnection(response: ApiResponse | undefined): ApiResponse | undefined {
  if (response?.headers.connection === undefined) return response;
  const { connection: _connection, ...headers } = response.headers;
  return { ...response, headers };
}

function whenSent(res: ServerResponse, callback: () => void): void {
  if (res.destroyed || res.closed) callback();
  else res.once("close", callback);
}

function inTurn(res: ServerResponse): Promise<void> {
  const { socket } = res.req;
  // Stop reading meanwhile: very many small requests would be buffered otherwise.
  socket.pause();
  return new Promise((resolve) => {
    res.once("socket", () => {
      socket.resume();
      resolve();
    });
  });
}
