import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { LambdaHost } from "../../ports/lambda-runner.js";
import { findUnsafeValue } from "../../shared/find-unsafe-value.js";
import { fetchForLambda } from "./fetch-for-lambda.js";
import { redactorOf } from "./redact.js";
import type { LambdaScope, LambdaSettings } from "./settings.js";

/** What one run may reach of its host. */
export interface HostOfRun {
  /** Undefined: nothing. */
  readonly host: LambdaHost | undefined;
  /** Replaces the secrets that the run has received so far. */
  readonly redact: (text: string) => string;
}

type HostFunction = (args: readonly unknown[]) => unknown;

const maxNameLength = 200;
const maxSecrets = 20;
const maxSecretLength = 16_384;

/** What a run of a lambda may reach of its host: as the options and the plan say. */
export function hostOfRun(call: OperationCall, place: LambdaScope): HostOfRun {
  const secrets = new Set<string>();
  const redact = redactorFor(secrets);
  const functions = functionsFor(call, place, secrets, redact);
  const names = [...functions.keys()];
  if (names.length === 0) return { host: undefined, redact };
  return { host: { names, call: (name, args) => callFunction(functions.get(name), name, args) }, redact };
}

// Made anew when there are more secrets than before, not for each line.
function redactorFor(secrets: ReadonlySet<string>): HostOfRun["redact"] {
  let made = { size: 0, redact: (text: string): string => text };
  return (text) => {
    if (made.size < secrets.size) made = { size: secrets.size, redact: redactorOf(secrets) };
    return made.redact(text);
  };
}

function functionsFor(
  call: OperationCall,
  place: LambdaScope,
  secrets: Set<string>,
  redact: HostOfRun["redact"],
): ReadonlyMap<string, HostFunction> {
  const { service } = call;
  const { allowFetch, resolveSecret, functions } = service.lambdas;
  const known = new Map<string, HostFunction>();
  const addOfHost = (name: string, run: HostFunction): void => {
    known.set(
      name,
      reported(run, (told) => logFailure(service, place, name, redact(told))),
    );
  };
  if (allowFetch && service.availability.isLicensed("fetch"))
    known.set("fetch", (args) => fetchForLambda(service, place.lambdaId, args));
  if (resolveSecret !== undefined) addOfHost("secrets.get", secretReader(resolveSecret, place, secrets));
  for (const [name, run] of Object.entries(functions)) {
    // What a script says must not change how the host's own objects behave.
    const runSafely: HostFunction = (args) => {
      if (findUnsafeValue(args) !== undefined) throw new TypeError(`The arguments of host.${name} are not allowed.`);
      return run(place, ...args);
    };
    addOfHost(`host.${name}`, runSafely);
  }
  return known;
}

/** The same function; logs only its first failure, since a script may call it repeatedly. */
function reported(run: HostFunction, tell: (failure: string) => void): HostFunction {
  let isTold = false;
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      if (!isTold) tell(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
      isTold = true;
      throw error;
    }
  };
}

// Without the error itself and its members, which may hold what the function was given.
function logFailure({ runtime }: ServiceContext, place: LambdaScope, name: string, error: string): void {
  runtime.logger.error({ ...place, function: name, error }, "a function of the host failed in a lambda");
}

function secretReader(
  resolve: NonNullable<LambdaSettings["resolveSecret"]>,
  place: LambdaScope,
  secrets: Set<string>,
): HostFunction {
  const known = new Map<string, string | undefined>();
  return async ([name]) => {
    if (typeof name !== "string" || name === "" || name.length > maxNameLength)
      throw new TypeError(`The name of a secret is a text of 1 to ${maxNameLength} characters.`);
    if (known.has(name)) return known.get(name);
    if (known.size >= maxSecrets) throw new RangeError(`A run may ask for ${maxSecrets} secrets at most.`);
    const value: unknown = (await resolve(name, place)) ?? undefined;
    if (value !== undefined && !isSecret(value))
      throw new TypeError(`The secret is no text of ${maxSecretLength} characters at most.`);
    if (value !== undefined) secrets.add(value);
    known.set(name, value);
    return value;
  };
}

function isSecret(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxSecretLength;
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
