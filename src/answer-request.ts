import { type HandleContext, handle } from "./handle.js";
import type { Principal } from "./http/authenticate/principal.js";
import { withCors } from "./http/transport/cors.js";
import { createMountCheck } from "./http/transport/mount-check.js";
import { writeError } from "./http/transport/write-response.js";
import type { ApiRequest, ApiResponse } from "./ports/transport.js";
import { createClosedError, type HostCalls } from "./service/host-transaction.js";
import type { ProtocolMounts } from "./service/mount-protocols.js";
import { findRoot } from "./service/protocol-paths.js";

type Answer = (request: ApiRequest, principal?: Principal) => Promise<ApiResponse | undefined>;

/** Answers requests of the host, also to protocols, as calls that a close waits for. */
export function createAnswer(context: HandleContext, calls: HostCalls, mounts?: ProtocolMounts): Answer {
  const { cors, routes, service } = context;
  const checkMount = createMountCheck(service.accounts.publicUrl, service.runtime.logger);
  const refuseClosed: Answer = async ({ headers, method, path }) => {
    const isOwn = findRoot(mounts?.roots ?? [], path) !== undefined || routes.match(method, path) !== undefined;
    // The host answers other paths.
    if (!isOwn) return undefined;
    const response = writeError(createClosedError());
    return cors === undefined ? response : withCors(cors, headers.origin, response);
  };
  return (request, principal) => {
    if (calls.isInside) return Promise.reject(calls.createError());
    checkMount(request);
    if (calls.isClosing) return refuseClosed(request);
    return calls.run(() => {
      const mounted = mounts?.answer(request, principal);
      if (mounted === undefined) return handle(context, request, principal);
      return mounted.then((response) => response ?? handle(context, request, principal));
    });
  };
}
