import type { LambdaFailure } from "../../ports/lambda-runner.js";

const kindsInWords: Readonly<Record<LambdaFailure["kind"], string>> = {
  syntax: "its body is no script",
  missingFunction: "its function is missing",
  threw: "it threw",
  timedOut: "it took too long",
  outOfMemory: "it needed too much memory",
  tooLarge: "it is too large, or left too much behind",
  crashed: "its engine died",
  refused: "it was not run",
};

/** A failure as a sentence: kind, place and message. */
export function describeFailure({ kind, message, line, column }: Omit<LambdaFailure, "console">): string {
  const place = line === undefined ? "" : ` at line ${line}, column ${column ?? 1}`;
  return `${kindsInWords[kind]}${place}. ${message}`.trimEnd();
}
