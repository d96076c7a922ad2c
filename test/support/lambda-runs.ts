import type { IdentityServiceOptions, LambdaOptions } from "latchkey";
import type { LambdaOutcome, LambdaRun, LambdaRunner } from "latchkey/ports";
import { defineRoute, type Route } from "../../src/http/route/define-route.js";
import { loadLambda } from "../../src/lambdas/run/find-lambda.js";
import { runBody } from "../../src/lambdas/run/run-body.js";
import { type LambdaCall, recordLambdaFailure, runLambda } from "../../src/lambdas/run/run-lambda.js";
import { loadRunnable } from "../../src/lambdas/run/runnable-lambda.js";
import { DefaultLambdaRunner } from "../../src/lambdas/run/settings.js";
import { type AnyOperation, defineOperation, type OperationCall } from "../../src/operations/operation.js";
import type { EventLog } from "../../src/records/event-logs/schema.js";
import { addRoutes } from "./added-routes.js";
import { type Answer, expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { testRunner } from "./lambda-runner.js";
import { makeLambda } from "./lambdas.js";
import { uuid, type World } from "./world.js";

// Run a lambda as flows do, outside of any flow.
const runOperations = {
  run: defineOperation("tests.run", [], async (call) => answer(await runLambda(call, requestedRun(call)))),
  runInTransaction: defineOperation("tests.runInTransaction", [], (call) =>
    call.write(async (write) => answer(await runLambda(write, requestedRun(call)))),
  ),
  runBody: defineOperation("tests.runBody", [], async (call) => {
    const run = requestedRun(call);
    const lambda = await loadRunnable(call, await loadLambda({ ...call, params: { lambdaId: run.lambdaId } }));
    return answer(await runBody(call, { lambda, tenantId: run.tenantId, arguments: run.arguments }));
  }),
  note: defineOperation("tests.note", [], async (call) => {
    await recordLambdaFailure(call, requestedRun(call), { kind: "tooLarge", message: "The token is too long." });
    return answer({});
  }),
};

/** Adds the routes of this module's calls. Call it at the top of the test file. */
export function addRunRoutes(): void {
  const toRoute = ([name, target]: readonly [string, unknown]): Route<AnyOperation> =>
    defineRoute({ method: "POST", path: `/api/tests/${name}`, access: "global", target: target as AnyOperation });
  addRoutes(Object.entries(runOperations).map(toRoute), { tests: runOperations });
}

function answer(value: unknown): { readonly status: number; readonly json: string } {
  return { status: 200, json: JSON.stringify(value) };
}

function requestedRun({ body }: OperationCall): LambdaCall {
  return body as LambdaCall;
}

/** Optional fields of a run. */
export type RunFields = Partial<LambdaCall>;

function toRun(lambdaId: string, fields: RunFields): object {
  return { lambdaId, type: "JWTPopulate", arguments: { jwt: {}, context: {} }, ...fields };
}

/** Runs a lambda. */
export function run(caller: Caller, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return caller.post("/api/tests/run", toRun(lambdaId, fields));
}

/** Runs a lambda inside of a transaction. */
export function runInTransaction(caller: Caller, lambdaId: string): Promise<Answer> {
  return caller.post("/api/tests/runInTransaction", toRun(lambdaId, {}));
}

/** Runs a lambda as a dry run. */
export function runDry(caller: Caller, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return caller.post("/api/tests/run?dryRun=true", toRun(lambdaId, fields));
}

/** Runs the body of a stored lambda; returns the outcome. */
export async function runBare(world: World, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return expectOk(await world.caller.post("/api/tests/runBody", toRun(lambdaId, fields)));
}

/** Records a failure, as a flow does for an unusable result. */
export async function notePlace(world: World, lambdaId: string): Promise<void> {
  expectOk(await world.caller.post("/api/tests/note", toRun(lambdaId, {})));
}

/** Runs a lambda in process, by the service or the `tx` of a transaction. */
export function runIn(api: object, lambdaId: string, fields: RunFields = {}): Promise<unknown> {
  const { run: call } = Reflect.get(api, "tests") as Record<"run", (input: object) => Promise<unknown>>;
  return call(toRun(lambdaId, fields));
}

/** Makes a lambda with this text in its function; returns its id. */
export function makePopulate(world: World, text: string, fields: object = {}): Promise<string> {
  return makeLambda(world, "JWTPopulate", { body: `function populate(jwt, user, registration, context) { ${text} }`, ...fields });
}

/** The entries of the event log, oldest first. */
export async function readLog(world: World): Promise<readonly EventLog[]> {
  return (await world.identity.eventLogs.search({ search: { orderBy: "id", numberOfResults: 10_000 } })).eventLogs;
}

/** Options of a service that runs lambdas. */
export function withLambdas(options: Partial<LambdaOptions> = {}): Pick<IdentityServiceOptions, "lambdas"> {
  return { lambdas: { runner: testRunner(), ...options } };
}

/** The runner of a service without the package `isolated-vm`. It logs to `lines`. */
export function missingRunner(lines: string[] = []): LambdaRunner {
  const silent = (): void => undefined;
  const error = (_fields: object, message: string): void => void lines.push(message);
  const logger = { debug: silent, info: silent, warn: silent, error };
  return new DefaultLambdaRunner(logger, () =>
    Promise.reject(new Error("isolatedVmRunner() needs the package isolated-vm: npm install isolated-vm@7.")),
  );
}

/** A runner that returns `outcome` and records its runs. */
export class ToldRunner implements LambdaRunner {
  outcome: LambdaOutcome = { kind: "ok", changedJson: '{"jwt":{}}', console: [] };
  readonly runs: LambdaRun[] = [];

  async run(given: LambdaRun): Promise<LambdaOutcome> {
    this.runs.push(given);
    return this.outcome;
  }

  readState(): { readonly guests: number; readonly waiting: number; readonly killed: number } {
    return { guests: 3, waiting: 2, killed: 1 };
  }

  async close(): Promise<void> {}
}

/** The id of no lambda. */
export const unknownLambda: string = uuid(999);
