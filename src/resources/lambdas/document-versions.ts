import { hash } from "node:crypto";
import { fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { DocumentForm, Members } from "../../operations/family/family-row.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { lambdaVersionsTable } from "./family.js";
import { keyOfReference, readVersions, type VersionReference } from "./read-version.js";
import type { LambdaModule, LambdaVersion } from "./schema.js";

/** A module in a document: its version is a digest, or a number of this service. */
type WrittenModule = Omit<LambdaModule, "version"> & { readonly version?: unknown };

/** Numbers of versions count the changes in one service, so documents name the versions of modules by digests of what they contain. */
export const documentForm: DocumentForm = {
  write: (call, record) => mapModules(record, (module) => writeModule(call, module)),
  read: (call, record, stored) => mapModules(record, (module, index) => readModule(call, module, { index, stored })),
  readsAfter: (record) => modulesOf(record).flatMap(({ lambdaId, version }) => (typeof version === "string" ? lambdaId : [])),
};

// What is no list of modules is refused with the schema.
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

async function writeModule(call: OperationCall, module: WrittenModule): Promise<WrittenModule> {
  const { lambdaId, version } = module;
  const digest = typeof version === "number" ? await digestOf(call, { lambdaId, version }) : undefined;
  return digest === undefined ? module : { ...module, version: digest };
}

async function readModule(
  call: OperationCall,
  module: WrittenModule,
  { index, stored = {} }: { readonly index: number; readonly stored: Members | undefined },
): Promise<WrittenModule> {
  const { lambdaId, name, version: digest } = module;
  if (typeof digest !== "string") return module;
  // Of several versions with the same content, the lambda retains the one that it has.
  const current = modulesOf(stored).find((other) => other.name === name && other.lambdaId === lambdaId)?.version;
  const numbers = typeof current === "number" ? [current] : [];
  for (const version of [...numbers, ...(await readNumbers(call, lambdaId))])
    if ((await digestOf(call, { lambdaId, version })) === digest) return { ...module, version };
  const path = `lambda.modules[${index}].version`;
  throw fieldError(
    "invalid",
    path,
    `No version of the module has the content of [${path}] here. Apply that content to the module first, or omit the version to use the newest.`,
  );
}

// The newest first.
async function readNumbers(call: OperationCall, lambdaId: string): Promise<readonly number[]> {
  const newest = (await readVersions(call, [{ lambdaId }])).get(keyOfReference({ lambdaId }));
  if (newest === undefined) return [];
  const older = await call.reader.find(globalScope, lambdaVersionsTable, equalsFilter("lambdaId", lambdaId));
  const numbers = older.map(({ json }) => (JSON.parse(json) as LambdaVersion).version);
  return [newest.version, ...numbers.sort((a, b) => b - a)];
}

// Of the body, and of the versions that it names in turn: those are older, so this ends.
async function digestOf(call: OperationCall, reference: VersionReference): Promise<string | undefined> {
  const found = (await readVersions(call, [reference])).get(keyOfReference(reference));
  if (found === undefined) return undefined;
  const modules: Members[] = [];
  for (const { lambdaId, name, version } of found.modules ?? []) {
    const digest = version === undefined ? undefined : await digestOf(call, { lambdaId, version });
    modules.push({ name, ...(version !== undefined && { version: digest ?? "gone" }) });
  }
  return `sha256:${hash("sha256", toCanonicalJson({ body: found.body, modules }))}`;
}
