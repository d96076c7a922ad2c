/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}
