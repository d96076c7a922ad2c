import { generalError } from "../errors/identity-error.js";

/**
 * Parses JSON text.
 * @throws IdentityError 400 `[invalidJSON]` with line and column, and nothing of the text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = locate(text, positionOf(error, text));
    throw generalError("invalidJSON", `The body is not valid JSON: line ${line}, column ${column}.`);
  }
}

// The engine names the position, except where the text ended too early.
function positionOf(error: unknown, text: string): number {
  const match = error instanceof SyntaxError ? /position (\d+)/.exec(error.message) : null;
  return match === null ? text.length : Number(match[1]);
}

function locate(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: position - lineStart + 1 };
}
