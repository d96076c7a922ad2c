/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A check that ended with an error. The first sentence of its message is what is wrong, and what follows is what to do about it. */
export function toFailure(check: string, error: unknown, otherwise: string): Finding {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const [detail = "", ...rest] = message.split(/\.\s+(?=[A-Z])/);
  return { check, result: "fail", detail: detail.replace(/\.$/, ""), hint: rest.length > 0 ? rest.join(". ") : otherwise };
}
