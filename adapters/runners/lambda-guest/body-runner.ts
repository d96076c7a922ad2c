import type { ConsoleFormat, ConsoleLines, RealmConsole, TextSizes } from "./console.js";
import type { CallHost, Headers, HostFunctions } from "./host-functions.js";
import type { Inspector } from "./inspector.js";

/** One call, as JSON from the host. */
export interface RealmRequest {
  readonly functionName: string;
  /** The argument names in order. */
  readonly parameters: readonly string[];
  /** The arguments to return with their changes. */
  readonly changes: readonly string[];
  readonly hostNames: readonly string[];
  readonly resultBytes: number;
  readonly consoleBytes: number;
}

/** The other parts of the realm that a call needs. */
export interface RunnerParts {
  readonly Headers: typeof Headers;
  readonly ConsoleLines: typeof ConsoleLines;
  readonly HostFunctions: typeof HostFunctions;
  readonly format: ConsoleFormat;
  readonly failures: FailureReader;
  readonly sizes: TextSizes;
}

/** Creates a fresh closure of a body and returns its function. */
export type BodyFactory = (
  console: RealmConsole,
  fetch: (...values: unknown[]) => unknown,
  headers: typeof Headers,
  host: object | undefined,
  api: object | undefined,
) => unknown;

type Values = Record<string, unknown>;

/** The outcome of a call, without its console. */
type Result =
  | { readonly kind: "ok"; readonly changedJson: string }
  | ({ readonly kind: "missingFunction" | "threw" | "tooLarge" } & ThrownFailure);

/**
 * Runs bodies; each call has its own values, console and host functions. Uses only functions captured at construction. Part of
 * the realm (realm.ts).
 */
export class BodyRunner {
  readonly #parts: RunnerParts;
  readonly #callHost: CallHost | undefined;
  readonly #parse: (text: string) => unknown = JSON.parse;
  readonly #stringify: (value: unknown) => string | undefined = JSON.stringify;
  readonly #apply = Reflect.apply;
  readonly #hasOwn = Object.hasOwn;
  readonly #prototypeOf = Reflect.getPrototypeOf;
  readonly #longText = "Invalid string length";
  /** The prototypes of async functions and generators, which would run later or not at all. */
  readonly #lateKinds = [async () => {}, function* () {}, async function* () {}].map((late) => Reflect.getPrototypeOf(late));
  #last: { readonly json: string; readonly request: RealmRequest } | undefined;
  #lines: ConsoleLines | undefined;
  #answer = "";
  readonly #isAmong: (list: readonly unknown[], value: unknown) => boolean = Function.prototype.call.bind(
    Array.prototype.includes,
  );

  constructor(parts: RunnerParts, callHost: CallHost | undefined) {
    this.#parts = parts;
    this.#callHost = callHost;
  }

  /** Runs a body once and returns the outcome as JSON, a line feed and, for `ok`, the changed arguments as JSON. Never throws. */
  run(factory: BodyFactory, requestJson: string, argumentsJson: string): string {
    this.#answer = "";
    const { ConsoleLines, HostFunctions, Headers, format, sizes } = this.#parts;
    const request = this.#requestOf(requestJson);
    const lines = new ConsoleLines(format, sizes, request.consoleBytes);
    this.#lines = lines;
    const functions = new HostFunctions(this.#callHost, request.hostNames, request.resultBytes, Headers);
    const result = this.#tryRun(factory, request, argumentsJson, lines, functions);
    functions.close();
    this.#answer = this.#write(result, lines.close());
    return this.#answer;
  }

  // Calls of one body repeat the same request.
  #requestOf(requestJson: string): RealmRequest {
    if (this.#last?.json !== requestJson) this.#last = { json: requestJson, request: this.#parse(requestJson) as RealmRequest };
    return this.#last.request;
  }

  /** The answer of the last run; empty if it was ended before. */
  answerAgain(): string {
    return this.#answer;
  }

  /** The console output of the last run as JSON, however it ended. */
  written(): string {
    return this.#lines?.close() ?? "[]";
  }

  #tryRun(
    factory: BodyFactory,
    request: RealmRequest,
    argumentsJson: string,
    lines: ConsoleLines,
    functions: HostFunctions,
  ): Result {
    try {
      const values = this.#parse(argumentsJson) as Values;
      const list = this.#listOf(request.parameters, values, functions);
      const called = factory(lines.toConsole(), functions.toFetch(), this.#parts.Headers, functions.toHost(), functions.toApi());
      const fault = this.#faultOf(called, request.functionName);
      if (fault !== undefined) return fault;
      this.#apply(called as () => unknown, undefined, list);
      return this.#changesOf(request, values);
    } catch (error) {
      return { kind: "threw", ...this.#parts.failures.read(error) };
    }
  }

  #listOf(parameters: readonly string[], values: Values, functions: HostFunctions): unknown[] {
    const list: unknown[] = [];
    for (let index = 0; index < parameters.length; index += 1) {
      const name = parameters[index] ?? "";
      const given = this.#hasOwn(values, name) ? values[name] : undefined;
      list[index] = name === "context" ? functions.toContext(given) : given;
    }
    return list;
  }

  #faultOf(called: unknown, functionName: string): Result | undefined {
    if (typeof called !== "function") return { kind: "missingFunction", message: `The body has no function ${functionName}.` };
    if (!this.#isAmong(this.#lateKinds, this.#prototypeOf(called))) return undefined;
    const message = `The function ${functionName} is async or a generator, and nothing waits for it: make it a plain function.`;
    return { kind: "threw", message };
  }

  #changesOf(request: RealmRequest, values: Values): Result {
    let text = "";
    for (let index = 0; index < request.changes.length; index += 1) {
      const name = request.changes[index] ?? "";
      const json = this.#hasOwn(values, name) ? this.#jsonOf(values[name]) : undefined;
      if (json !== undefined) text += `${text === "" ? "" : ","}${this.#stringify(name)}:${json}`;
      if (json === null || text.length > request.resultBytes) return this.#tooLarge(request);
    }
    const changedJson = `{${text}}`;
    return this.#parts.sizes.fits(changedJson, request.resultBytes) ? { kind: "ok", changedJson } : this.#tooLarge(request);
  }

  // Null where the JSON exceeds the maximum length of a string.
  #jsonOf(value: unknown): string | undefined | null {
    try {
      return this.#stringify(value);
    } catch (error) {
      if (this.#parts.failures.read(error).message === this.#longText) return null;
      throw error;
    }
  }

  #tooLarge({ resultBytes }: RealmRequest): Result {
    return { kind: "tooLarge", message: `The changed arguments are larger than ${resultBytes} bytes.` };
  }

  // Written piece by piece: a body may have defined `toJSON` on the prototype of all objects.
  #write(result: Result, consoleJson: string): string {
    if (result.kind === "ok") return `{"kind":"ok","console":${consoleJson}}\n${result.changedJson}`;
    const place = result.line === undefined ? "" : `,"line":${result.line},"column":${result.column}`;
    return `{"kind":"${result.kind}","message":${this.#stringify(result.message)}${place},"console":${consoleJson}}\n`;
  }
}

