import { toCanonicalJson } from "../../json/canonical-json.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { valueAt } from "../../shared/objects.js";
import { type ConfigRun, operationOf, readStored, reporting, tryOut } from "./config-run.js";
import { describeStored, findDifferences } from "./differences.js";
import { type Members, toKeyText } from "./document.js";
import type { KnownRecord } from "./known-records.js";
import type { Item } from "./read-document.js";
import { parseFlat, toChangeRequest, toFlat, toRequest } from "./record-form.js";
import { withFixed, withSecrets } from "./stored-members.js";

/** Creates or changes the record of an item with resolved references. Returns undefined after an error. */
export async function settleRecord(run: ConfigRun, item: Item, flat: Members): Promise<KnownRecord | undefined> {
  let settled: KnownRecord | undefined;
  await reporting(run, item, async () => {
    const found = await findExisting(run, item, flat);
    if (found === "unclear") return;
    const { documentForm } = await item.row.load();
    const own = documentForm === undefined ? flat : await documentForm.read(run.call, flat, found?.record);
    settled = found === undefined ? await makeRecord(run, item, own) : await changeRecord(run, item, own, found);
  });
  return settled;
}

async function makeRecord(run: ConfigRun, item: Item, flat: Members): Promise<KnownRecord | undefined> {
  const { row, path } = item;
  const record = await withSecrets(run, item, flat);
  if (record === undefined) return undefined;
  const lacking = (row.needs?.(record) ?? []).filter((name) => record[name] === undefined);
  for (const name of lacking) run.errors.add("missing", `${path}.${name}`);
  if (lacking.length > 0) return undefined;
  const id = item.id ?? run.call.service.runtime.newId();
  const input = {
    ...toRequest(row, record),
    ...(row.takesNoId ? {} : { [row.family.idParameter]: id }),
    ...ownerOf(item, record),
  };
  await operationOf(run, row, row.verbs?.create?.(record) ?? "create")(input);
  const stored = row.takesNoId ? await findByKey(run, item, record) : await readStored(run, row, id);
  const known = run.known.put(row, stored);
  const described = await describeStored(run, row, stored);
  const diff = findDifferences({}, described, row.secrets ?? []);
  run.changes.push({ action: "create", family: row.name, key: run.known.textOf(row.name, known.id), diff });
  return known;
}

async function findByKey({ call }: ConfigRun, { row }: Item, record: Members): Promise<StoredRecord> {
  const filters = row.key.map((column) => equalsFilter(column, String(record[column])));
  const [stored] = await call.tx.find(globalScope, row.family.table, { op: "and", filters }, { limit: 1 });
  if (stored === undefined) throw new Error(`A record of ${row.name} went in its own transaction.`);
  return stored;
}

async function changeRecord(run: ConfigRun, item: Item, given: Members, known: KnownRecord): Promise<KnownRecord | undefined> {
  const { row, path } = item;
  const other = run.spokenOf.get(`${row.name} ${known.id}`);
  if (other !== undefined) {
    run.errors.add("duplicate", path, `The [${path}] is the same record as [${other}].`);
    return undefined;
  }
  const current = await toFlat(run.call, row, known.stored);
  const flat = withFixed(run, item, given, known);
  const record = flat && (await withSecrets(run, item, flat, { known, current }));
  if (record === undefined) return undefined;
  const wanted = run.known.toKeys(row, await parseFlat(run.call, row, record));
  const before = run.known.toKeys(row, current);
  return toCanonicalJson(before) === toCanonicalJson(wanted) ? known : replaceRecord(run, item, record, { known, before });
}

// Changes nothing where the service reads the request as the current state.
async function replaceRecord(
  run: ConfigRun,
  item: Item,
  record: Members,
  { known, before }: { readonly known: KnownRecord; readonly before: Members },
): Promise<KnownRecord> {
  const { row } = item;
  const address = row.isSingle || row.takesNoId ? {} : { [row.family.idParameter]: known.id };
  let settled = known;
  await tryOut(run, async () => {
    const request = await toChangeRequest(run.call, row, record, known.stored);
    await operationOf(run, row, row.verbs?.update ?? "update")({ ...request, ...address, ...ownerOf(item, record) });
    const stored = await readStored(run, row, known.id);
    const after = run.known.toKeys(row, await toFlat(run.call, row, stored));
    const diff = findDifferences(before, after, row.secrets ?? []);
    if (diff.length === 0) return false;
    const key = row.isSingle ? row.name : run.known.textOf(row.name, known.id);
    run.changes.push({ action: "update", family: row.name, key, etag: known.etag, diff });
    settled = run.known.put(row, stored);
    return true;
  });
  return settled;
}

function ownerOf({ row }: Item, record: Members): Members {
  return row.address === undefined ? {} : { [row.address]: record[row.address] };
}

/** The record that an item refers to; undefined for a new one, `unclear` for an ambiguous one, which is an error. */
async function findExisting(
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
