import vm from "node:vm";
import ivm from "isolated-vm";
import {
  bodyFileName,
  bodyOffset,
  type CallHost,
  type RealmRequest,
  realmSource,
  wrapBody,
} from "../../adapters/runners/lambda-guest/realm.js";
import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";

// Long enough for a busy machine.
const longTimeout = 60_000;

/** The optional parameters of a call. */
export interface RealmCall {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly request?: Partial<RealmRequest>;
}

/** A context with an installed realm. */
export interface TestRealm {
  /** Compiles a body, or reuses the compiled one, and runs it. */
  run(body: string, call?: RealmCall): LambdaOutcome;
  close(): void;
}

/** The options of a realm. */
export interface RealmOptions {
  readonly isFrozen?: boolean;
  readonly callHost?: CallHost;
  readonly source?: string;
  /** The timeout of a run in an isolate, in milliseconds. */
  readonly timeout?: number;
}

/** An engine: runs the script of the realm, and calls its result. */
type Engine = (
  options: Required<Pick<RealmOptions, "isFrozen" | "source" | "timeout">> & { readonly callHost: CallHost | undefined },
) => {
  run(body: string, requestJson: string, argumentsJson: string): string;
  close(): void;
};

const compileOptions = { filename: bodyFileName, lineOffset: 0 - bodyOffset.line, columnOffset: 0 - bodyOffset.column };

const inIsolate: Engine = ({ isFrozen, callHost, source, timeout }) => {
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  const context = isolate.createContextSync();
  const install = context.evalSync(source, { reference: true });
  const host = callHost === undefined ? undefined : new ivm.Callback(callHost);
  const run = install.applySync(undefined, [host, isFrozen], { result: { reference: true } });
  const written = context.evalSync("(run) => run.written()", { reference: true });
  const compiled = remember((body) => {
    isolate.compileScriptSync(body);
    return isolate.compileScriptSync(wrapBody(body, "populate"), compileOptions).runSync(context, { reference: true });
  });
  const apply = (...values: unknown[]): string => String(run.applySync(undefined, values, { timeout }));
  return {
    run: (body, requestJson, argumentsJson) => {
      const factory = compiled(body).derefInto();
      try {
        return apply(factory, requestJson, argumentsJson);
      } catch (error) {
        // An unhandled promise rejection, or the timeout.
        const answer = apply();
        if (answer === "")
          throw Object.assign(error as Error, { console: JSON.parse(String(written.applySync(undefined, [run.derefInto()]))) });
        return answer;
      }
    },
    close: () => isolate.dispose(),
  };
};

const inContext: Engine = ({ isFrozen, callHost, source }) => {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  const run = vm.runInContext(source, context)(callHost, isFrozen);
  const compiled = remember((body) => {
    new vm.Script(body);
    return new vm.Script(wrapBody(body, "populate"), compileOptions).runInContext(context);
  });
  return {
    run: (body, requestJson, argumentsJson) => run(compiled(body), requestJson, argumentsJson),
    close: () => {},
  };
};

function remember<T>(make: (body: string) => T): (body: string) => T {
  const made = new Map<string, T>();
  return (body) => {
    const known = made.get(body) ?? make(body);
    made.set(body, known);
    return known;
  };
}

const engines: Readonly<Record<string, Engine>> = { "an isolate": inIsolate, "a context of node:vm": inContext };

/** Installs the realm in both engines, as runners do, and runs a test with each. */
export function forEachEngine(test: (makeRealm: (options?: RealmOptions) => TestRealm, engine: string) => void): void {
  for (const [name, engine] of Object.entries(engines)) test((options) => makeRealm(engine, options), name);
}

function makeRealm(
  engine: Engine,
  { isFrozen = true, callHost, source = realmSource, timeout = longTimeout }: RealmOptions = {},
): TestRealm {
  const realm = engine({ isFrozen, callHost, source, timeout });
  return {
    run: (body, { values = { jwt: {}, context: {} }, request = {} } = {}) =>
      toOutcome(realm.run(body, JSON.stringify({ ...usualRequest, ...request }), JSON.stringify(values))),
    close: realm.close,
  };
}

const usualRequest: RealmRequest = {
  functionName: "populate",
  parameters: ["jwt", "user", "context"],
  changes: ["jwt"],
  hostNames: [],
  resultBytes: 1_048_576,
  consoleBytes: 65_536,
};

function toOutcome(answer: string): LambdaOutcome {
  const end = answer.indexOf("\n");
  const outcome = JSON.parse(answer.slice(0, end));
  return outcome.kind === "ok" ? { ...outcome, changedJson: answer.slice(end + 1) } : outcome;
}

/** The arguments after a call; fails if the call failed. */
export function changedBy(outcome: LambdaOutcome): Record<string, unknown> {
  if (outcome.kind !== "ok") throw new Error(`${outcome.kind}: ${outcome.message}`);
  return JSON.parse(outcome.changedJson);
}

/** The console lines of a call. */
export function linesOf(outcome: LambdaOutcome): string[] {
  return outcome.console.map(({ text }) => text);
}

/** The place and reason of a failure. */
export function failureOf(outcome: LambdaOutcome): unknown {
  if (outcome.kind === "ok") throw new Error("It did not fail.");
  const { kind, message, line, column } = outcome;
  return { kind, message, ...(line !== undefined && { at: `${line}:${column}` }) };
}
