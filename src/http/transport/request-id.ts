import type { ApiRequest, ApiResponse } from "../../ports/transport.js";

const headerName = "x-request-id";

/** Long enough for every usual kind, and nothing that could be taken for something else in a line of a log. */
const idShape = /^[\w.:/+=@-]{1,128}$/;

/** What the caller calls the request; undefined where it says nothing, or nothing that could be repeated. */
export function readRequestId({ headers }: ApiRequest): string | undefined {
  const given = headers[headerName];
  return typeof given === "string" && idShape.test(given) ? given : undefined;
}

/** A response that repeats the id of its request. */
export function withRequestId(response: ApiResponse, requestId: string): ApiResponse {
  return { ...response, headers: { ...response.headers, [headerName]: requestId } };
}
