import type { ConsoleLine, LambdaFailure, LambdaFailureKind, LambdaOutcome } from "latchkey/lambda-runner";

/** A failure that the runner itself reports. */
export function failure(kind: LambdaFailureKind, message: string): LambdaFailure {
  return { kind, message, console: [] };
}

/** The outcome of a run whose guest is no more. */
export function killed(kind: LambdaFailureKind, message: string): LambdaFailure {
  return { ...failure(kind, message), wasKilled: true };
}

const failureKinds: ReadonlySet<string> = new Set<LambdaFailureKind>([
  "syntax",
  "missingFunction",
  "threw",
  "timedOut",
  "outOfMemory",
  "tooLarge",
  "crashed",
]);

interface Head {
  readonly kind: string;
  readonly message?: string;
  readonly line?: number;
  readonly column?: number;
  readonly console: readonly ConsoleLine[];
}

/** How what a guest answers begins when all went well and nothing was written: most of the time. */
const quietHead = '{"kind":"ok","console":[]}\n';

/**
 * Reads what a guest answered: JSON in the first line, the changed arguments in the second.
 * @throws Error when it is nothing of that form.
 */
export function toOutcome(answer: string): LambdaOutcome {
  if (answer.startsWith(quietHead)) return { kind: "ok", changedJson: answer.slice(quietHead.length), console: [] };
  const end = answer.indexOf("\n");
  const head: Head = JSON.parse(end < 0 ? answer : answer.slice(0, end));
  if (head.kind === "ok") return { kind: "ok", changedJson: answer.slice(end + 1), console: head.console };
  if (!failureKinds.has(head.kind)) throw new Error("A guest answered with no known outcome.");
  const { message = "", line, column, console } = head;
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { kind: head.kind as LambdaFailureKind, message, ...place, console };
}
