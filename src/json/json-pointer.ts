import { maxJsonDepth } from "../shared/find-unsafe-value.js";
import { formatPath } from "../shared/text/format-path.js";
import { getMember, isJsonObject, type JsonValue } from "./json-value.js";
import { PatchError } from "./patch-error.js";

/** A JSON Pointer that is safe to follow, as text and as its unescaped tokens (RFC 6901). */
export interface JsonPointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const badEscape = /~(?![01])/;
const arrayIndex = /^(?:0|[1-9]\d*)$/;

/**
 * Reads a JSON Pointer.
 *
 * @throws PatchError for one that is malformed, deeper than any document, or leads through a key of the prototype chain.
 */
export function parsePointer(text: unknown): JsonPointer {
  if (typeof text !== "string" || !(text === "" || text.startsWith("/")) || badEscape.test(text)) {
    throw new PatchError("invalid", "An operation lacks a JSON Pointer.");
  }
  const parts = text.split("/").slice(1);
  const tokens = text.includes("~") ? parts.map(unescapeToken) : parts;
  if (tokens.length > maxJsonDepth) throw new PatchError("invalid", `A pointer has over ${maxJsonDepth} tokens.`);
  const forbidden = tokens.findIndex((token) => forbiddenKeys.has(token));
  if (forbidden >= 0) throw new PatchError("forbiddenKey", "The key is not allowed.", formatPath(tokens.slice(0, forbidden + 1)));
  return { text, tokens };
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * The value that `tokens` lead to, by own members and existing elements only.
 *
 * @throws PatchError when there is none.
 */
export function resolvePointer(document: JsonValue, tokens: readonly string[]): JsonValue {
  let value = document;
  for (const token of tokens) {
    const next = step(value, token);
    if (next === undefined) throw unresolvable(tokens);
    value = next;
  }
  return value;
}

function step(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return arrayIndex.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? getMember(value, token) : undefined;
}

/** @throws PatchError unless `tokens` name a place where a value can be added (RFC 6902 section 4.1). */
export function assertCanAdd(document: JsonValue, tokens: readonly string[]): void {
  const token = tokens.at(-1);
  if (token === undefined) return;
  const parent = resolvePointer(document, tokens.slice(0, -1));
  if (isJsonObject(parent)) return;
  const isIndex = Array.isArray(parent) && (token === "-" || (arrayIndex.test(token) && Number(token) <= parent.length));
  if (!isIndex) throw unresolvable(tokens);
}

function unresolvable(tokens: readonly string[]): PatchError {
  return new PatchError("invalid", "An operation names a place that is not there.", formatPath(tokens) || undefined);
}
