import {
  defaultLambdaLimits,
  type LambdaHost,
  type LambdaLimits,
  type LambdaOutcome,
  type LambdaRun,
  type LambdaRunner,
} from "latchkey/ports";
import { expect } from "vitest";

/** What a test says of a run; all else is as usual. */
export interface RunParts {
  /** Default `north`; undefined is a tenant of its own. */
  readonly tenantId?: string | undefined;
  readonly lambdaId?: string;
  readonly version?: string;
  readonly functionName?: string;
  readonly parameters?: readonly string[];
  readonly changes?: readonly string[];
  readonly given?: object;
  readonly limits?: Partial<LambdaLimits>;
  readonly host?: LambdaHost;
}

/** A run of a body with a function `populate(jwt, user, context)`; the version is the body, unless it is said. No run is late on a busy machine. */
export function toRun(body: string, parts: RunParts = {}): LambdaRun {
  const tenantId = "tenantId" in parts ? parts.tenantId : "north";
  const { lambdaId = "lambda", version = body, functionName = "populate" } = parts;
  const { parameters = ["jwt", "user", "context"], changes = ["jwt"] } = parts;
  return {
    script: { tenantId, lambdaId, version, body, functionName, parameters, changes },
    argumentsJson: JSON.stringify(parts.given ?? { jwt: { sub: "someone" }, user: { name: "Ada" } }),
    limits: { ...defaultLambdaLimits, wallClockMilliseconds: 10_000, ...parts.limits },
    host: parts.host,
  };
}

/** Runs statements as the body of the function `populate`. */
export function runStatements(runner: LambdaRunner, statements: string, parts?: RunParts): Promise<LambdaOutcome> {
  return runner.run(toRun(`function populate(jwt, user, context) {\n${statements}\n}`, parts));
}

/** The changed arguments of a run that came to something. */
export function changedOf(outcome: LambdaOutcome): unknown {
  expect(outcome).toMatchObject({ kind: "ok" });
  return outcome.kind === "ok" ? JSON.parse(outcome.changedJson) : undefined;
}

/** The changed `jwt` that statements leave. */
export async function jwtAfter(runner: LambdaRunner, statements: string, parts?: RunParts): Promise<unknown> {
  const changed = changedOf(await runStatements(runner, statements, parts)) as { readonly jwt: unknown };
  return changed.jwt;
}

/** A host with these functions. */
export function hostOf(functions: Readonly<Record<string, (...values: unknown[]) => unknown>>): LambdaHost {
  return {
    names: Object.keys(functions),
    call: async (name, argumentsJson) => {
      const value = await functions[name]?.(...(JSON.parse(argumentsJson) as unknown[]));
      return value === undefined ? undefined : JSON.stringify(value);
    },
  };
}

/** Resolves after some time. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
