import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { lambdasTable, lambdaVersionsTable } from "../../records/lambdas/family.js";
import type { Lambda, LambdaModule, LambdaVersion } from "../../records/lambdas/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

/** The hidden part of a stored lambda. */
export interface HiddenLambda {
  /** The number of its version, from 1. */
  readonly version: number;
  readonly versionInstant: number;
}

/** The hidden part of a stored lambda. Lambdas from before versions existed have version 1. */
export function hiddenOf(hidden: string | null, { lastUpdateInstant }: Lambda): HiddenLambda {
  return parseHidden<HiddenLambda>({ hidden }) ?? { version: 1, versionInstant: lastUpdateInstant };
}

/** The newest version of a lambda. */
export function newestVersion({ hidden }: Pick<StoredRecord, "hidden">, lambda: Lambda): LambdaVersion {
  const { version, versionInstant } = hiddenOf(hidden, lambda);
  const { body, modules } = lambda;
  return { version, insertInstant: versionInstant, body, ...(modules !== undefined && { modules }) };
}

/** A version of a stored lambda, or its newest one; undefined for an unknown number. */
export async function readVersion(
  call: OperationCall,
  stored: StoredRecord,
  version: number | undefined,
): Promise<LambdaVersion | undefined> {
  const newest = newestVersion(stored, parseRecord<Lambda>(stored));
  if (version === undefined || version === newest.version) return newest;
  const [found] = await call.reader.find(globalScope, lambdaVersionsTable, {
    op: "and",
    filters: [equalsFilter("lambdaId", stored.id), equalsFilter("number", version)],
  });
  return found && parseRecord<LambdaVersion>(found);
}

/** A version of a lambda; without a number its newest. */
export type VersionReference = Pick<LambdaModule, "lambdaId" | "version">;

/** The lambda and the version of a reference as one text. */
export function keyOfReference({ lambdaId, version }: VersionReference): string {
  return `${lambdaId}:${version}`;
}

/** The versions of references, by the keys of these. */
export async function readVersions(
  call: OperationCall,
  references: readonly VersionReference[],
): Promise<ReadonlyMap<string, LambdaVersion>> {
  if (references.length === 0) return new Map();
  const found = new Map<string, LambdaVersion>();
  const values = [...new Set(references.map(({ lambdaId }) => lambdaId))];
  for (const stored of await call.reader.find(globalScope, lambdasTable, { op: "in", column: "id", values })) {
    const newest = newestVersion(stored, parseRecord<Lambda>(stored));
    for (const version of [undefined, newest.version]) found.set(keyOfReference({ lambdaId: stored.id, version }), newest);
  }
  const older = references.filter((reference) => !found.has(keyOfReference(reference)));
  for (const [lambdaId, group] of Map.groupBy(older, (reference) => reference.lambdaId)) {
    const numbers = group.flatMap(({ version }) => version ?? []);
    for (const version of await readNumbers(call, lambdaId, numbers))
      found.set(keyOfReference({ lambdaId, ...version }), version);
  }
  return found;
}

async function readNumbers(call: OperationCall, lambdaId: string, values: readonly number[]): Promise<readonly LambdaVersion[]> {
  if (values.length === 0) return [];
  const filters = [equalsFilter("lambdaId", lambdaId), { op: "in", column: "number", values } as const];
  const found = await call.reader.find(globalScope, lambdaVersionsTable, { op: "and", filters });
  return found.map((stored) => parseRecord<LambdaVersion>(stored));
}
