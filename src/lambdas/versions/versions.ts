import { isDeepStrictEqual } from "node:util";
import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type Change, type Family, parseRecord } from "../../operations/family/family.js";
import { assertPrecondition, loadRecord } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { addReferences, findHolderIds } from "../../operations/references/references.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { type Filter, globalScope, type RecordToStore } from "../../ports/storage.js";
import { lambdaFamily, lambdasTable, lambdaVersionsTable } from "../../records/lambdas/family.js";
import type {
  Lambda,
  LambdaFields,
  LambdaVersion,
  LambdaVersionSummary,
  ParsedLambdaRequest,
} from "../../records/lambdas/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { type HiddenLambda, hiddenOf, newestVersion, readVersion } from "./read-version.js";
import { followReferences, missingMessage, referencesOfLambda } from "./version-references.js";

/** The number of stored versions of a lambda, besides those that a rollout or a module reference uses. */
const maxVersions = 50;

/** The hidden part of a lambda after a change: another body, or other modules, make a new version. */
export async function nextHidden(
  call: WriteCall,
  lambda: LambdaFields,
  now: number,
  current: { readonly record: Lambda; readonly hidden: string | null } | undefined,
): Promise<HiddenLambda> {
  if (current === undefined) return { version: 1, versionInstant: now };
  const known = hiddenOf(current.hidden, current.record);
  // An earlier release, which has no versions, may have changed the lambda meanwhile.
  const version = current.hidden === null ? (await countedVersions(call, current.record.id)) + 1 : known.version;
  return isSameScript(lambda, current.record)
    ? { version, versionInstant: known.versionInstant }
    : { version: version + 1, versionInstant: now };
}

async function countedVersions(call: WriteCall, lambdaId: string): Promise<number> {
  const options = { limit: 1, sort: newestFirst };
  const [newest] = await call.tx.find(globalScope, lambdaVersionsTable, equalsFilter("lambdaId", lambdaId), options);
  return newest === undefined ? 0 : parseRecord<LambdaVersion>(newest).version;
}

const newestFirst = [{ column: "number", direction: "desc" }] as const;

function isSameScript(one: LambdaFields, other: LambdaFields): boolean {
  return one.body === other.body && isDeepStrictEqual(one.modules ?? [], other.modules ?? []);
}

/** Stores the version that a change replaces, removes old versions, and records the references of the lambda. */
export async function storeVersion(
  call: WriteCall,
  change: Change<Lambda, ParsedLambdaRequest>,
  record: RecordToStore,
): Promise<void> {
  await storeEndedVersion(call, change);
  await holdReferences(call, change.draft.record, record);
}

// The modules of earlier versions count as in use, like those of the lambda itself.
async function holdReferences(call: WriteCall, lambda: Lambda, record: RecordToStore): Promise<void> {
  const { chain = [], id: own, modules = [] } = lambda;
  const known = new Set([own, ...chain, ...modules.map(({ lambdaId }) => lambdaId)]);
  const { all } = await followReferences(call, referencesOfLambda(lambda));
  const ids = new Set(all.map(({ lambdaId }) => lambdaId).filter((id) => !known.has(id)));
  const { name: table } = lambdasTable;
  await addReferences(
    call,
    lambdaFamily,
    record,
    Array.from(ids, (id) => ({ table, id })),
  );
}

async function storeEndedVersion(
  call: WriteCall,
  { draft, original, stored }: Change<Lambda, ParsedLambdaRequest>,
): Promise<void> {
  if (stored === undefined || original === undefined || isSameScript(draft.record, original)) return;
  const version = Number(draft.hidden?.version);
  const number = version - 1;
  const ended = { ...newestVersion(stored, original), version: number };
  const { insertInstant } = ended;
  const record = {
    id: call.service.runtime.newId(),
    tenantId: null,
    version: 1,
    insertInstant,
    lastUpdateInstant: insertInstant,
    json: toCanonicalJson(ended),
    hidden: null,
    columns: { lambdaId: stored.id, number },
  };
  await call.tx.insert(globalScope, lambdaVersionsTable, [record]);
  if (version > maxVersions) await removeOldVersions(call, draft.record, version - maxVersions - 1);
}

