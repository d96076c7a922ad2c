import { fieldError } from "../../errors/identity-error.js";
import type { ApiRequest } from "../../ports/transport.js";
import { isSafeText } from "../../shared/find-unsafe-value.js";

/** Headers that hold credentials: what is wrong with them is for those who verify them. */
const credentials: ReadonlySet<string> = new Set(["authorization", "authentication", "cookie", "dpop"]);

/**
 * Refuses headers with text that some storage cannot keep: U+0000 and lone surrogates. Queries, path parameters and bodies have checks of
 * their own (see `parseQuery`, {@link checkPathTexts} and `checkBody`), by the same rule.
 * @throws IdentityError 400 `[invalid]<header>`.
 */
export function checkHeaderTexts({ headers }: ApiRequest): void {
  for (const name in headers) {
    const value = headers[name];
    const isSafe = typeof value === "string" ? isSafeText(value) : value === undefined || value.every(isSafeText);
    if (!isSafe && !credentials.has(name)) throw fieldError("invalid", name.toWellFormed());
  }
}

/** The same for the parameters of a path. @throws IdentityError 400 `[couldNotConvert]<parameter>`. */
export function checkPathTexts(params: Readonly<Record<string, string>>): void {
  for (const name in params) if (!isSafeText(params[name] ?? "")) throw fieldError("couldNotConvert", name);
}
