// For speed alone: 30,000 new members block the event loop for at most 70 ms of CPU, instead of 900
// (goal 27 of docs/internals/performance/goals.md).
import type { Timers } from "../ports/runtime.js";
import { isObjectOrList } from "./objects.js";

/** The number of items in one step of bulk work: short enough for other requests, with little overhead. */
export const chunkSize = 1_000;

/** The number of items from which writes run in steps. */
export const manyItems: number = 2 * chunkSize;

/** The maximum depth of counted lists. */
const listDepth = 3;

/** Whether the lists close to the root of a value have very many items together. */
export function hasManyItems(value: unknown): boolean {
  return countItems(value, listDepth) > manyItems;
}

function countItems(value: unknown, depth: number): number {
  if (!isObjectOrList(value) || depth === 0) return 0;
  if (Array.isArray(value)) return value.length;
  let count = 0;
  for (const member of Object.values(value)) count += countItems(member, depth - 1);
  return count;
}

/** The options of work in steps. */
export interface Steps {
  /** Yields between two steps. */
  readonly timers: Timers;
  /** The number of items in a step. Default {@link chunkSize}. */
  readonly size?: number | undefined;
}

/** Processes a long list in steps, in order. Other requests run between two steps; a list of one step is processed at once. */
export async function inChunks<Item>(
  { size = chunkSize, timers }: Steps,
  items: readonly Item[],
  work: (chunk: readonly Item[]) => void | Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await timers.nextTurn();
    await work(start === 0 && items.length <= size ? items : items.slice(start, start + size));
  }
}

/** The sizes of chunks, and of the steps that prepare them. Default: one step per chunk. */
interface PreparedSteps extends Steps {
  readonly size: number;
  readonly step?: number;
}

/** Like `inChunks`, but prepares the items of a chunk while the previous one is processed. */
export async function inPreparedChunks<Item, Prepared>(
  { size, step = size, timers }: PreparedSteps,
  items: readonly Item[],
  prepare: (item: Item) => Prepared,
  work: (chunk: readonly Prepared[]) => Promise<void>,
): Promise<void> {
  let working: Promise<void> | undefined;
  await inChunks({ size, timers }, items, async (chunk) => {
    const prepared: Prepared[] = [];
    const prepareAll = (part: readonly Item[]): void => {
      for (const item of part) prepared.push(prepare(item));
    };
    await inChunks({ size: step, timers }, chunk, prepareAll);
    await working;
    working = work(prepared);
    // The next `await` reports the error.
    working.catch(() => undefined);
  });
  await working;
}

/** Sorts texts in ascending order, in steps. */
export async function sortInSteps(steps: Steps, texts: readonly string[]): Promise<readonly string[]> {
  let runs: (readonly string[])[] = [];
  await inChunks(steps, texts, (chunk) => void runs.push(chunk.toSorted()));
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(steps, runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge({ timers }: Steps, a: readonly string[], b: readonly string[]): Promise<readonly string[]> {
  const merged: string[] = [];
  for (let [left, right] = [0, 0]; left < a.length || right < b.length; ) {
    const [first, second] = [a[left], b[right]];
    const isSecond = first === undefined || (second !== undefined && second < first);
    merged.push((isSecond ? second : first) as string);
    if (isSecond) right++;
    else left++;
    if (merged.length % manyItems === 0) await timers.nextTurn();
  }
  return merged;
}

// Shallow copies suffice for objects of strings, as in most long lists.
function copyItems(items: readonly unknown[], copy: Copy): readonly unknown[] {
  return items.every(holdsTextsOnly) ? items.map((item) => ({ ...(item as object) })) : (copy(items) as unknown[]);
}

function holdsTextsOnly(value: unknown): boolean {
  if (!isObjectOrList(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name of Reflect.ownKeys(value))
    if (typeof name !== "string" || typeof (value as Record<string, unknown>)[name] !== "string") return false;
  return true;
}

type Copy = (value: unknown) => unknown;

/** Copies a value with `copy`, and the lists close to the root in steps. */
export async function copyInSteps(steps: Steps, value: unknown, copy: Copy, depth: number = listDepth): Promise<unknown> {
  if (depth === 0 || !isObjectOrList(value) || "toJSON" in value) return copy(value);
  if (Array.isArray(value)) {
    const copies = await mapInChunks(steps, value, (items) => copyItems(items, copy));
    await steps.timers.nextTurn();
    return copies;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const copied = await copyInSteps(steps, member, copy, depth - 1);
    if (copied !== undefined) members.push([name, copied]);
  }
  return Object.fromEntries(members);
}

/** Filters a long list in chunks. */
export function filterInChunks<Item>(
  steps: Steps,
  items: readonly Item[],
  passes: (item: Item) => boolean,
): Promise<readonly Item[]> {
  return mapInChunks(steps, items, (chunk) => chunk.filter(passes));
}

/** Maps a long list in chunks. */
export async function mapInChunks<Item, Result>(
  steps: Steps,
  items: readonly Item[],
  map: (chunk: readonly Item[]) => readonly Result[] | Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  await inChunks(steps, items, async (chunk) => {
    for (const result of await map(chunk)) results.push(result);
  });
  return results;
}
