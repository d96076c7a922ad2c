import { lambdaTypes, moduleType, type StoredLambdaType, toRunnableType } from "../availability/lambda-types.js";
import { FieldErrorList, fieldError } from "../errors/identity-error.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  type Reference,
} from "../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../operations/family/family-row.js";
import type { OperationCall, WriteCall } from "../operations/operation.js";
import { type Filter, globalScope, type StoredRecord } from "../ports/storage.js";
import { type CreateLambdaInput, lambdaFamily, lambdaSearch, lambdasTable } from "../records/lambdas/family.js";
import type { Lambda, LambdaFields, LambdaModule, LambdaVersion, ParsedLambdaRequest } from "../records/lambdas/schema.js";
import { lazySchema } from "../records/schemas.js";
import { parseCriteria } from "../search/parse-criteria.js";
import { foldText } from "../shared/text.js";
import { checkEndpoints, checkPermissions } from "./check-permissions.js";
import { testLambda } from "./kit/test-lambda.js";
import { loadScript } from "./modules/load-script.js";
import { findBodyFault } from "./run/find-body-fault.js";
import { runStored } from "./run/run-stored.js";
import { readVersion, type VersionReference } from "./versions/read-version.js";
import { followReferences, missingMessage } from "./versions/version-references.js";
import { listVersions, nextHidden, restoreVersion, retrieveVersion, storeVersion } from "./versions/versions.js";

/** The family of lambdas (docs/reference/lambdas.md#types, docs/reference/lambdas.md#fields). */
export const lambdas: Family<Lambda, ParsedLambdaRequest> = {
  ...lambdaFamily,
  referencesOf,
  rules: { listFilter, prepare: checkBody, toDraft, check, afterWrite: storeVersion },
};

function referencesOf({ chain = [], id: own, modules = [], type }: Lambda): readonly Reference[] {
  const { name: table } = lambdasTable;
  // A lambda that refers to itself could never be removed.
  const hasType = (fits: (type: StoredLambdaType) => boolean) => (named: StoredRecord) =>
    named.id !== own && fits(parseRecord<Lambda>(named).type);
  const isAlike = hasType((other) => toRunnableType(other) !== undefined && toRunnableType(other) === toRunnableType(type));
  const isModule = hasType((other) => other === moduleType);
  return [
    ...chain.map((id, index) => ({ path: `lambda.chain[${index}]`, table, id, fits: isAlike })),
    ...modules.map(({ lambdaId: id }, index) => ({ path: `lambda.modules[${index}].lambdaId`, table, id, fits: isModule })),
  ];
}

async function check(call: WriteCall, change: Change<Lambda, ParsedLambdaRequest>): Promise<void> {
  await checkVersions(call, change);
  checkEndpoints(call, change);
  await checkPermissions(call, change.draft.record);
}

// Every referenced version must exist, with all modules that it requires.
async function checkVersions(call: WriteCall, { draft }: Change<Lambda, ParsedLambdaRequest>): Promise<void> {
  const { id, modules = [], rollout } = draft.record;
  const errors = new FieldErrorList();
  if (rollout !== undefined) {
    const version = await findVersion(call, { lambdaId: id, version: rollout.version }, "lambda.rollout.version", errors);
    // So that readers of the lambda see every module that can run.
    const isNamed = ({ lambdaId }: LambdaModule): boolean => modules.some((module) => module.lambdaId === lambdaId);
    if (version?.modules?.every(isNamed) === false) errors.add("invalid", "lambda.rollout.version");
  }
  for (const [index, module] of modules.entries())
    if (module.version !== undefined) await findVersion(call, module, `lambda.modules[${index}].version`, errors);
  errors.throwIfAny();
}

// Returns a version that can run, or adds an error.
async function findVersion(
  call: WriteCall,
  reference: VersionReference,
  path: string,
  errors: FieldErrorList,
): Promise<LambdaVersion | undefined> {
  const stored = await call.tx.retrieve(globalScope, lambdasTable, reference.lambdaId);
  const version = stored && (await readVersion(call, stored, reference.version));
  const { missing } = await followReferences(call, version?.modules ?? []);
  if (version !== undefined && missing.length === 0) return version;
  errors.add("invalid", path, version && missingMessage(path));
  return undefined;
}

// Parsing a script takes time, so it runs outside of the transaction.
async function checkBody(call: OperationCall, request: ParsedLambdaRequest): Promise<ParsedLambdaRequest> {
  const { lambda } = request;
  if (Buffer.byteLength(lambda.body) > call.service.lambdas.limits.bodyBytes) throw fieldError("tooLong", "lambda.body");
  const type = toRunnableType(lambda.type);
  // The body alone first: after an invalid body, modules would be parsed as part of it.
  const fault = (await findBodyFault(lambda.body, type && lambdaTypes[type])) ?? (await findScriptFault(call, lambda));
  if (fault !== undefined) throw fieldError("invalid", "lambda.body", `The [lambda.body] property is not valid. ${fault}`);
  return request;
}

async function findScriptFault(call: OperationCall, { body, modules = [] }: LambdaFields): Promise<string | undefined> {
  if (modules.length === 0) return undefined;
  const script = await loadScript(call, { body, modules });
  if (script.kind === "tooMany") throw fieldError("tooMany", "lambda.modules");
  if (script.kind === "tooLarge") throw fieldError("tooLong", "lambda.modules");
  // The check of references refuses missing modules.
  return script.kind === "ok" ? findBodyFault(script.body, undefined) : undefined;
}

async function toDraft(call: WriteCall, { lambda }: ParsedLambdaRequest, context: DraftContext<Lambda>): Promise<Draft<Lambda>> {
  const { id, now, current } = context;
  const { name, body, engineType } = lambda;
  const insertInstant = current?.record.insertInstant ?? now;
  const type = current?.record.type ?? lambda.type;
  return {
    record: { ...lambda, type, id, insertInstant, lastUpdateInstant: now },
    hidden: { ...(await nextHidden(call, lambda, now, current)) },
    columns: { nameFolded: foldText(name), bodyFolded: foldText(body), engineType, type: toRunnableType(type) ?? type },
  };
}

/** The list has all lambdas, or with `?type=` those of one type (docs/reference/lambdas.md#fields). */
function listFilter(call: OperationCall): Filter | undefined {
  const search = call.service.availability.searchOf("lambda", lambdaSearch);
  return parseCriteria(search, { type: call.params.type }).filter;
}

const schemas = {
  stored: lazySchema("lambdas", "lambdaTestRequest"),
  unsaved: lazySchema("lambdas", "unsavedLambdaTestRequest"),
};

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  restore: (call) => restoreVersion(call, lambdas),
  retrieveVersion: (call) => retrieveVersion(call, lambdas),
  versions: (call) => listVersions(call, lambdas),
  test: (call) => testLambda(call, schemas),
  run: runStored,
};

export { documentForm } from "./versions/document-versions.js";

export const example: FamilyExample<CreateLambdaInput> = ({ number }) => ({
  lambda: { name: `Lambda ${number}`, type: "JWTPopulate", body: "function populate(jwt, user, registration) {}" },
});
