import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import type { LambdaTypeName } from "latchkey/lambdas";
import type { LambdaHarness } from "latchkey/testing";
import type { LambdaTestResult } from "latchkey/types";
import { isObject } from "../../internal/objects.js";
import { UsageError } from "../command/command.js";
import { type Folder, type LambdaRecord, lambdasOf } from "./folder-document.js";

/** The file with the test cases of a folder. */
export const casesName = "lambdas.test.json";

/** The input and the expected result of a lambda run. */
interface LambdaCase {
  readonly lambda: string;
  readonly name?: string;
  /** Changes of the sample arguments. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** The members of `context.constants`. Default: none. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** The secrets of `context.secrets.get`, by name. Default: there are no secrets. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Members that the arguments must have after the run. */
  readonly expect?: unknown;
  /** The expected kind of outcome. Default `ok`. */
  readonly outcome?: string;
}

/** The result of one case. */
export interface CaseResult {
  readonly name: string;
  /** The reason of a failure; undefined for a passed case. */
  readonly fault: string | undefined;
  readonly console: LambdaTestResult["console"];
}

/**
 * Runs each lambda of a folder on its cases in `lambdas.test.json`, or on sample arguments without cases. Modules run in the
 * lambdas that require them.
 * @throws UsageError for invalid cases.
 */
export async function tryFolder(
  folder: Folder,
  document: ConfigDocument,
  harness: Pick<LambdaHarness, "load">,
): Promise<readonly CaseResult[]> {
  const all = lambdasOf(document);
  const cases = readCases(folder, all);
  const results: CaseResult[] = [];
  for (const lambda of all) {
    if (lambda.type === "Module") continue;
    const own = cases.filter((one) => one.lambda === lambda.name);
    const source = { type: lambda.type as LambdaTypeName, body: lambda.body, modules: modulesOf(all, lambda) };
    for (const one of own.length === 0 ? [{ lambda: lambda.name }] : own) results.push(await tryCase(one, source, harness));
  }
  return results;
}

async function tryCase(
  one: LambdaCase,
  source: Parameters<LambdaHarness["load"]>[0],
  harness: Pick<LambdaHarness, "load">,
): Promise<CaseResult> {
  const {
    arguments: changes = {},
    constants,
    expect,
    name = "runs on sample arguments",
    outcome: expected = "ok",
    secrets,
  } = one;
  const loaded = harness.load({ ...source, constants, secrets });
  const { arguments: after, console, outcome } = await loaded.run(changes);
  const place = outcome.line === undefined ? "" : ` at line ${outcome.line}, column ${outcome.column ?? 1}`;
  const fault =
    outcome.kind === expected
      ? findDifference(after, expect, "arguments")
      : `The run ended with ${outcome.kind}${place}. ${outcome.message ?? ""}`.trimEnd();
  return { name: `${one.lambda}: ${name}`, fault, console };
}

// All modules by the names that any body uses: the harness has one set of names for all.
function modulesOf(all: readonly LambdaRecord[], lambda: LambdaRecord): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  const waiting = [lambda];
  for (const one of waiting)
    for (const { lambdaId, name } of (one.modules ?? []) as readonly { readonly lambdaId: string; readonly name: string }[]) {
      const module = all.find((other) => other.type === "Module" && (other.name === lambdaId || other.id === lambdaId));
      if (module === undefined || found.has(name)) continue;
      found.set(name, module.body);
      waiting.push(module);
    }
  return Object.fromEntries(found);
}

function readCases(folder: Folder, all: readonly LambdaRecord[]): readonly LambdaCase[] {
  const path = join(folder.path, casesName);
  if (!existsSync(path)) return [];
  const shown = join(folder.name, casesName);
  let cases: unknown;
  try {
    cases = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new UsageError(`${shown} is no JSON: ${(cause as Error).message}`, { cause });
  }
  if (!Array.isArray(cases)) throw new UsageError(`${shown} must hold a list of cases.`);
  for (const [index, one] of cases.entries())
    if (!isObject(one) || !all.some(({ name, type }) => name === one.lambda && type !== "Module"))
      throw new UsageError(`${shown}: case ${index + 1} must name a lambda of the folder in "lambda".`);
  for (const [index, { constants = {}, secrets = {} }] of cases.entries())
    if (!isObject(constants) || !isObject(secrets) || !Object.values(secrets).every((value) => typeof value === "string"))
      throw new UsageError(`${shown}: case ${index + 1} must have an object as "constants", and texts by name as "secrets".`);
  return cases as readonly LambdaCase[];
}

/** Describes the first difference: expected members must match, lists as a whole. */
function findDifference(value: unknown, expected: unknown, path: string): string | undefined {
  if (expected === undefined) return undefined;
  if (isObject(expected) && isObject(value)) {
    for (const [name, member] of Object.entries(expected)) {
      const found = findDifference(Object.hasOwn(value, name) ? value[name] : undefined, member, `${path}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [shown, wanted] = [JSON.stringify(value), JSON.stringify(expected)];
  return shown === wanted ? undefined : `${path} is ${shown ?? "absent"}, and not ${wanted}.`;
}
