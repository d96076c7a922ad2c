import type { OperationCall } from "../operations/operation.js";
import type { LambdaHost } from "../ports/lambda-runner.js";
import { fetchForLambda } from "./fetch-for-lambda.js";
import { redactorOf } from "./redact.js";
import type { LambdaPlace, LambdaSettings } from "./settings.js";

/** What one run may reach of its host. */
export interface HostOfRun {
  /** Undefined: nothing. */
  readonly host: LambdaHost | undefined;
  /** Replaces the secrets that the run was handed out so far. */
  readonly redact: (text: string) => string;
}

type HostFunction = (args: readonly unknown[]) => unknown;

const maxNameLength = 200;

/** What a run of a lambda may reach of its host: as the options and the plan say. */
export function hostOfRun(call: OperationCall, place: LambdaPlace): HostOfRun {
  const secrets = new Set<string>();
  const redact = (text: string): string => (secrets.size === 0 ? text : redactorOf(secrets)(text));
  const functions = functionsFor(call, place, secrets, redact);
  const names = [...functions.keys()];
  if (names.length === 0) return { host: undefined, redact };
  return { host: { names, call: (name, args) => callFunction(functions.get(name), name, args) }, redact };
}

function functionsFor(
  call: OperationCall,
  place: LambdaPlace,
  secrets: Set<string>,
  redact: HostOfRun["redact"],
): ReadonlyMap<string, HostFunction> {
  const { service } = call;
  const { allowFetch, resolveSecret, functions } = service.lambdas;
  const known = new Map<string, HostFunction>();
  const addOfHost = (name: string, run: HostFunction): void => {
    known.set(name, async (args) => {
      try {
        return await run(args);
      } catch (error) {
        // What was thrown may hold what the function was given.
        const told = redact(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
        service.runtime.logger.error({ ...place, function: name, error: told }, "a function of the host failed in a lambda");
        throw error;
      }
    });
  };
  if (allowFetch && service.availability.isLicensed("fetch"))
    known.set("fetch", (args) => fetchForLambda(service, place.lambdaId, args));
  if (resolveSecret !== undefined) addOfHost("secrets.get", secretReader(resolveSecret, place, secrets));
  for (const [name, run] of Object.entries(functions)) addOfHost(`host.${name}`, (args) => run(place, ...args));
  return known;
}

function secretReader(
  resolve: NonNullable<LambdaSettings["resolveSecret"]>,
  place: LambdaPlace,
  secrets: Set<string>,
): HostFunction {
  const known = new Map<string, string | undefined>();
  return async ([name]) => {
    if (typeof name !== "string" || name === "" || name.length > maxNameLength)
      throw new TypeError(`The name of a secret is a text of 1 to ${maxNameLength} characters.`);
    if (known.has(name)) return known.get(name);
    const value: unknown = (await resolve(name, place)) ?? undefined;
    if (value !== undefined && typeof value !== "string") throw new TypeError("The secret is no text.");
    if (value !== undefined) secrets.add(value);
    known.set(name, value);
    return value;
  };
}

async function callFunction(run: HostFunction | undefined, name: string, argumentsJson: string): Promise<string | undefined> {
  if (run === undefined) throw new Error(`There is no function ${name}.`);
  try {
    return JSON.stringify(await run(JSON.parse(argumentsJson)));
  } catch (error) {
    // Nothing but the message crosses: no stack, no cause.
    throw new Error(messageOf(error));
  }
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "string" ? thrown : "The function of the host failed.";
}
