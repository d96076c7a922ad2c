import type { ConfigFamily } from "./config-families.js";
import type { ConfigRun } from "./config-run.js";
import type { Item } from "./read-document.js";
import { type PendingItems, promiseOf, requestedKey, resolveReferences } from "./resolve-references.js";
import { settleRecord } from "./settle-record.js";

/** Makes or changes the records of a family. Those that name others of it come behind them, however the document orders them. */
export async function settleFamily(run: ConfigRun, row: ConfigFamily, items: readonly Item[]): Promise<void> {
  const promises = Map.groupBy(items, (item) => promiseOf(row.name, requestedKey(run, item) ?? item.path));
  const promised: PendingItems = {
    isLater: (promise) => promises.get(promise)?.some((item) => !run.settled.has(item)) === true,
    isFailed: (promise) => hasFailed(run, promise),
  };
  let waiting = items;
  while (waiting.length > 0) {
    const left: Item[] = [];
    for (const item of waiting) if (!(await settleItem(run, item, promised))) left.push(item);
    if (left.length === waiting.length) return refuseCycle(run, row, left);
    waiting = left;
  }
}

/** Answers whether the item need not wait for another. */
async function settleItem(run: ConfigRun, item: Item, promised: PendingItems): Promise<boolean> {
  const isLost = item.parent !== undefined && run.settled.get(item.parent) === undefined;
  const { flat, outcome } = isLost ? { flat: {}, outcome: "fails" } : resolveReferences(run, item, promised);
  if (outcome === "waits") return false;
  const known = outcome === "fails" ? undefined : await settleRecord(run, item, flat);
  run.settled.set(item, known);
  if (known !== undefined) run.spokenOf.set(`${item.row.name} ${known.id}`, item.path);
  return true;
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
