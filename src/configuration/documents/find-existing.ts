import { valueAt } from "../../shared/objects.js";
import { toKeyText } from "./config-key.js";
import type { ConfigRun } from "./config-run.js";
import type { KnownRecord } from "./known-records.js";
import type { Members } from "./members.js";
import type { Item } from "./read-document.js";
import { parseFlat } from "./record-form.js";

/** The record that an item refers to; undefined for a new one, and `unclear` where that is ambiguous, which is an error. */
export async function findExisting(
  run: ConfigRun,
  { row, id, path }: Item,
  flat: Members,
): Promise<KnownRecord | "unclear" | undefined> {
  const { known, errors } = run;
  if (row.isSingle) return known.all(row.name)[0];
  if (id !== undefined) return known.get(row.name, id);
  const names = known.namesOf(row, flat);
  if (names === undefined) {
    // Report faults of the record itself first.
    await parseFlat(run.call, row, flat);
    const missing = row.key.find((part) => valueAt(flat, part) === undefined) ?? row.key.at(-1);
    errors.add("missing", `${path}.${missing}`, `The [${path}] needs its ${missing} or its id to identify the record.`);
    return "unclear";
  }
  const key = toKeyText(names);
  const [found, another] = known.findAll(row.name, key);
  if (another === undefined) return found;
  errors.add("duplicate", path, `There are several ${key} among the ${row.name}: say the id of the one that is meant.`);
  return "unclear";
}
