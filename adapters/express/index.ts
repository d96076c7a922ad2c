import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccessRequirement, Guards, IdentityService, RequestIdentity } from "latchkey";
import { handleInOrder, toApiRequest, writeApiResponse } from "latchkey/node";
import { assertService, toGuards } from "../internal/guards.js";

declare global {
  namespace Express {
    interface Request {
      /** The caller, behind a guard of {@link expressGuards}. */
      identity?: RequestIdentity;
    }
  }
}

/** The used part of an Express request: `url` is relative to the mount path, `body` is the result of a body parser. */
export type ExpressRequestLike = IncomingMessage & { readonly body?: unknown };

/** Express middleware. */
export type ExpressHandler = (req: ExpressRequestLike, res: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * The service as Express middleware: `app.use(identityRouter(identity))`, or below a path with
 * `app.use("/identity", identityRouter(identity))`. Works with or without a body parser before it. Requests for other paths go to
 * the next handler.
 */
export function identityRouter(identity: Pick<IdentityService, "handle">): ExpressHandler {
  assertService(identity, "handle");
  return (req, res, next) => {
    handleInOrder(identity, toApiRequest(req, req.url ?? "/", req.body), res)
      .then((response) => {
        if (response === undefined) next();
        else writeApiResponse(res, response);
      })
      .catch(next);
  };
}

/**
 * Route guards: `const { requireUser, requireRole, requireApiKey } = expressGuards(identity)`, then
 * `app.get("/orders", requireRole("buyer", { applicationId }), …)`. The caller is `req.identity`; a refusal goes to the error
 * handlers with its `status`, 401 or 403.
 */
export function expressGuards(identity: Pick<IdentityService, "authorize">): Guards<ExpressHandler, ExpressHandler> {
  const toGuard = (requirement: AccessRequirement): ExpressHandler => {
    return (req, _res, next) => {
      identity.authorize(toApiRequest(req, req.url ?? "/"), requirement).then((caller) => {
        Object.assign(req, { identity: caller });
        next();
      }, next);
    };
  };
  return toGuards(identity, toGuard, toGuard);
}
