import type { ActivityEnd, Telemetry } from "../ports/telemetry.js";
import type { ApiRequest, ApiResponse } from "../ports/transport.js";
import type { Route } from "./route/define-route.js";

interface FollowedRequest {
  readonly request: ApiRequest;
  readonly route: Route<unknown>;
  readonly requestId: string | undefined;
}

/** Answers a request as an activity. */
export function followRequest(
  telemetry: Telemetry,
  { request: { headers, method }, requestId, route }: FollowedRequest,
  respond: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  return telemetry.follow({ kind: "request", method, route: route.path, headers, requestId }, respond, toEnd);
}

function toEnd({ body, status }: ApiResponse): ActivityEnd {
  return { outcome: status < 400 ? "ok" : codeOf(body, status), isFailed: status >= 500, status };
}

// The first code of the Errors object up to its field, or the OAuth error code: no text from the caller.
function codeOf(body: string, status: number): string {
  const code = /"code":"\[(\w+)\]|"error":"(\w+)"/.exec(body);
  return code?.[1] ?? code?.[2] ?? String(status);
}
