import { fieldError } from "../../errors/identity-error.js";

/** The header that carries the reason of a change. */
export const auditReasonHeader = "X-Audit-Reason";

const maxReasonLength = 1_000;

/**
 * What a caller says of why, as entries have it; undefined for nothing. `path` names it in refusals.
 * @throws IdentityError 400 `[invalid]` for control characters and half ones, `[tooLong]` above 1,000 UTF-16 units.
 */
export function readAuditReason(given: string | undefined, path: string): string | undefined {
  const reason = given?.trim() ?? "";
  if (/[\p{Cc}\p{Cs}]/u.test(reason)) throw fieldError("invalid", path);
  if (reason.length > maxReasonLength) throw fieldError("tooLong", path);
  return reason === "" ? undefined : reason;
}

/** The text of a header, whose bytes runtimes read as Latin-1: UTF-8 where they are that. */
export function decodeHeader(value: string): string {
  if (/[^\0-\xff]/.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
