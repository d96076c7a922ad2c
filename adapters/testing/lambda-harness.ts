import { hash } from "node:crypto";
import { assertKnownOptions, type OptionNames } from "latchkey";
import type {
  GivenValue,
  LambdaArgumentsOf,
  LambdaFunction,
  LambdaFunctions,
  LambdaScope,
  LambdaType,
  LambdaTypeName,
  LambdaTypeOf,
} from "latchkey/lambdas";
import {
  defaultLambdaLimits,
  type LambdaHost,
  type LambdaKit,
  type LambdaLimits,
  type LambdaRunner,
  loadLambdaKit,
} from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";
import type { LambdaTestResult } from "latchkey/types";
import { mergeValues } from "../internal/objects.js";
import { readScript } from "../internal/read-script.js";

/** The runner of a harness, its limits and its fake host. */
export interface LambdaHarnessOptions extends FakeHostOptions {
  /** Default: `isolatedVmRunner()` of `latchkey/runners`, the engine of production. The harness closes it. */
  readonly runner?: LambdaRunner | undefined;
  /** Default: `defaultLambdaLimits`. */
  readonly limits?: Partial<LambdaLimits> | undefined;
}

const harnessOptions: OptionNames<LambdaHarnessOptions> = {
  api: "object",
  constants: "object",
  functions: "object",
  limits: "object",
  responses: "object",
  runner: ["close", "run"],
  secrets: "object",
};

/** A lambda to load: its text, its file, or a function that only uses the globals of a body. */
export interface LambdaSource<Name extends LambdaTypeName> {
  /** The type of the lambda, by either name. */
  readonly type: Name;
  /** The text of the body; pass one of `body`, `file` and `function`. */
  readonly body?: string;
  /** A path or file URL; see {@link readLambdaBody}. */
  readonly file?: string | URL;
  /** A function or an arrow function; its text is the body. */
  readonly function?: LambdaFunctions[LambdaTypeOf<Name>];
  /** The modules that the body requires, by name: each a text or a file URL. They can require each other. */
  readonly modules?: Readonly<Record<string, string | URL>>;
  /** The constants of this lambda. Default: those of the harness. */
  readonly constants?: FakeHostOptions["constants"];
  /** The secrets of this lambda. Default: those of the harness. */
  readonly secrets?: FakeHostOptions["secrets"];
}

/** Overrides of sample arguments: objects merge, lists and other values are replaced, undefined removes. */
export type ArgumentChanges<Type extends LambdaType> = {
  readonly [Name in keyof LambdaArgumentsOf[Type]]?: GivenValue<LambdaArgumentsOf[Type][Name]> | undefined;
};

/** A loaded lambda. */
export interface LoadedLambda<Type extends LambdaType> {
  /** The text of the body. */
  readonly body: string;
  /**
   * Runs the lambda on sample arguments with these changes. A failure is an outcome.
   * @throws IdentityError 400 for unknown arguments.
   */
  run(changes?: ArgumentChanges<Type>): Promise<LambdaTestResult<LambdaArgumentsOf[Type]>>;
}

/** A harness for unit tests of lambdas. */
export interface LambdaHarness extends AsyncDisposable {
  /** All HTTP calls of lambdas so far, in order. */
  readonly requests: readonly LambdaHttpRequest[];
  /** Returns fresh sample arguments of a type, with changes. */
  fixture<Name extends LambdaTypeName>(
    type: Name,
    changes?: ArgumentChanges<LambdaTypeOf<Name>>,
  ): LambdaArgumentsOf[LambdaTypeOf<Name>];
  /** Loads a lambda to run it on sample arguments. @throws TypeError unless there is exactly one of body, file and function. */
  load<Name extends LambdaTypeName>(source: LambdaSource<Name>): LoadedLambda<LambdaTypeOf<Name>>;
  /** Closes the runner. */
  close(): Promise<void>;
}

/**
 * Starts a harness for unit tests of lambdas: the engine, limits and rules of a service; the test defines the responses to
 * `fetch`, the secrets and the host functions.
 */
