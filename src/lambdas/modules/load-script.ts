import { moduleType } from "../../availability/lambda-types.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { lambdasTable } from "../../records/lambdas/family.js";
import type { Lambda, LambdaModule, LambdaVersion } from "../../records/lambdas/schema.js";
import { readVersion } from "../versions/read-version.js";
import { bundleScript, type LoadedModule, type ModuleImports, type ScriptBundle } from "./bundle-script.js";

interface ModularSource {
  readonly body: string;
  readonly modules?: readonly LambdaModule[] | undefined;
}

/** A script with its modules, or the reason why there is none. */
export type LoadedScript =
  | (ScriptBundle & {
      readonly kind: "ok";
      /** Changes with each change of a module. */
      readonly version: string;
    })
  | { readonly kind: "missing"; readonly module: LambdaModule }
  | { readonly kind: "tooMany" | "tooLarge" };

/** The most modules of a body, including those of its modules. */
export const maxModules = 20;

/** Returns a body with its modules and theirs, each once. Modules may require each other in a cycle, as in CommonJS. */
export async function loadScript(call: OperationCall, source: ModularSource): Promise<LoadedScript> {
  const { body, modules: own = [] } = source;
  const graph = new ModuleGraph();
  const imports = graph.place(own);
  const modules: LoadedModule[] = [];
  let bytes = Buffer.byteLength(body);
  for (const reference of graph.references) {
    if (modules.length === maxModules) return { kind: "tooMany" };
    const found = await readModule(call, reference);
    if (found === undefined) return { kind: "missing", module: reference };
    bytes += Buffer.byteLength(found.body);
    if (bytes > call.service.lambdas.limits.bodyBytes) return { kind: "tooLarge" };
    graph.versions.push(`${reference.lambdaId}:${found.version}`);
    modules.push({ name: reference.name, body: found.body, imports: graph.place(found.modules ?? []) });
  }
  const script = bundleScript({ body, imports, modules });
  if (Buffer.byteLength(script.body) > call.service.lambdas.limits.bodyBytes) return { kind: "tooLarge" };
  return { kind: "ok", ...script, version: graph.versions.join() };
}

/** The modules of a script: each version of each once. */
class ModuleGraph {
  /** Grows while modules are read. */
  readonly references: LambdaModule[] = [];
  readonly versions: string[] = [];
  readonly #places = new Map<string, number>();

  place(modules: readonly LambdaModule[]): ModuleImports {
    return Object.fromEntries(modules.map((module) => [module.name, this.#placeOf(module)]));
  }

  #placeOf(module: LambdaModule): number {
    const key = `${module.lambdaId}:${module.version}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.references.length);
    return this.references.push(module) - 1;
  }
}

async function readModule(call: OperationCall, { lambdaId, version }: LambdaModule): Promise<LambdaVersion | undefined> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, lambdaId);
  if (stored === undefined) return undefined;
  const lambda = parseRecord<Lambda>(stored);
  return lambda.type === moduleType ? readVersion(call, stored, version) : undefined;
}
