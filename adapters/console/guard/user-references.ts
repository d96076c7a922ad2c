import type { IdentityService } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { createError } from "../sign-in/requests.js";

const uuidShape = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** The ids and named values of a call. */
export interface UserReferences {
  /** All UUIDs of path, query and body, in lower case. */
  readonly ids: readonly string[];
  readonly named: readonly (readonly [name: string, value: string])[];
}

/**
 * Decodes the URL once and encodes it again, so that the service decodes the same values as the checks here.
 * @throws IdentityError 400 for a `%` that starts no byte of UTF-8: decoders differ in how they read it.
 */
export function normalizeUrl(request: ApiRequest): ApiRequest {
  try {
    const path = request.path.split("/").map((part) => encodeURIComponent(decodeURIComponent(part)));
    decodeURIComponent(request.query);
    return { ...request, path: path.join("/"), query: new URLSearchParams(request.query).toString() };
  } catch {
    throw createError(400, "[couldNotConvert]", "A % of the URL begins no byte of UTF-8.");
  }
}

/** Reads the references of a call with a normalized URL. Undefined for a body that is not JSON. */
export function readUserReferences(
  endpoints: IdentityService["endpoints"],
  request: ApiRequest,
  body: string,
): UserReferences | undefined {
  const texts: string[] = [];
  const named: [string, string][] = [];
  const note = (name: string, value: unknown): unknown => {
    texts.push(name, String(value));
    if (value !== "" && typeof value !== "object") named.push([name, String(value)]);
    return value;
  };
  for (const [name, value] of new URLSearchParams(request.query)) note(name, value);
  for (const segment of request.path.split("/")) texts.push(decodeURIComponent(segment));
  for (const { path } of endpoints) for (const [name, value] of readPath(path, request.path)) note(name, value);
  try {
    if (body !== "") JSON.parse(body, note);
  } catch {
    return undefined;
  }
  const ids = new Set((texts.join("\n").match(uuidShape) ?? []).map((id) => id.toLowerCase()));
  return { ids: [...ids], named };
}

// A path may match several endpoints: the parameters of all of them count.
function readPath(pattern: string, path: string): readonly (readonly [string, string])[] {
  const segments = path.replace(/\/$/, "").split("/");
  const expected = pattern.split("/");
  if (segments.length !== expected.length) return [];
  const pairs = expected.map((name, index) => [name, decodeURIComponent(segments[index] ?? "")] as const);
  const fits = pairs.every(([name, value]) => name.startsWith(":") || name === value);
  return fits ? pairs.filter(([name]) => name.startsWith(":")).map(([name, value]) => [name.slice(1), value] as const) : [];
}
