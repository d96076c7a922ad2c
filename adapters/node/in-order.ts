import type { ServerResponse } from "node:http";
import type { IdentityService } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";

/** The service, or a part of it such as the console. */
export type RequestHandler = Pick<IdentityService, "handle" | "paths">;

/**
 * Lets the service answer a request after the earlier requests of its connection, and notifies it when the response is sent. If
 * the connection closes first, the promise never settles and is collected with the request.
 */
export function handleInOrder(
  identity: Pick<IdentityService, "handle">,
  request: ApiRequest,
  res: ServerResponse,
): Promise<ApiResponse | undefined> {
  const followed: ApiRequest = { ...request, whenSent: (callback) => whenSent(res, callback) };
  // Node reads ahead on a connection: a response behind another one has no socket yet.
  const isWaiting = res.socket === null && !res.destroyed;
  const answered = isWaiting ? inTurn(res).then(() => identity.handle(followed)) : identity.handle(followed);
  return res.req.httpVersionMajor < 2 ? answered : answered.then(withoutConnection);
}

// HTTP/2 has no `connection` header.
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
  // Stop reading meanwhile: Node would buffer any number of small requests.
  socket.pause();
  return new Promise((resolve) => {
    res.once("socket", () => {
      socket.resume();
      resolve();
    });
  });
}
