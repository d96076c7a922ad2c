import { fieldError, type IdentityError } from "../../errors/identity-error.js";
import type { StoredRecord } from "../../ports/storage.js";
import { type Sealer, sealedLocationOf } from "../../security/seal.js";
import { isObject, memberOf, pathsAt, valueAt, withMember } from "../../shared/objects.js";
import { type BaseRecord, type Draft, type Family, parseHidden } from "./family.js";

/** Fields that callers set and cannot read again: see `Family.writeOnlyPaths`. */

/** Shown in answers in place of a value; a request that has it keeps the value. */
export const writeOnlyMask = "***";

type WriteOnlyFamily = Pick<Family<BaseRecord, unknown>, "name" | "wrapper" | "writeOnlyPaths">;

type SealedByPath = Readonly<Record<string, string>>;

type Members = Readonly<Record<string, unknown>>;

/** The sealed values of a stored record, by field path. */
export function writeOnlyOf(stored: Pick<StoredRecord, "hidden"> | undefined): SealedByPath {
  const hidden = stored && parseHidden<{ readonly writeOnly?: SealedByPath }>(stored);
  return hidden?.writeOnly ?? {};
}

/** Opens a sealed value from {@link writeOnlyOf}. */
export function openWriteOnly(sealer: Sealer, table: string, id: string, [path, sealed]: readonly [string, string]): string {
  return JSON.parse(sealer.open(sealed, sealedLocationOf(table, id, path)));
}

/**
 * Seals the values of a draft into its hidden part and masks them in the record. `stored` is the record before the change.
 * @throws IdentityError 400 for the mask of a value that is not stored.
 */
export function sealWriteOnly<Wire extends BaseRecord>(
  sealer: Sealer,
  family: WriteOnlyFamily,
  draft: Draft<Wire>,
  stored: Pick<StoredRecord, "hidden"> | undefined,
): Draft<Wire> {
  if (family.writeOnlyPaths === undefined) return draft;
  const known = writeOnlyOf(stored);
  const writeOnly: Record<string, string> = {};
  let { record } = draft;
  for (const path of family.writeOnlyPaths.flatMap((pattern) => pathsAt(record, pattern))) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    const kept = value === writeOnlyMask ? memberOf(known, path) : undefined;
    if (value === writeOnlyMask && kept === undefined) throw unknownMask(`${family.wrapper}.${path}`);
    writeOnly[path] = kept ?? sealer.seal(JSON.stringify(value), sealedLocationOf(family.name, record.id, path));
    record = withMember(record, path.split("."), writeOnlyMask);
  }
  if (draft.hidden === undefined && Object.keys(writeOnly).length === 0) return draft;
  return { ...draft, record, hidden: { ...draft.hidden, writeOnly } };
}

function unknownMask(path: string): IdentityError {
  const message = `The [${path}] property is ${writeOnlyMask}, which keeps a stored value, and none is stored. Give the value itself.`;
  return fieldError("invalid", path, message);
}

/** A record with its values in place of the masks, to compare it with a configuration document. */
export function withWriteOnly<Shown extends object>(
  sealer: Sealer,
  { name }: Pick<WriteOnlyFamily, "name">,
  stored: StoredRecord,
  record: Shown,
): Shown {
  return Object.entries(writeOnlyOf(stored)).reduce(
    (opened, entry) => withMember(opened, entry[0].split("."), openWriteOnly(sealer, name, stored.id, entry)),
    record,
  );
}

/**
 * Adds masks for omitted paths to the body of a PUT, since callers cannot read the values to repeat them. A path in the body,
 * such as an empty map, replaces the stored values.
 */
export function fillWriteOnly(family: Omit<WriteOnlyFamily, "name">, body: unknown, stored: StoredRecord): unknown {
  const { wrapper, writeOnlyPaths = [] } = family;
  const record = isObject(body) ? body[wrapper] : undefined;
  if (writeOnlyPaths.length === 0 || !isObject(body) || !isObject(record)) return body;
  const unsaid = writeOnlyPaths.map((pattern) => pattern.split(".*")[0] ?? "").filter((place) => isUnsaid(record, place));
  const kept = Object.keys(writeOnlyOf(stored)).filter((path) => unsaid.some((place) => `${path}.`.startsWith(`${place}.`)));
  return { ...body, [wrapper]: kept.reduce((filled, path) => withMember(filled, path.split("."), writeOnlyMask), record) };
}

function isUnsaid(value: Members, place: string): boolean {
  const [name = "", ...rest] = place.split(".");
  const member = memberOf(value, name);
  return member === undefined || (rest.length > 0 && isObject(member) && isUnsaid(member, rest.join(".")));
}
