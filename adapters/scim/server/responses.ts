import { IdentityError } from "latchkey";
import type { ApiResponse } from "latchkey/ports";
import { ScimError, toErrorBody } from "../schema/errors.js";
import type { ScimResponse } from "./call.js";

const headers: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-type": "application/scim+json; charset=UTF-8",
};

/** The maximum size of a response, in bytes. */
const maxBytes = 64 * 1_024 * 1_024;

/** Returns a response for the transport. Throws `ScimError` 400 `tooMany` above 64 MiB. */
export function toApiResponse({ body, headers: own, status }: ScimResponse): ApiResponse {
  if (body === undefined) return { status, headers: { "cache-control": "no-store", ...own }, body: "" };
  const text = JSON.stringify(body);
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw new ScimError(400, "tooMany", tooLong);
  return { status, headers: { ...headers, ...own }, body: text };
}

/** The advice for a response that would be too long. */
export const tooLong =
  'The answer is too long. Ask for fewer resources by `count`, leave out `members` by `excludedAttributes`, and page the members of a group by /Users?filter=groups.value eq "<id>".';

/** Returns the response of an error. */
export function toErrorResponse(error: ScimError, more: Readonly<Record<string, string>> = {}): ApiResponse {
  const challenge = error.status === 401 && { "www-authenticate": "Bearer" };
  // After a partly read body, the rest would be parsed as the next request of the connection.
  const close = (error.status === 413 || error.status === 408) && { connection: "close" };
  return {
    status: error.status,
    headers: { ...headers, ...challenge, ...close, ...more },
    body: JSON.stringify(toErrorBody(error)),
  };
}

/** Converts an error of the API to one of SCIM. `paths` has the attribute of each field. Undefined for another error. */
export function toScimError(error: unknown, paths: ReadonlyMap<string, string> = new Map()): ScimError | undefined {
  if (error instanceof ScimError) return error;
  if (!(error instanceof IdentityError)) return undefined;
  const { status, code } = error;
  const detail = describe(error, paths);
  if (status === 400 && code.startsWith("[tooLarge]")) return new ScimError(400, "tooMany", tooLong);
  if (code.startsWith("[duplicate]")) return new ScimError(409, "uniqueness", detail);
  if (status === 401) return new ScimError(401, undefined, "The credential is missing, wrong or expired.");
  if (status === 404) return new ScimError(404, undefined, "There is no such resource.");
  if (status !== 400) return Object.assign(new ScimError(status, undefined, detail), { cause: error.cause });
  if (code.startsWith("[invalidJSON]") && Object.keys(error.fieldErrors).length === 0)
    return new ScimError(400, "invalidSyntax", detail);
  return new ScimError(400, "invalidValue", detail);
}

/** The error to log, its cause if it has one; undefined for the caller's errors. */
export function findFailure(error: unknown): unknown {
  if (!(error instanceof ScimError || error instanceof IdentityError)) return error;
  return error.status < 500 ? undefined : (error.cause ?? error);
}

function describe({ message, status }: IdentityError, paths: ReadonlyMap<string, string>): string {
  const named = message.replace(/\[([\w.'[\]-]+)\]/g, (whole, path: string) =>
    paths.has(path) ? `[${paths.get(path)}]` : whole,
  );
  return named === "" ? `The request was refused with status ${status}.` : named;
}