async function removeOldVersions(call: WriteCall, lambda: Lambda, last: number): Promise<void> {
  const isOld: Filter = {
    op: "and",
    filters: [equalsFilter("lambdaId", lambda.id), { op: "compare", column: "number", comparison: "<=", value: last }],
  };
  const old = await call.tx.find(globalScope, lambdaVersionsTable, isOld);
  if (old.length === 0) return;
  const named = await namedVersions(call, lambda);
  const ids = old.filter((record) => !named.has(parseRecord<LambdaVersion>(record).version)).map(({ id }) => id);
  await call.tx.remove(globalScope, lambdaVersionsTable, { op: "in", column: "id", values: ids });
}

// The versions that the lambda and others need, directly or indirectly.
async function namedVersions(call: WriteCall, lambda: Lambda): Promise<ReadonlySet<number>> {
  const holders = await findHolderIds(call, lambdasTable, lambda.id);
  const found = await call.tx.find(globalScope, lambdasTable, { op: "in", column: "id", values: holders });
  const named = [lambda, ...found.map((stored) => parseRecord<Lambda>(stored))].flatMap(referencesOfLambda);
  const { all } = await followReferences(call, named);
  return new Set(all.flatMap(({ lambdaId, version }) => (lambdaId === lambda.id ? (version ?? []) : [])));
}

/** GET: the versions of a lambda without their bodies, the newest first. */
export async function listVersions(call: OperationCall, family: Family<Lambda, ParsedLambdaRequest>): Promise<OperationResult> {
  const stored = await loadRecord(call, family);
  const older = await call.reader.find(globalScope, lambdaVersionsTable, equalsFilter("lambdaId", stored.id), {
    sort: newestFirst,
  });
  const versions = [
    newestVersion(stored, parseRecord<Lambda>(stored)),
    ...older.map((record) => parseRecord<LambdaVersion>(record)),
  ];
  const lambdaVersions = versions.map(({ body: _body, ...summary }): LambdaVersionSummary => summary);
  return { status: 200, json: toCanonicalJson({ lambdaVersions }) };
}

/** GET: one version of a lambda. @throws IdentityError 404 for an unknown one. */
export async function retrieveVersion(
  call: OperationCall,
  family: Family<Lambda, ParsedLambdaRequest>,
): Promise<OperationResult> {
  const stored = await loadRecord(call, family);
  const { version = "" } = call.params;
  const lambdaVersion = /^[1-9]\d{0,14}$/.test(version) ? await readVersion(call, stored, Number(version)) : undefined;
  if (lambdaVersion === undefined) throw generalError("notFound");
  return { status: 200, json: toCanonicalJson({ lambdaVersion }) };
}

const restoreRequest = lazySchema("lambdas", "restoreLambdaRequest");

/**
 * POST: gives a lambda the body and the modules of an earlier version, as a new version.
 * @throws IdentityError 400 `[invalid]version` for an unknown one, and for one whose modules are gone.
 */
export async function restoreVersion(call: OperationCall, family: Family<Lambda, ParsedLambdaRequest>): Promise<OperationResult> {
  await loadRecord(call, family);
  const { version } = await parseWith(restoreRequest, call.body ?? {});
  return call.write(async (write) => {
    const stored = await loadRecord(write, family);
    await assertPrecondition(write, family, stored);
    const found = await readVersion(write, stored, version);
    if (found === undefined) throw fieldError("invalid", "version");
    if ((await followReferences(write, found.modules ?? [])).missing.length > 0)
      throw fieldError("invalid", "version", missingMessage("version"));
    const { modules: _modules, ...lambda } = parseRecord<Lambda>(stored);
    const { body, modules } = found;
    return changeRecord(write, family, stored, { lambda: { ...lambda, body, ...(modules !== undefined && { modules }) } });
  });
}
