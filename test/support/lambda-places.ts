import type { IdentityServiceOptions } from "latchkey";
import { globalScope } from "latchkey/ports";
import { type LambdaType, lambdaTypes } from "../../src/availability/lambda-types.js";
import { lambdasTable } from "../../src/records/lambdas/family.js";
import { expectOk } from "./answer.js";
import { testRunner } from "./lambda-runner.js";
import { missingRunner } from "./lambda-runs.js";
import { makeLambda } from "./lambdas.js";
import { ids } from "./logins.js";
import type { Start, World } from "./world.js";

type Options = Partial<IdentityServiceOptions>;

/** Options of a service that runs lambdas. */
export const withRunner: Options = { lambdas: { runner: testRunner() } };

/** A service that runs lambdas. */
export function startWithRunner(start: Start, options: Options = {}): Promise<World> {
  return start({ ...withRunner, ...options });
}

/** Makes a lambda with these statements in its function; returns its id. */
export function makeStatements(world: World, type: LambdaType, statements: string): Promise<string> {
  return makeLambda(world, type, { body: functionOf(type, statements) });
}

/** The body of a lambda with these statements in its function. */
export function functionOf(type: LambdaType, statements: string): string {
  const { functionName, parameters } = lambdaTypes[type];
  return `function ${functionName}(${parameters.join(", ")}) { ${statements} }`;
}

/** Makes a lambda for the application of the tests; returns its id. */
export async function giveApplication(world: World, name: string, type: LambdaType, statements: string): Promise<string> {
  const lambdaId = await makeStatements(world, type, statements);
  const application = { lambdaConfiguration: { [name]: lambdaId } };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
  return lambdaId;
}

/** Makes a lambda for the default tenant; returns its id. */
export async function giveTenant(world: World, path: string, type: LambdaType, statements: string): Promise<string> {
  const lambdaId = await makeStatements(world, type, statements);
  const [parent = "", name = ""] = path.split(".");
  const tenant = { [parent]: { [name]: lambdaId } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
  return lambdaId;
}

/** A failure of a lambda: the statements of its function, the service, and a step before the run. */
export interface Failing {
  readonly name: string;
  readonly statements: string;
  readonly options: Options;
  readonly spoil?: (world: World, lambdaId: string) => Promise<void>;
}

/** The failures of a lambda in a flow. */
export const failings: readonly Failing[] = [
  { name: "throws", statements: 'throw new Error("out of order");', options: withRunner },
  {
    name: "never ends",
    statements: "for (;;);",
    options: { lambdas: { runner: testRunner({ keepsLimits: true }), limits: { wallClockMilliseconds: 100 } } },
  },
  { name: "is gone", statements: "", options: withRunner, spoil: removeLambda },
  { name: "has no runner", statements: "", options: { lambdas: { runner: missingRunner() } } },
];

// Removes it past the service, which refuses to remove a lambda in use.
async function removeLambda({ storage }: World, lambdaId: string): Promise<void> {
  const ofId = { op: "equals", column: "id", value: lambdaId } as const;
  await storage.transaction((tx) => tx.remove(globalScope, lambdasTable, ofId));
}
