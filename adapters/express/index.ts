import type { IncomingMessage, ServerResponse } from "node:http";
import type { IdentityService } from "latchkey";
import { handleInOrder, toApiRequest, writeApiResponse } from "latchkey/node";

/** The part of an Express request that is used here: `url` is relative to the mount, `body` what a parser left. */
export type ExpressRequestLike = IncomingMessage & { readonly body?: unknown };

/** Express middleware. */
export type ExpressHandler = (req: ExpressRequestLike, res: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * The service as Express middleware: `app.use(identityRouter(identity))`, or below a path with
 * `app.use("/identity", identityRouter(identity))`. A body parser may run before it or not. What is not the service's goes on
 * to the next handler.
 */
export function identityRouter(identity: Pick<IdentityService, "handle">): ExpressHandler {
  return (req, res, next) => {
    handleInOrder(identity, toApiRequest(req, req.url ?? "/", req.body), res).then((response) => {
      if (response === undefined) next();
      else writeApiResponse(res, response);
    }, next);
  };
}
