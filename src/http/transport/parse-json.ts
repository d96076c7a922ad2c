import { generalError } from "../../errors/identity-error.js";
import { findJsonError } from "./find-json-error.js";

/**
 * Parses JSON text.
 * @throws IdentityError 400 `[invalidJSON]` with line and column, and nothing of the text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = locate(text, findJsonError(text));
    throw generalError("invalidJSON", `The body is not valid JSON: line ${line}, column ${column}.`);
  }
}

function locate(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: position - lineStart + 1 };
}
