import { type NewEventLog, writeEventLog } from "../../audit/event-logs/rules.js";
import { type LambdaArguments, lambdaTypes } from "../../availability/lambda-types.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ConsoleLevel, LambdaFailure } from "../../ports/lambda-runner.js";
import type { EventLogType } from "../../records/event-logs/schema.js";
import type { BodyOutcome } from "./execute-script.js";
import { redactArguments } from "./redact.js";
import type { RunnableLambda } from "./runnable-lambda.js";

const maxMessageBytes = 65_536;
const cutMark = "\n… (cut off)";

interface LambdaRunRecord {
  readonly lambda: Pick<RunnableLambda, "id" | "name" | "type" | "debug">;
  readonly arguments: LambdaArguments;
  readonly outcome: BodyOutcome;
  /** The end of the lambda's refusal, where this run causes one. */
  readonly refusedUntil?: number | undefined;
}

const typesOfLevels: Readonly<Record<ConsoleLevel, EventLogType>> = {
  debug: "Debug",
  info: "Information",
  warn: "Information",
  error: "Error",
};

/**
 * Records the output and the failure of a lambda in the event log: at most one entry for each level
 * (docs/reference/lambdas.md#runtime), in its own transaction, or in the host's. Skips successful runs without output, and dry
 * runs. Never rejects: logs failures.
 */
export async function recordRun(call: OperationCall, run: LambdaRunRecord): Promise<void> {
  const entries = call.isDryRun ? [] : toEntries(run);
  if (entries.length === 0) return;
  try {
    // A savepoint: all entries or none.
    await call.write((write) =>
      write.tx.savepoint(async () => {
        for (const entry of entries) await writeEventLog(write, entry);
      }),
    );
  } catch (error) {
    const fields = { err: error, lambdaId: run.lambda.id };
    call.service.runtime.logger.warn(fields, "the event log does not have what a lambda wrote");
  }
}

function toEntries(run: LambdaRunRecord): readonly NewEventLog[] {
  const { id, name, type, debug } = run.lambda;
  const linesOf = (level: EventLogType): string[] =>
    run.outcome.console.filter((line) => typesOfLevels[line.level] === level).map((line) => line.text);
  const texts: Readonly<Record<EventLogType, readonly string[]>> = {
    Information: linesOf("Information"),
    Debug: debug ? [...argumentsOf(run), ...linesOf("Debug")] : [],
    Error: [...linesOf("Error"), ...whyOf(run)],
  };
  return (Object.keys(texts) as EventLogType[])
    .filter((level) => texts[level].length > 0)
    .map((level) => ({ type: level, message: cut([`Lambda ${name} (${id}, ${type})`, ...texts[level]].join("\n")) }));
}

// Authors need the claims of the provider, and see them nowhere else.
function argumentsOf({ lambda: { type }, arguments: given }: LambdaRunRecord): readonly string[] {
  return lambdaTypes[type].functionName === "reconcile" ? [`Arguments, without secrets: ${redactArguments(given)}`] : [];
}

function whyOf({ outcome, refusedUntil }: LambdaRunRecord): readonly string[] {
  const failure = outcome.kind === "ok" ? [] : [`The lambda failed: ${describeFailure(outcome)}`];
  if (refusedUntil === undefined) return failure;
  return [...failure, `It was killed too often, and is refused until ${new Date(refusedUntil).toISOString()}.`];
}

function cut(message: string): string {
  if (Buffer.byteLength(message) <= maxMessageBytes) return message;
  const kept = Buffer.from(message).subarray(0, maxMessageBytes - Buffer.byteLength(cutMark));
  // The streaming option makes the decoder hold back a partial character.
  return new TextDecoder().decode(kept, { stream: true }) + cutMark;
}

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
