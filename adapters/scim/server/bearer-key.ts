import type { ApiRequest } from "latchkey/ports";

/**
 * Returns a request whose bearer token is an API key as the API expects a key: directories can send nothing else than `Bearer`. A token in three
 * parts is a token.
 */
export function withBareKey(request: ApiRequest): ApiRequest {
  const { authorization } = request.headers;
  const [, key] = typeof authorization === "string" ? (/^bearer ([\x21-\x7e]+)$/i.exec(authorization) ?? []) : [];
  if (key === undefined || key.split(".").length === 3) return request;
  return { ...request, headers: { ...request.headers, authorization: key } };
}
