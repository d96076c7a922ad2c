import type { StoredRecord } from "../../ports/storage.js";
import { type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { splitMember, withMember } from "../../shared/objects.js";
import { type BaseRecord, type Draft, type Family, parseHidden, parseRecord } from "./family.js";

/** The part of what a record hides that belongs here: the sealed JSON of each field by its path. */
interface HiddenSeals {
  readonly sealed?: Readonly<Record<string, string>>;
}

/** A draft whose secret fields (see `Family.sealedPaths`) are sealed among what is hidden and absent from the record. */
export function sealFields<Wire extends BaseRecord, Request>(
  sealer: Sealer,
  family: Family<Wire, Request>,
  draft: Draft<Wire>,
): Draft<Wire> {
  const sealed: Record<string, string> = {};
  let { record } = draft;
  for (const path of family.sealedPaths ?? []) {
    const [kept, value] = splitMember(record, path.split("."));
    if (value === undefined) continue;
    record = kept;
    sealed[path] = sealer.seal(JSON.stringify(value), placeOf(family, record.id, path));
  }
  return Object.keys(sealed).length === 0 ? draft : { ...draft, record, hidden: { ...draft.hidden, sealed } };
}

/** The wire record that a stored one holds, its secret fields open. */
export function openRecord<Wire extends BaseRecord>(
  sealer: Sealer,
  family: { readonly name: string; readonly sealedPaths?: readonly string[] | undefined },
  stored: StoredRecord,
): Wire {
  let record = parseRecord<Wire>(stored);
  if (family.sealedPaths === undefined) return record;
  for (const [path, text] of Object.entries(parseHidden<HiddenSeals>(stored)?.sealed ?? {}))
    record = withMember(record, path.split("."), JSON.parse(sealer.open(text, placeOf(family, stored.id, path))));
  return record;
}

function placeOf(family: { readonly name: string }, id: string, path: string): SealedLocation {
  return sealedLocationOf(family.name, id, path);
}
