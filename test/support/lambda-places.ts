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

/** The options of a service that runs lambdas. */
export const withRunner: Options = { lambdas: { runner: testRunner() } };

/** A service that runs lambdas. */
export function startWithRunner(start: Start, options: Options = {}): Promise<World> {
  return start({ ...withRunner, ...options });
}

/** Makes a lambda whose function has these statements, and answers its id. */
export function makeStatements(world: World, type: LambdaType, statements: string): Promise<string> {
  return makeLambda(world, type, { body: functionOf(type, statements) });
}

/** The body of a lambda whose function has these statements. */
export function functionOf(type: LambdaType, statements: string): string {
  const { functionName, parameters } = lambdaTypes[type];
  return `function ${functionName}(${parameters.join(", ")}) { ${statements} }`;
}

/** Names a lambda of these statements in the application of the tests, and answers its id. */
export async function giveApplication(world: World, name: string, type: LambdaType, statements: string): Promise<string> {
  const lambdaId = await makeStatements(world, type, statements);
  const application = { lambdaConfiguration: { [name]: lambdaId } };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
  return lambdaId;
}

/** Names a lambda of these statements in the default tenant, and answers its id. */
export async function giveTenant(world: World, path: string, type: LambdaType, statements: string): Promise<string> {
  const lambdaId = await makeStatements(world, type, statements);
  const [parent = "", name = ""] = path.split(".");
  const tenant = { [parent]: { [name]: lambdaId } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
  return lambdaId;
}

/** A way in which a lambda fails: what its function does, in which service, and what happens before it is to run. */
export interface Failing {
  readonly name: string;
  readonly statements: string;
  readonly options: Options;
  readonly spoil?: (world: World, lambdaId: string) => Promise<void>;
}

/** The ways in which a lambda fails at its place. */
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

// As somebody does who writes past the service: what is in use cannot be removed otherwise.
async function removeLambda({ storage }: World, lambdaId: string): Promise<void> {
  const ofId = { op: "equals", column: "id", value: lambdaId } as const;
  await storage.transaction((tx) => tx.remove(globalScope, lambdasTable, ofId));
}
