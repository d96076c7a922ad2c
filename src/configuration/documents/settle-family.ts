import { valueAt } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import type { ConfigFamily } from "./config-families.js";
import type { ConfigRun } from "./config-run.js";
import { type ConfigFamilyName, foldKey, type Members, mapAt, suggest, toKeyText } from "./document.js";
import type { KnownRecords } from "./known-records.js";
import type { Item } from "./read-document.js";
import { settleRecord } from "./settle-record.js";

/** Creates or changes the records of a family, each after those of the family that it refers to. */
export async function settleFamily(run: ConfigRun, row: ConfigFamily, items: readonly Item[]): Promise<void> {
  const promises = Map.groupBy(items, (item) => promiseOf(row.name, requestedKey(run, item) ?? item.path));
  const promised: PendingItems = {
    isLater: (promise) => promises.get(promise)?.some((item) => !run.settled.has(item)) === true,
    isFailed: (promise) => hasFailed(run, promise),
    isChanging: (id) => items.some((item) => !run.settled.has(item) && isAbout(run, item, id)),
  };
  let waiting = items;
  while (waiting.length > 0) {
    const left: Item[] = [];
    for (const item of waiting) if (!(await settleItem(run, item, promised))) left.push(item);
    if (left.length === waiting.length) return refuseCycle(run, row, left);
    waiting = left;
  }
}

/** Returns false if the item has to wait for another. */
async function settleItem(run: ConfigRun, item: Item, promised: PendingItems): Promise<boolean> {
  const isLost = item.parent !== undefined && run.settled.get(item.parent) === undefined;
  const { flat, outcome } = isLost ? { flat: {}, outcome: "fails" } : resolveReferences(run, item, promised);
  if (outcome === "waits") return false;
  const { documentForm } = await item.row.load();
  if (outcome === "fits" && documentForm?.readsAfter(flat).some(promised.isChanging)) return false;
  const known = outcome === "fails" ? undefined : await settleRecord(run, item, flat);
  run.settled.set(item, known);
  if (known !== undefined) run.spokenOf.set(`${item.row.name} ${known.id}`, item.path);
  return true;
}

function isAbout(run: ConfigRun, item: Item, id: string): boolean {
  if (item.id !== undefined) return item.id === id;
  return foldKey(requestedKey(run, item) ?? "") === foldKey(run.known.textOf(item.row.name, id));
}

// Report a faulty record once, and not again for each reference to it.
function hasFailed(run: ConfigRun, promise: string): boolean {
  return [...run.settled].some(
    ([item, known]) => known === undefined && promise === promiseOf(item.row.name, requestedKey(run, item) ?? item.path),
  );
}

function refuseCycle(run: ConfigRun, row: ConfigFamily, items: readonly Item[]): void {
  const keys = items.map((item) => requestedKey(run, item)).join(", ");
  const paths = Object.entries(row.references).flatMap(([path, name]) => (name === row.name ? [path] : []));
  for (const item of items) {
    run.settled.set(item, undefined);
    for (const path of paths) run.errors.add("invalid", `${item.path}.${path}`, `These name each other in a circle: ${keys}.`);
  }
}

interface Resolved {
  /** The record with ids in place of keys. */
  readonly flat: Members;
  /** `waits`: a referenced record comes later in the document. `fails`: it or this record has an error. */
  readonly outcome: "fits" | "waits" | "fails";
}

interface PendingItems {
  readonly isLater: (promise: string) => boolean;
  readonly isFailed: (promise: string) => boolean;
  /** Whether an existing record comes later in the document. */
  readonly isChanging: (id: string) => boolean;
}

/** The identifier of a record that the document will create. */
function promiseOf(name: ConfigFamilyName, key: string): string {
  return `${name} ${foldKey(key)}`;
}

/** The most records to search for a similar name. */
const maxSuggested = 1_000;

/** The record of an item with ids in place of keys. */
function resolveReferences(run: ConfigRun, item: Item, promised: PendingItems): Resolved {
  const { row, path } = item;
  let outcome: Resolved["outcome"] = "fits";
  const resolve = (name: ConfigFamilyName, text: unknown, at: string): unknown => {
    if (typeof text !== "string" || text === "") return text;
    const id = parseUuid(text);
    if (id !== undefined && run.known.get(name, id) !== undefined) return id;
    const [found, another] = run.known.findAll(name, text);
    if (found !== undefined && another === undefined) return found.id;
    if (another === undefined && id !== undefined) return id;
    const promise = promiseOf(name, text);
    if (found === undefined && promised.isLater(promise)) outcome = outcome === "fails" ? "fails" : "waits";
    else outcome = "fails";
    if (outcome === "fails" && !promised.isFailed(promise)) {
      const why =
        found === undefined
          ? `There is no ${text} among the ${name}.`
          : `There are several ${text} among the ${name}: say an id.`;
      run.errors.add(
        "invalid",
        `${path}.${at}`,
        why + (found === undefined ? suggest(text, run.known.keys(name).slice(0, maxSuggested)) : ""),
      );
    }
    return text;
  };
  let flat: unknown = withOwner(run, item);
  for (const [at, name] of Object.entries(row.references)) flat = mapAt(flat, at, (text, where) => resolve(name, text, where));
  return { flat: flat as Members, outcome };
}

// A nested record belongs to its parent, and a record without a tenant to the only one.
function withOwner(run: ConfigRun, { row, given, parent }: Item): Members {
  if (parent !== undefined) return { ...given, [row.address ?? ""]: run.settled.get(parent)?.id };
  if (row.key[0] !== "tenantId" || given.tenantId !== undefined) return given;
  const tenantId = onlyTenantId(run.known);
  return tenantId === undefined ? given : { ...given, tenantId };
}

function onlyTenantId(known: KnownRecords): string | undefined {
  const [tenant, another] = known.all("tenants");
  return another === undefined ? tenant?.id : undefined;
}

/** The key of an item, as far as the document alone determines it. */
function requestedKey(run: ConfigRun, item: Item): string | undefined {
  const parts = item.row.key.map((path) => partOfKey(run, item, path));
  return parts.every((part) => part !== undefined) ? parts.join("/") : undefined;
}

function partOfKey(run: ConfigRun, { row, given, parent }: Item, path: string): string | undefined {
  if (parent !== undefined && path === row.address) return requestedKey(run, parent);
  const value = valueAt(given, path);
  if (typeof value !== "string") return path === "tenantId" ? keyOfOnlyTenant(run) : undefined;
  return isReference(row, path) ? value : toKeyText([value]);
}

function keyOfOnlyTenant({ known }: ConfigRun): string | undefined {
  const id = onlyTenantId(known);
  return id === undefined ? undefined : known.textOf("tenants", id);
}

function isReference({ references }: ConfigFamily, path: string): boolean {
  return Object.hasOwn(references, path);
}
