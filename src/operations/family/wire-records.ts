import type { Names } from "../../ports/names.js";
import type { StoredRecord } from "../../ports/storage.js";
import { type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { isObject, pathsAt, splitMember, withMember } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import { type BaseRecord, type Draft, type Family, type NamedMember, parseHidden, parseRecord } from "./family.js";
import { sealWriteOnly } from "./write-only.js";

/** The part of a family that maps names of records to names in bodies. */
type NamedFamily = Pick<Family<BaseRecord, unknown>, "wrapper" | "namedMembers" | "namedValues" | "otherWrappers">;

type Members = Readonly<Record<string, unknown>>;

/** Moves the record of a body from any of the family's wrappers to the main one. */
export function withFamilyWrapper({ wrapper, otherWrappers = [] }: NamedFamily, body: unknown): unknown {
  const other = isObject(body) && !Object.hasOwn(body, wrapper) && otherWrappers.find((name) => Object.hasOwn(body, name));
  if (!isObject(body) || typeof other !== "string") return body;
  const { [other]: record, ...others } = body;
  return { ...others, [wrapper]: record };
}

/** A body in the words of the family's records. The host's word replaces the word that it stands for, which no longer counts. */
export function toRecordNames(names: Names, family: NamedFamily, body: unknown): unknown {
  const own = withFamilyWrapper(family, body);
  const pairs = renamed(names, family).map(([word, hostWord]) => [hostWord, word] as const);
  const { namedValues = {}, wrapper } = family;
  const record = isObject(own) ? own[wrapper] : undefined;
  if (!isObject(own) || !isObject(record)) return own;
  const values = Object.entries(namedValues).flatMap(([member, words]) => {
    const word = words.find((one) => isWordFor(names[one], record[member]));
    return word === undefined ? [] : [[member, word] as const];
  });
  if (pairs.length === 0 && values.length === 0) return own;
  return { ...own, [wrapper]: { ...renameMembers(record, pairs), ...Object.fromEntries(values) } };
}

function isWordFor(hostWord: string, value: unknown): boolean {
  return typeof value === "string" && value.toLowerCase() === hostWord.toLowerCase();
}

/** The host's word for a vendor value: a custom word begins with a capital letter, as the values of the reference do. */
export function toNamedValue(names: Names, word: keyof Names): string {
  const hostWord = names[word];
  return hostWord === word ? word : hostWord.charAt(0).toUpperCase() + hostWord.slice(1);
}

/** A record in the host's words. */
export function toHostNames<T>(names: Names, family: NamedFamily, record: T): T {
  const pairs = renamed(names, family);
  const { namedValues = {} } = family;
  if (!isObject(record) || (pairs.length === 0 && family.namedValues === undefined)) return record;
  const words = Object.entries(namedValues).flatMap(([member, ofVendors]) => {
    const word = ofVendors.find((one) => one === record[member]);
    return word === undefined ? [] : [[member, toNamedValue(names, word)] as const];
  });
  return { ...renameMembers(record, pairs), ...Object.fromEntries(words) } as T;
}

/** A path from the wrapper in the host's words, as in field errors. */
export function toHostPath(names: Names, family: NamedFamily, path: readonly PropertyKey[]): string {
  const [wrapper, member, ...rest] = path;
  const hostWord = wrapper === family.wrapper ? new Map<unknown, string>(renamed(names, family)).get(member) : undefined;
  return formatPath(hostWord === undefined ? path : [family.wrapper, hostWord, ...rest]);
}

/** Dotted paths from the wrapper in the host's words. */
export function toHostPaths(
  names: Names,
  family: NamedFamily,
  paths: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (family.namedMembers === undefined || paths === undefined) return paths;
  return new Set(Array.from(paths, (path) => toHostPath(names, family, path.split("."))));
}

/** Whether bodies have other names than the records of a family. */
export function hasHostNames(names: Names, family: NamedFamily): boolean {
  return family.namedValues !== undefined || renamed(names, family).length > 0;
}

// Pairs of words that differ, the record's first.
function renamed(names: Names, { namedMembers = [] }: NamedFamily): readonly (readonly [word: string, hostWord: string])[] {
  const pairs = namedMembers.map((member) => [member, toHostName(names, member)] as const);
  return pairs.every(([word, hostWord]) => word === hostWord) ? [] : pairs;
}

// The name of a member is the word, or the word with a suffix.
function toHostName(names: Names, member: NamedMember): string {
  return member === "moderationConfiguration" ? `${names.moderation}Configuration` : names[member];
}

function renameMembers(object: Members, pairs: readonly (readonly [from: string, to: string])[]): Members {
  const toName = new Map(pairs);
  const taken = new Set(toName.values());
  const entries = Object.entries(object).filter(([name]) => toName.has(name) || !taken.has(name));
  return Object.fromEntries(entries.map(([name, member]) => [toName.get(name) ?? name, member]));
}

/** The sealed JSON of each hidden field, by path. */
interface HiddenSeals {
  readonly sealed?: Readonly<Record<string, string>>;
}

/**
 * Seals the secret fields of a draft (see `Family.sealedPaths`) into its hidden part and removes them from the record; masks
 * write-only ones. `stored` is the record before the change.
 * @throws IdentityError 400 as `sealWriteOnly` does.
 */
export function sealFields<Wire extends BaseRecord, Request>(
  sealer: Sealer,
  family: Family<Wire, Request>,
  draft: Draft<Wire>,
  stored?: StoredRecord,
): Draft<Wire> {
  const sealed: Record<string, string> = {};
  let { record } = draft;
  for (const path of (family.sealedPaths ?? []).flatMap((pattern) => pathsAt(record, pattern))) {
    const [kept, value] = splitMember(record, path.split("."));
    if (value === undefined) continue;
    record = kept;
    sealed[path] = sealer.seal(JSON.stringify(value), placeOf(family, record.id, path));
  }
  const shown = Object.keys(sealed).length === 0 ? draft : { ...draft, record, hidden: { ...draft.hidden, sealed } };
  return sealWriteOnly(sealer, family, shown, stored);
}

/** The wire record that a stored one holds, with open secret fields. */
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
