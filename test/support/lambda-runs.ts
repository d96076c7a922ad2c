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

// Runs a lambda as its place would, whatever the place.
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

/** Adds routes that run lambdas as their places would, for what runs them here. Call it where the test file begins. */
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

/** What a requested run may say beside the id of its lambda. */
export type RunFields = Partial<LambdaCall>;

function toRun(lambdaId: string, fields: RunFields): object {
  return { lambdaId, type: "JWTPopulate", arguments: { jwt: {}, context: {} }, ...fields };
}

/** Runs a lambda at a place. */
export function run(caller: Caller, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return caller.post("/api/tests/run", toRun(lambdaId, fields));
}

/** Runs a lambda inside of a transaction of its place. */
export function runInTransaction(caller: Caller, lambdaId: string): Promise<Answer> {
  return caller.post("/api/tests/runInTransaction", toRun(lambdaId, {}));
}

/** The same as a dry run. */
export function runDry(caller: Caller, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return caller.post("/api/tests/run?dryRun=true", toRun(lambdaId, fields));
}

/** Runs the body of a stored lambda, and answers the outcome. */
export async function runBare(world: World, lambdaId: string, fields: RunFields = {}): Promise<Answer> {
  return expectOk(await world.caller.post("/api/tests/runBody", toRun(lambdaId, fields)));
}

/** Notes a failure that the place of a lambda found. */
export async function notePlace(world: World, lambdaId: string): Promise<void> {
  expectOk(await world.caller.post("/api/tests/note", toRun(lambdaId, {})));
}

/** Runs a lambda in process: through the service, or through the `tx` of a transaction. */
export function runIn(api: object, lambdaId: string, fields: RunFields = {}): Promise<unknown> {
  const { run: call } = Reflect.get(api, "tests") as Record<"run", (input: object) => Promise<unknown>>;
  return call(toRun(lambdaId, fields));
}

/** Makes a lambda with this text inside of its function, and answers its id. */
export function makePopulate(world: World, text: string, fields: object = {}): Promise<string> {
  return makeLambda(world, "JWTPopulate", { body: `function populate(jwt, user, registration, context) { ${text} }`, ...fields });
}

/** What is in the event log, the first entry first. */
export async function readLog(world: World): Promise<readonly EventLog[]> {
  return (await world.identity.eventLogs.search({ search: { orderBy: "id", numberOfResults: 10_000 } })).eventLogs;
}

/** Options of a service that runs lambdas. */
export function withLambdas(options: Partial<LambdaOptions> = {}): Pick<IdentityServiceOptions, "lambdas"> {
  return { lambdas: { runner: testRunner(), ...options } };
}

/** The runner of a service where the package `isolated-vm` is not installed. What it logs goes to `lines`. */
export function missingRunner(lines: string[] = []): LambdaRunner {
  const silent = (): void => undefined;
  const error = (_fields: object, message: string): void => void lines.push(message);
  const logger = { debug: silent, info: silent, warn: silent, error };
  return new DefaultLambdaRunner(logger, () =>
    Promise.reject(new Error("isolatedVmRunner() needs the package isolated-vm: npm install isolated-vm@7.")),
  );
}

/** A runner whose runs end as it is told. */
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

/** The id of a lambda that nobody made. */
export const unknownLambda: string = uuid(999);
