import { hash } from "node:crypto";
import { fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { DocumentForm, Members } from "../../operations/family/family-row.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { lambdaVersionsTable } from "../../records/lambdas/family.js";
import type { LambdaModule, LambdaVersion } from "../../records/lambdas/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { keyOfReference, readVersions, type VersionReference } from "./read-version.js";

/** A module in a document: its version is a digest, or a number of this service. */
type WrittenModule = Omit<LambdaModule, "version"> & { readonly version?: unknown };

/** Version numbers are those of one service, so documents identify versions of modules by digests of their content. */
export const documentForm: DocumentForm = {
  write(call, record) {
    const digests = new VersionDigests(call);
    return mapModules(record, (module) => writeModule(digests, module));
  },
  read(call, record, stored) {
    const digests = new VersionDigests(call);
    return mapModules(record, (module, index) => readModule(digests, module, { index, stored }));
  },
  readsAfter: (record) => modulesOf(record).flatMap(({ lambdaId, version }) => (typeof version === "string" ? lambdaId : [])),
};

// The schema refuses other values.
function modulesOf({ modules }: Members): readonly WrittenModule[] {
  const isModule = (value: unknown): boolean => typeof (value as WrittenModule | null)?.lambdaId === "string";
  return Array.isArray(modules) && modules.every(isModule) ? modules : [];
}

async function mapModules(
  record: Members,
  map: (module: WrittenModule, index: number) => Promise<WrittenModule>,
): Promise<Members> {
  const modules: WrittenModule[] = [];
  for (const [index, module] of modulesOf(record).entries()) modules.push(await map(module, index));
  return modules.length === 0 ? record : { ...record, modules };
}

async function writeModule(digests: VersionDigests, module: WrittenModule): Promise<WrittenModule> {
  const { lambdaId, version } = module;
  const digest = typeof version === "number" ? await digests.of({ lambdaId, version }) : undefined;
  return digest === undefined ? module : { ...module, version: digest };
}

async function readModule(
  digests: VersionDigests,
  module: WrittenModule,
  { index, stored = {} }: { readonly index: number; readonly stored: Members | undefined },
): Promise<WrittenModule> {
  const { lambdaId, name, version: digest } = module;
  if (typeof digest !== "string") return module;
  // Of several versions with the same content, the lambda keeps its current one.
  const current = modulesOf(stored).find((other) => other.name === name && other.lambdaId === lambdaId)?.version;
  const numbers = typeof current === "number" ? [current] : [];
  for (const version of [...numbers, ...(await digests.numbersOf(lambdaId))])
    if ((await digests.of({ lambdaId, version })) === digest) return { ...module, version };
  const path = `lambda.modules[${index}].version`;
  throw fieldError(
    "invalid",
    path,
    `No version of the module has the content of [${path}] here. Apply that content to the module first, or omit the version to use the newest.`,
  );
}

/** Memoized digests of versions: many paths may lead to the same version. */
class VersionDigests {
  readonly #call: OperationCall;
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(call: OperationCall) {
    this.#call = call;
  }

  of(reference: VersionReference): Promise<string | undefined> {
    const key = keyOfReference(reference);
    const digest = this.#known.get(key) ?? this.#make(reference);
    this.#known.set(key, digest);
    return digest;
  }

  /** The numbers of all versions of a lambda, the newest first. */
  async numbersOf(lambdaId: string): Promise<readonly number[]> {
    const newest = (await readVersions(this.#call, [{ lambdaId }])).get(keyOfReference({ lambdaId }));
    if (newest === undefined) return [];
    const older = await this.#call.reader.find(globalScope, lambdaVersionsTable, equalsFilter("lambdaId", lambdaId));
    const numbers = older.map(({ json }) => (JSON.parse(json) as LambdaVersion).version);
    return [newest.version, ...numbers.sort((a, b) => b - a)];
  }

  // The digest covers the body and the pinned versions of its modules. A version pins only older ones, so the recursion ends.
  async #make(reference: VersionReference): Promise<string | undefined> {
    const found = (await readVersions(this.#call, [reference])).get(keyOfReference(reference));
    if (found === undefined) return undefined;
    const modules: Members[] = [];
    for (const { lambdaId, name, version } of found.modules ?? []) {
      const digest = version === undefined ? undefined : await this.of({ lambdaId, version });
      modules.push({ name, ...(version !== undefined && { version: digest ?? "gone" }) });
    }
    return `sha256:${hash("sha256", toCanonicalJson({ body: found.body, modules }))}`;
  }
}
