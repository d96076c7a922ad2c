import type { IncomingMessage, ServerResponse } from "node:http";
import { assertKnownOptions, type IdentityService } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { readTargetHost, stripBasePath, toBasePath, toOriginForm } from "../internal/base-path.js";
import { assertService } from "../internal/guards.js";
import { handleInOrder, type RequestHandler } from "./in-order.js";
import { toRequestBody } from "./to-body.js";
import { answerEmpty, toReadable, writeApiResponse } from "./write-response.js";

export { type StopOptions, stopOnSignals } from "./stop-on-signals.js";
export { handleInOrder, type RequestHandler, stripBasePath, toReadable, writeApiResponse };

/** Options of {@link nodeHandler}. */
export interface NodeHandlerOptions {
  /** The mount path, such as `/identity`; a segment such as `:tenant` matches any value. Default: the root. */
  readonly basePath?: string;
}

/**
 * A handler for bare `node:http`, `node:http2` and anything that calls `(req, res, next)`. A path outside the service goes to
 * `next`, or gets a 404 without `next`. An error goes to `next` if `next` declares a parameter; else the handler prints it and
 * answers 500. The promise never rejects.
 */
export function nodeHandler(
  identity: Pick<IdentityService, "handle">,
  options: NodeHandlerOptions = {},
): (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => Promise<void> {
  assertService(identity, "handle");
  assertKnownOptions("", options, { basePath: "text" });
  // A body parser may have run.
  const answer = async (req: IncomingMessage & { readonly body?: unknown }, res: ServerResponse): Promise<boolean> => {
    const url = stripBasePath(req.url ?? "/", options.basePath);
    const response = url === undefined ? undefined : await handleInOrder(identity, toApiRequest(req, url, req.body), res);
    if (response !== undefined) writeApiResponse(res, response);
    return response !== undefined;
  };
  return (req, res, next) =>
    answer(req, res).then(
      (isAnswered) => {
        if (!isAnswered && next !== undefined) next();
        else if (!isAnswered) answerEmpty(res, 404);
      },
      (error: unknown) => {
        if (next !== undefined && next.length > 0) return next(error);
        console.error("The request failed.", error);
        answerEmpty(res, 500);
      },
    );
}

/** A Node request; `originalUrl` is the full URL where a framework has removed the mount point from `url`. */
export type MountedRequest = IncomingMessage & { readonly originalUrl?: string };

/**
 * Converts a Node request for the service. `url` starts below the mount point; `parsed` is the result of a body parser;
 * `originalUrl` is the URL as the client sent it, for requests that lack it.
 */
export function toApiRequest(
  req: MountedRequest,
  url: string,
  parsed?: unknown,
  originalUrl: string = req.originalUrl ?? req.url ?? "",
): ApiRequest {
  const target = toOriginForm(url);
  const mark = target.indexOf("?");
  const host = readTargetHost(originalUrl);
  return {
    method: req.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    // A target in absolute form wins over the header (RFC 9112, 3.2.2).
    headers: host === undefined ? req.headers : { ...req.headers, host },
    rawHeaders: req.rawHeaders,
    basePath: toBasePath(toOriginForm(originalUrl), target),
    isEncrypted: "encrypted" in req.socket && req.socket.encrypted === true,
    remoteAddress: req.socket.remoteAddress,
    body: toRequestBody(req, parsed),
  };
}