/** A thrown value; its position in the body counts from one. */
interface ThrownFailure {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Describes any thrown value and never throws itself. Part of the realm (realm.ts). */
export class FailureReader {
  readonly #inspector: Inspector;
  readonly #maxLength = 2_000;
  readonly #unreadable = "Something was thrown that cannot be shown.";
  readonly #slice: (text: string, from: number, to: number) => string = Function.prototype.call.bind(String.prototype.slice);
  readonly #exec: (pattern: RegExp, text: string) => RegExpExecArray | null = Function.prototype.call.bind(RegExp.prototype.exec);
  readonly #toWellFormed: (text: string) => string = Function.prototype.call.bind(String.prototype.toWellFormed);
  readonly #number = Number;
  // Matches a stack frame of the body. A frame of `eval` lists its call site first.
  readonly #frame: RegExp;

  constructor(inspector: Inspector, bodyFileName: string) {
    this.#inspector = inspector;
    this.#frame = new RegExp(`^ {4}at (?:.* \\()?${bodyFileName.replaceAll(".", "\\.")}:(\\d+):(\\d+)\\)?$`, "m");
  }

  /** The message, cut to 2,000 characters, and the position. */
  read(thrown: unknown): ThrownFailure {
    try {
      return { message: this.#messageOf(thrown), ...this.#placeOf(thrown) };
    } catch {
      return { message: this.#unreadable };
    }
  }

  #messageOf(thrown: unknown): string {
    const text = this.#textOf(thrown);
    return this.#toWellFormed(text.length > this.#maxLength ? `${this.#slice(text, 0, this.#maxLength - 1)}…` : text);
  }

  #textOf(thrown: unknown): string {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown !== "object" || thrown === null) return this.#inspector.inspect(thrown, this.#maxLength);
    const { message, name } = thrown as { readonly message?: unknown; readonly name?: unknown };
    if (typeof message === "string" && message !== "") return message;
    if (typeof message === "string" && typeof name === "string" && name !== "") return name;
    return this.#inspector.inspect(thrown, this.#maxLength);
  }

  #placeOf(thrown: unknown): { readonly line: number; readonly column: number } | undefined {
    if (typeof thrown !== "object" || thrown === null) return undefined;
    const { stack } = thrown as { readonly stack?: unknown };
    const found = typeof stack === "string" ? this.#exec(this.#frame, stack) : null;
    return found === null ? undefined : { line: this.#number(found[1]), column: this.#number(found[2]) };
  }
}
