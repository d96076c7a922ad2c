import { type BodyFactory, BodyRunner, type RunnerParts } from "./body-runner.js";
import { ConsoleFormat } from "./console-format.js";
import { ConsoleLines } from "./console-lines.js";
import { FailureReader } from "./failure-reader.js";
import { Headers } from "./headers.js";
import { type CallHost, HostFunctions } from "./host-functions.js";
import { Inspector } from "./inspector.js";
import { RealmFreezer } from "./realm-freezer.js";
import { TextSizes } from "./text-sizes.js";

export type { RealmRequest } from "./body-runner.js";
export type { CallHost } from "./host-functions.js";

/**
 * Runs a compiled body once: what {@link wrapBody} compiles to, a {@link RealmRequest} as JSON, and the arguments by name as JSON. Never
 * throws. Answers the outcome as JSON without the changed arguments, a line feed and, when its kind is `ok`, those as JSON.
 */
export interface RunInRealm {
  // biome-ignore lint/complexity/noBannedTypes: a function of another realm, of which nothing else is known.
  (factory: Function, requestJson: string, argumentsJson: string): string;
  /**
   * Called with nothing, it answers once more what the last run answered, empty if that run was ended before it could. isolated-vm throws
   * what a promise was rejected with and nobody handled, after the run, in place of the answer.
   */
  (): string;
  /** What the last run wrote to its console, as JSON of an array: for a run that the engine ended. */
  written(): string;
}

/**
 * Installs the realm in the context that it is called in, which no body has touched yet. Without `isFrozen`, a context serves one call:
 * nothing is frozen then. `callHost` is undefined where there is no host to call.
 */
export type InstallRealm = (callHost: CallHost | undefined, isFrozen: boolean) => RunInRealm;

/** The file that compiled bodies must say they are from: failures are placed by it. */
export const bodyFileName = "lambda.js";

const parts = {
  BodyRunner,
  ConsoleFormat,
  ConsoleLines,
  FailureReader,
  Headers,
  HostFunctions,
  Inspector,
  RealmFreezer,
  TextSizes,
};

/**
 * The text of a script that evaluates to an {@link InstallRealm}. It is made of the sources of functions and classes which name nothing
 * outside of themselves, so it works after any transpiler or bundler.
 */
export const realmSource: string = `(callHost, isFrozen) => {
"use strict";
const parts = {
${Object.entries(parts)
  .map(([name, part]) => `${name}: ${part}`)
  .join(",\n")}
};
return (${installRealm})(parts, ${JSON.stringify(bodyFileName)}, callHost, isFrozen);
}`;

function installRealm(
  { BodyRunner, ConsoleFormat, FailureReader, Inspector, RealmFreezer, TextSizes, ...ofEachCall }: typeof parts,
  fileName: string,
  callHost: CallHost | undefined,
  isFrozen: boolean,
): unknown {
  // A bundler may have given it another name.
  Object.defineProperty(ofEachCall.Headers, "name", { value: "Headers" });
  const inspector = new Inspector();
  const runnerParts: RunnerParts = {
    ...ofEachCall,
    format: new ConsoleFormat(inspector),
    failures: new FailureReader(inspector, fileName),
    sizes: new TextSizes(),
  };
  const runner = new BodyRunner(runnerParts, callHost);
  const freezer = new RealmFreezer();
  freezer.remove();
  if (isFrozen) freezer.freeze([ofEachCall.Headers]);
  const run = (factory?: BodyFactory, requestJson = "", argumentsJson = ""): string =>
    factory === undefined ? runner.answerAgain() : runner.run(factory, requestJson, argumentsJson);
  return Object.assign(run, { written: () => runner.written() });
}

const opening = '(function (console, fetch, Headers, host) {"use strict";return (function () {\n';

/** How many lines and columns stand before the body in what {@link wrapBody} answers: the offsets of an engine are 0 minus these. */
export const bodyOffset: { readonly line: number; readonly column: number } = Object.freeze({ line: 1, column: 0 });

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * The script that makes a fresh closure of a body and answers its function. The body must have been compiled alone before: then it cannot
 * break out. It is in a function of its own, so that it may declare a `console` or a `host` too.
 * @throws TypeError for a function name that is none.
 */
export function wrapBody(body: string, functionName: string): string {
  if (!identifier.test(functionName)) throw new TypeError("That is no name of a function.");
  // The first line of a script may be meant for a shell. Within a function, it must be a comment.
  const inner = body.startsWith("#!") ? `//${body.slice(2)}` : body;
  return `${opening}${inner}\nreturn typeof ${functionName} === "function" ? ${functionName} : undefined;\n})();})`;
}
