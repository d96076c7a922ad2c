import { parseWith } from "../../http/schema/parse-with.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden } from "../../operations/family/family.js";
import { withoutAbsentFields } from "../../operations/family/record-steps.js";
import { copySettingsWithoutEffect } from "../../operations/family/settings-without-effect.js";
import { openRecord, toHostNames } from "../../operations/family/wire-records.js";
import { withWriteOnly } from "../../operations/family/write-only.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { splitMember } from "../../shared/objects.js";
import { type ConfigFamily, nestedIn } from "./config-families.js";
import { type Members, membersIn, omit, pick } from "./document.js";

/** A stored record with open secrets and the id of its parent. */
export function openStored(call: WriteCall, row: ConfigFamily, stored: StoredRecord): Members {
  const { sealer } = call.service;
  const record = withWriteOnly(sealer, row.family, stored, openRecord(sealer, row.family, stored));
  return row.address === undefined ? { ...record } : { ...record, [row.address]: parseHidden<Members>(stored)?.[row.address] };
}

/** A stored record in the form of a request, in one object. */
export async function toFlat(call: WriteCall, row: ConfigFamily, stored: StoredRecord): Promise<Members> {
  const { family } = row;
  const record = openStored(call, row, stored);
  const document = await row.toRequestDocument(call, stored);
  const asked = withWriteOnly(call.service.sealer, family, stored, membersIn(document[family.wrapper]));
  const flat = { ...asked, ...pick(document, row.beside ?? []) };
  return parseFlat(call, row, { ...flat, ...pick(record, [row.address ?? ""]) });
}

/** A record with its defaults, and without members that requests lack. @throws IdentityError 400 as the request would. */
export async function parseFlat(call: WriteCall, row: ConfigFamily, flat: Members): Promise<Members> {
  const { family } = row;
  const body = withoutAbsentFields(call, family.wrapper, toRequest(row, flat));
  const parsed = (await parseWith(family.request, body)) as Members;
  const record = { ...membersIn(parsed[family.wrapper]), ...pick(parsed, row.beside ?? []), ...pick(flat, [row.address ?? ""]) };
  const nested = nestedIn(row).flatMap(({ nested: place }) => place?.as ?? []);
  return JSON.parse(toCanonicalJson(omit(record, [...nested, ...(row.derived?.(record) ?? [])])));
}

/** The request body of a flat record. */
export function toRequest({ family, beside = [], address = "" }: ConfigFamily, flat: Members): Members {
  return { [family.wrapper]: omit(flat, [...beside, address]), ...pick(flat, beside) };
}

/** The body that changes a record; members outside documents keep their values. */
export async function toChangeRequest(call: WriteCall, row: ConfigFamily, flat: Members, stored: StoredRecord): Promise<Members> {
  const { family } = row;
  const kept = await row.toRequestDocument(call, stored);
  const { [family.wrapper]: record, ...beside } = toRequest(row, flat);
  const others = omit(kept, [family.wrapper, ...(row.beside ?? [])]);
  // Documents lack these settings, so values from callers over HTTP stay.
  const whole = copySettingsWithoutEffect(family.wrapper, record, openStored(call, row, stored));
  return { ...others, ...beside, [family.wrapper]: toHostNames(call.service.names, family, whole) };
}

/** A record without members that have their default value. */
export async function withoutDefaults(call: WriteCall, row: ConfigFamily, flat: Members): Promise<Members> {
  const whole = toCanonicalJson(flat);
  const says = async (candidate: Members): Promise<boolean> => {
    try {
      return toCanonicalJson(await parseFlat(call, row, candidate)) === whole;
    } catch {
      return false;
    }
  };
  const shorten = async (kept: Members, path: readonly string[], value: unknown): Promise<Members> => {
    const [candidate] = splitMember(kept, path);
    if (await says(candidate)) return candidate;
    let left = kept;
    for (const [name, member] of Object.entries(membersIn(value))) left = await shorten(left, [...path, name], member);
    return left;
  };
  let left = flat;
  for (const [name, value] of Object.entries(flat)) left = await shorten(left, [name], value);
  return left;
}
