import { hash } from "node:crypto";
import type { LambdaTestResult, LambdaType } from "latchkey";
import { defaultLambdaLimits, type LambdaKit, type LambdaLimits, type LambdaRunner, loadLambdaKit } from "latchkey/lambda-runner";
import type { GivenValue, LambdaArgumentsOf, LambdaFunctions } from "latchkey/lambda-types";
import { createFakeHost, type FakeHostOptions, type LambdaHttpRequest } from "./fake-host.js";
import { mergeValues } from "./merge-values.js";
import { readLambdaBody } from "./read-body.js";

/** How a harness runs lambdas, and what they reach. */
export interface LambdaHarnessOptions extends FakeHostOptions {
  /** Default: `isolatedVmRunner()` of `latchkey/isolated-vm`, the engine of production. The harness closes it. */
  readonly runner?: LambdaRunner | undefined;
  /** Default: `defaultLambdaLimits`. */
  readonly limits?: Partial<LambdaLimits> | undefined;
}

/** A lambda that is loaded: its text, the file that holds it, or a function that uses nothing but what a body has. */
export interface LambdaSource<Type extends LambdaType> {
  /** The type of the lambda. */
  readonly type: Type;
  /** The text of the body; pass one of `body`, `file` and `function`. */
  readonly body?: string;
  /** A path or file URL; see {@link readLambdaBody}. */
  readonly file?: string | URL;
  /** A function or an arrow function; its text is the body. */
  readonly function?: LambdaFunctions[Type];
}

/** Changes of sample arguments: objects are merged, lists and other values replaced, what is undefined is taken out. */
export type ArgumentChanges<Type extends LambdaType> = {
  readonly [Name in keyof LambdaArgumentsOf[Type]]?: GivenValue<LambdaArgumentsOf[Type][Name]> | undefined;
};

/** A lambda that can be run. */
export interface LoadedLambda<Type extends LambdaType> {
  /** The text that runs. */
  readonly body: string;
  /** Runs it on sample arguments with these changes. A failure is an outcome. @throws IdentityError 400 for unknown arguments. */
  run(changes?: ArgumentChanges<Type>): Promise<LambdaTestResult<LambdaArgumentsOf[Type]>>;
}

/** What unit tests of lambdas are written with. */
export interface LambdaHarness extends AsyncDisposable {
  /** Every call over HTTP that lambdas made so far, in order. */
  readonly requests: readonly LambdaHttpRequest[];
  /** Fresh sample arguments of a kind, with changes. */
  fixture<Type extends LambdaType>(type: Type, changes?: ArgumentChanges<Type>): LambdaArgumentsOf[Type];
  /** Loads a lambda to run it on sample arguments. @throws TypeError unless there is one of body, file and function. */
  load<Type extends LambdaType>(source: LambdaSource<Type>): LoadedLambda<Type>;
  /** Ends what runs lambdas. */
  close(): Promise<void>;
}

/**
 * Starts a harness for unit tests of lambdas: the engine, the limits and the rules of a service, with answers to `fetch`, secrets and host
 * functions that the test decides.
 */
export async function createLambdaHarness(options: LambdaHarnessOptions = {}): Promise<LambdaHarness> {
  const kit = await loadLambdaKit();
  const runner = options.runner ?? (await startRunner());
  const requests: LambdaHttpRequest[] = [];
  const fixture = <Type extends LambdaType>(type: Type, changes: ArgumentChanges<Type> = {}): LambdaArgumentsOf[Type] =>
    mergeValues(kit.sampleArguments(type), changes) as LambdaArgumentsOf[Type];
  const close = (): Promise<void> => runner.close();
  return {
    requests,
    fixture,
    load: (source) => load(source, { kit, runner, options, requests }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

// Loaded here, so that a test that brings its own runner needs no other.
async function startRunner(): Promise<LambdaRunner> {
  const { isolatedVmRunner } = await import("latchkey/isolated-vm");
  return isolatedVmRunner();
}

interface Parts {
  readonly kit: LambdaKit;
  readonly runner: LambdaRunner;
  readonly options: LambdaHarnessOptions;
  readonly requests: LambdaHttpRequest[];
}

function load<Type extends LambdaType>(source: LambdaSource<Type>, parts: Parts): LoadedLambda<Type> {
  const { kit, runner, options, requests } = parts;
  const { type } = source;
  const body = toBody(source, kit);
  const lambda = { id: `harness-${type}`, type, body, version: hash("sha256", `${type} ${body}`) };
  const host = createFakeHost(options, { lambdaId: lambda.id, tenantId: undefined }, requests);
  const limits = { ...defaultLambdaLimits, ...options.limits };
  return {
    body,
    async run(changes = {}) {
      const given = Object.entries(mergeValues(kit.sampleArguments(type), changes) as object);
      // What was taken out is not sampled again.
      const absent = Object.entries(changes).map(([name, value]) => [name, value === undefined ? null : value]);
      const trial = await kit.tryOut(lambda, Object.fromEntries([...absent, ...given]), (complete) =>
        kit.executeScript({ runner, lambda, tenantId: undefined, arguments: complete, limits, host, mayShorten: true }),
      );
      return trial as LambdaTestResult<LambdaArgumentsOf[Type]>;
    },
  };
}

function toBody<Type extends LambdaType>(source: LambdaSource<Type>, kit: LambdaKit): string {
  const given = [source.body, source.file, source.function].filter((one) => one !== undefined);
  if (given.length !== 1) throw new TypeError("A lambda is loaded from one of body, file and function.");
  if (source.body !== undefined) return source.body;
  if (source.file !== undefined) return readLambdaBody(source.file);
  return `const ${kit.functionNameOf(source.type)} = ${String(source.function)};`;
}
