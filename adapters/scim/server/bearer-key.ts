import type { ApiRequest } from "latchkey/ports";

/**
 * Converts a bearer token that is an API key to the API's format: directories can only send `Bearer`. A token with three parts is
 * a JWT.
 */
export function withBareKey(request: ApiRequest): ApiRequest {
  const { authorization } = request.headers;
  const [, key] = typeof authorization === "string" ? (/^bearer ([\x21-\x7e]+)$/i.exec(authorization) ?? []) : [];
  if (key === undefined || key.split(".").length === 3) return request;
  return { ...request, headers: { ...request.headers, authorization: key } };
}