export async function createLambdaHarness(options: LambdaHarnessOptions = {}): Promise<LambdaHarness> {
  assertKnownOptions("", options, harnessOptions);
  const kit = await loadLambdaKit();
  const runner = options.runner ?? isolatedVmRunner();
  const requests: LambdaHttpRequest[] = [];
  const fixture = <Name extends LambdaTypeName>(type: Name, changes: ArgumentChanges<LambdaTypeOf<Name>> = {}) =>
    mergeValues(kit.sampleArguments(kit.typeOf(type)), changes) as LambdaArgumentsOf[LambdaTypeOf<Name>];
  const close = (): Promise<void> => runner.close();
  return {
    requests,
    fixture,
    load: (source) => load(source, { kit, runner, options, requests }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Parts {
  readonly kit: LambdaKit;
  readonly runner: LambdaRunner;
  readonly options: LambdaHarnessOptions;
  readonly requests: LambdaHttpRequest[];
}

function load<Name extends LambdaTypeName>(source: LambdaSource<Name>, parts: Parts): LoadedLambda<LambdaTypeOf<Name>> {
  const { kit, runner, options, requests } = parts;
  const type = kit.typeOf(source.type);
  const body = withModules(kit, toBody(source, kit), source.modules);
  const lambda = { id: `harness-${type}`, type, body, version: hash("sha256", `${type} ${body}`) };
  const { constants = options.constants, secrets = options.secrets } = source;
  const host = createFakeHost({ ...options, secrets }, { lambdaId: lambda.id, tenantId: undefined }, requests);
  const limits = { ...defaultLambdaLimits, ...options.limits };
  return {
    body,
    async run(changes = {}) {
      const given = Object.entries(mergeValues(kit.sampleArguments(type), changes) as object);
      // Null keeps a removed argument from being sampled again.
      const absent = Object.entries(changes).map(([name, value]) => [name, value === undefined ? null : value]);
      const trial = await kit.tryOut(lambda, Object.fromEntries([...absent, ...given]), (complete) =>
        kit.executeScript({
          runner,
          lambda,
          tenantId: undefined,
          arguments: complete,
          constants,
          limits,
          host,
          mayShorten: true,
        }),
      );
      return trial as LambdaTestResult<LambdaArgumentsOf[LambdaTypeOf<Name>]>;
    },
  };
}

function toBody<Name extends LambdaTypeName>(source: LambdaSource<Name>, kit: LambdaKit): string {
  const given = [source.body, source.file, source.function].filter((one) => one !== undefined);
  if (given.length !== 1) throw new TypeError("A lambda is loaded from one of body, file and function.");
  if (source.body !== undefined) return source.body;
  if (source.file !== undefined) return readLambdaBody(source.file);
  return `const ${kit.functionNameOf(kit.typeOf(source.type))} = ${String(source.function)};`;
}

function withModules(kit: LambdaKit, body: string, modules: Readonly<Record<string, string | URL>> = {}): string {
  const imports = Object.fromEntries(Object.keys(modules).map((name, place) => [name, place]));
  const loaded = Object.entries(modules).map(([name, module]) => ({
    name,
    body: typeof module === "string" ? module : readLambdaBody(module),
    imports,
  }));
  return kit.bundleScript({ body, imports, modules: loaded }).body;
}

/** An HTTP call of a lambda. */
export interface LambdaHttpRequest {
  /** The absolute URL that the lambda called. */
  readonly url: string;
  /** In upper case. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; absent without one. */
  readonly body?: string | undefined;
}

/** The response to such a call. */
export interface LambdaHttpResponse {
  /** Default 200. */
  readonly status?: number;
  /** Response headers by name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that is serialized as JSON. Default: empty. */
  readonly body?: unknown;
}

/**
 * Responses by method and URL (`POST https://example.com/a`), or by the URL alone for every method; or functions that compute
 * them.
 */
export type LambdaHttpResponses = Readonly<
  Record<string, LambdaHttpResponse | ((request: LambdaHttpRequest) => LambdaHttpResponse)>
>;

/** The fake host of a lambda. */
export interface FakeHostOptions {
  /** The responses to `fetch`. Default: there is no `fetch`. A call of any other URL throws in the lambda. */
  readonly responses?: LambdaHttpResponses | undefined;
  /** The secrets of `context.secrets.get`, by name. Default: there are no secrets. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** The members of `context.constants`, by name, as the constants of a tenant. Default: none. */
  readonly constants?: Readonly<Record<string, unknown>> | undefined;
  /** The functions of `api` by name, such as `user.retrieve`. Default: there is no `api`. */
  readonly api?: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> | undefined;
  /** The functions of `host`, in the form of the service option `lambdas.functions`. */
  readonly functions?: Readonly<Record<string, LambdaFunction>> | undefined;
}

/** A host without a service; records HTTP calls in `requests`. */
function createFakeHost(options: FakeHostOptions, place: LambdaScope, requests: LambdaHttpRequest[]): LambdaHost {
  const { api = {}, responses, secrets, functions = {} } = options;
  const answers = new Map<string, (...args: readonly unknown[]) => unknown>();
  if (responses !== undefined) answers.set("fetch", (url, init) => answer(responses, toRequest(url, init), requests));
  if (secrets !== undefined)
    answers.set("secrets.get", (name) => (Object.hasOwn(secrets, String(name)) ? secrets[String(name)] : undefined));
  for (const [name, run] of Object.entries(functions)) answers.set(`host.${name}`, (...args) => run(place, ...args));
  for (const [name, run] of Object.entries(api)) answers.set(`api.${name}`, run);
  return {
    names: [...answers.keys()],
    async call(name, argumentsJson) {
      const run = answers.get(name);
      if (run === undefined) throw new Error(`There is no ${name}.`);
      return JSON.stringify(await run(...(JSON.parse(argumentsJson) as readonly unknown[])));
    },
  };
}

function toRequest(url: unknown, init: unknown): LambdaHttpRequest {
  const { method = "GET", headers = {}, body } = (init ?? {}) as Partial<LambdaHttpRequest>;
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { url: String(url), method: method.toUpperCase(), headers: Object.fromEntries(lowered), body };
}

function answer(responses: LambdaHttpResponses, request: LambdaHttpRequest, requests: LambdaHttpRequest[]): object {
  requests.push(request);
  const { method, url } = request;
  const found = responses[`${method} ${url}`] ?? responses[url];
  if (found === undefined) throw new Error(`The harness has no response to ${method} ${url}.`);
  const { status = 200, headers = {}, body = "" } = typeof found === "function" ? found(request) : found;
  return { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/**
 * Returns the text of a lambda body from a file. Strips the types of a `.ts` file, which needs Node 22.13. `import type` is
 * stripped too; other imports and exports are not allowed.
 * @throws Error when the file is missing or its types cannot be stripped.
 */
export function readLambdaBody(file: string | URL): string {
  return readScript(file);
}
