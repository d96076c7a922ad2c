import { type LambdaArguments, type LambdaType, type LambdaTypeRow, lambdaTypes } from "../../availability/lambda-types.js";
import type { ConsoleLine, LambdaFailure, LambdaHost, LambdaLimits, LambdaRunner } from "../../ports/lambda-runner.js";
import { findUnsafeValue } from "../../shared/find-unsafe-value.js";
import { isObjectOrList } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import { isValidationErrors } from "../types/validation-errors.js";

/** A run of a body, independent of the caller. */
export interface ScriptExecution {
  /** Runs the body. */
  readonly runner: LambdaRunner;
  /** The lambda; another `version` means another body. */
  readonly lambda: { readonly id: string; readonly type: LambdaType; readonly body: string; readonly version: string };
  /** The tenant of the run's data; undefined for data outside of tenants. */
  readonly tenantId: string | undefined;
  /** All arguments of the type, by name. */
  readonly arguments: LambdaArguments;
  /** The content of `context.constants`, which is frozen. Default: empty. */
  readonly constants?: Readonly<Record<string, unknown>> | undefined;
  /** Limits of time, memory and output. */
  readonly limits: LambdaLimits;
  /** The functions of the host that the body can call. Default: none. */
  readonly host?: LambdaHost | undefined;
  /** Whether the version lets the lambda shorten lifetimes. */
  readonly mayShorten: boolean;
}

/** The outcome of a run: the current state of the arguments that the type may change, or a failure. */
export type BodyOutcome =
  | { readonly kind: "ok"; readonly changed: LambdaArguments; readonly console: readonly ConsoleLine[] }
  | LambdaFailure;

/** Runs a body by the rules of its type: members that it may not change keep their values. Never rejects. */
export async function executeScript(execution: ScriptExecution): Promise<BodyOutcome> {
  const { runner, lambda, tenantId, arguments: given, constants = {}, limits, host, mayShorten } = execution;
  const row = lambdaTypes[lambda.type];
  const { functionName, parameters } = row;
  const changes = [...new Set(row.changes.map((path) => path.split(".")[0] ?? ""))];
  const { id: lambdaId, version, body } = lambda;
  const script = { tenantId, lambdaId, version, body, functionName, parameters, changes };
  const outcome = await runner.run({ script, argumentsJson: toJson(given, constants), limits, host });
  if (outcome.kind !== "ok") return outcome;
  const { changedJson, console } = outcome;
  return { ...readChanges({ row, given, mayShorten }, changedJson), console };
}

// The realm reads the constants from the context, and freezes them.
function toJson(given: LambdaArguments, constants: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...given, context: { ...toMembers(given.context), constants } });
}

/** The changes of a lambda, or the reason for ignoring them. */
type ReadChanges =
  | { readonly kind: "ok"; readonly changed: LambdaArguments }
  | { readonly kind: "threw"; readonly message: string };

interface GivenArguments {
  readonly row: LambdaTypeRow;
  readonly given: LambdaArguments;
  readonly mayShorten: boolean;
}

/** Validators of members with a fixed shape. */
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  "result.errors": isValidationErrors,
  "result.required": (value) => typeof value === "boolean",
  "result.sendSuspiciousLoginEvent": (value) => typeof value === "boolean",
};

type Members = Readonly<Record<string, unknown>>;

/**
 * The arguments after a run: unchanged, except for members that the type may change. The text comes from the script and is
 * untrusted.
 */
export function readChanges({ row, given, mayShorten }: GivenArguments, changedJson: string): ReadChanges {
  const written: unknown = JSON.parse(changedJson);
  const unsafe = findUnsafeValue(written);
  if (unsafe !== undefined) return fault(`The result is not allowed at ${formatPath(unsafe.path)}.`);
  if (!isObjectOrList(written)) return fault("There is no result.");
  const changed: Record<string, unknown> = {};
  for (const path of row.changes) {
    const [argument = "", member] = path.split(".");
    const before = given[argument];
    const after = written[argument];
    if (before === undefined) continue;
    if (!isObjectOrList(after) || Array.isArray(after) !== Array.isArray(before)) return fault(`The result has no ${argument}.`);
    if (member !== undefined && shapes[path]?.(after[member]) === false) return fault(`The value of ${path} is not allowed.`);
    if (member !== undefined) changed[argument] = { ...toMembers(changed[argument] ?? before), [member]: after[member] };
    else changed[argument] = Array.isArray(after) ? after : restore(row, argument, toMembers(before), after, mayShorten);
  }
  return { kind: "ok", changed };
}

function fault(message: string): ReadChanges {
  return { kind: "threw", message };
}

function toMembers(value: unknown): Members {
  return isObjectOrList(value) ? value : {};
}

function restore(row: LambdaTypeRow, argument: string, before: Members, after: Members, mayShorten: boolean): Members {
  const restored: Record<string, unknown> = { ...after };
  for (const name of row.reserved?.[argument] ?? []) {
    const isShortened = mayShorten && row.shortened?.[argument]?.includes(name) && isEarlier(after[name], before[name]);
    if (isShortened) continue;
    if (Object.hasOwn(before, name)) restored[name] = before[name];
    else delete restored[name];
  }
  return restored;
}

function isEarlier(after: unknown, before: unknown): boolean {
  return Number.isSafeInteger(after) && typeof after === "number" && typeof before === "number" && after >= 0 && after < before;
}
