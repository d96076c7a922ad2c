import type { LambdaFunction, LambdaScope } from "latchkey";
import type { LambdaHost } from "latchkey/lambda-runner";

/** A call over HTTP that a lambda made. */
export interface LambdaHttpRequest {
  /** The absolute URL that the lambda called. */
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; absent without one. */
  readonly body?: string | undefined;
}

/** What such a call is answered. */
export interface LambdaHttpResponse {
  /** Default 200. */
  readonly status?: number;
  /** Headers of the answer by name. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or a value that is sent as JSON. Default: nothing. */
  readonly body?: unknown;
}

/** Responses by method and URL (`POST https://example.com/a`), or by the URL alone for every method; or what makes them. */
export type LambdaHttpResponses = Readonly<
  Record<string, LambdaHttpResponse | ((request: LambdaHttpRequest) => LambdaHttpResponse)>
>;

/** What lambdas may reach. */
export interface FakeHostOptions {
  /** What `fetch` answers. Default: there is no `fetch`. A call of anything else throws in the lambda. */
  readonly responses?: LambdaHttpResponses | undefined;
  /** What `context.secrets.get` answers, by name. Default: there are no secrets. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** The functions of `host`, as the option `lambdas.functions` of a service has them. */
  readonly functions?: Readonly<Record<string, LambdaFunction>> | undefined;
}

/** A host without a service, and the calls over HTTP that were made through it. */
export function createFakeHost(options: FakeHostOptions, place: LambdaScope, requests: LambdaHttpRequest[]): LambdaHost {
  const { responses, secrets, functions = {} } = options;
  const answers = new Map<string, (...args: readonly unknown[]) => unknown>();
  if (responses !== undefined) answers.set("fetch", (url, init) => answer(responses, toRequest(url, init), requests));
  if (secrets !== undefined)
    answers.set("secrets.get", (name) => (Object.hasOwn(secrets, String(name)) ? secrets[String(name)] : undefined));
  for (const [name, run] of Object.entries(functions)) answers.set(`host.${name}`, (...args) => run(place, ...args));
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
