import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiRequest, assertKnownOptions, type IdentityService, type RequestBody } from "latchkey";
import { stripBasePath, toBasePath } from "./base-path.js";
import { handleInOrder, type RequestHandler } from "./in-order.js";
import { toReadable, writeApiResponse } from "./write-response.js";

export { handleInOrder, type RequestHandler, stripBasePath, toReadable, writeApiResponse };

/** Options of {@link nodeHandler}. */
export interface NodeHandlerOptions {
  /** The path that the service is mounted at, such as `/identity`. Default: the root. */
  readonly basePath?: string;
}

/**
 * A handler for bare `node:http` and for anything that calls `(req, res, next)`. A path that is not the service's goes to
 * `next`, or is answered 404 when there is none.
 */
export function nodeHandler(
  identity: Pick<IdentityService, "handle">,
  options: NodeHandlerOptions = {},
): (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => Promise<void> {
  assertKnownOptions("", options, { basePath: true });
  return async (req, res, next) => {
    const url = stripBasePath(req.url ?? "/", options.basePath);
    const response = url === undefined ? undefined : await handleInOrder(identity, toApiRequest(req, url), res);
    if (response !== undefined) writeApiResponse(res, response);
    else if (next !== undefined) next();
    else res.writeHead(404, { "content-length": "0" }).end();
  };
}

/** A Node request, with the URL that it came with where a framework has taken the mount point away. */
export type MountedRequest = IncomingMessage & { readonly originalUrl?: string };

/**
 * A Node request as the service takes it. `url` is what stands below the mount point; `parsed` what a body parser left; `originalUrl`
 * what the client called, where the request itself does not say.
 */
export function toApiRequest(
  req: MountedRequest,
  url: string,
  parsed?: unknown,
  originalUrl: string = req.originalUrl ?? req.url ?? "",
): ApiRequest {
  const mark = url.indexOf("?");
  return {
    method: req.method ?? "GET",
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? "" : url.slice(mark + 1),
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    basePath: toBasePath(originalUrl, url),
    isEncrypted: "encrypted" in req.socket && req.socket.encrypted === true,
    remoteAddress: req.socket.remoteAddress,
    body: toRequestBody(req, parsed),
  };
}

function toRequestBody(req: IncomingMessage, parsed: unknown): RequestBody | undefined {
  const length = req.headers["content-length"];
  if ((length === undefined || length === "0") && req.headers["transfer-encoding"] === undefined) return undefined;
  // Some parsers leave an empty object for a type they do not parse: what was never read is not parsed.
  if (parsed === undefined || req.readableDidRead === false) return { kind: "stream", stream: req };
  if (typeof parsed === "string") return { kind: "text", text: parsed };
  return parsed instanceof Uint8Array ? { kind: "bytes", bytes: parsed } : { kind: "parsed", value: parsed };
}
