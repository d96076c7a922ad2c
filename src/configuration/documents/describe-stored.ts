import { toCanonicalJson } from "../../json/canonical-json.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { ConfigFamily } from "./config-families.js";
import type { KnownRecords } from "./known-records.js";
import { type Members, omit } from "./members.js";
import { openStored, toFlat, withoutDefaults } from "./record-form.js";

/** A record as a document has it: with keys for ids, and without what need not be said. Its secrets are open. */
export async function describeStored(
  call: WriteCall,
  known: KnownRecords,
  row: ConfigFamily,
  stored: StoredRecord,
): Promise<Members> {
  const flat =
    row.describe?.(openStored(call, row, stored)) ??
    (await withoutDefaults(call, row, omit(await toFlat(call, row, stored), row.own ?? [])));
  return known.toKeys(row, JSON.parse(toCanonicalJson(flat)));
}
