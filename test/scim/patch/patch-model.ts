// A slow, obvious PATCH on a user and a group, which knows neither paths nor schemas: what random operations are compared with.

/** The parts of a value of a list. */
export type Parts = Readonly<Record<string, unknown>>;
type State = Record<string, unknown>;

/** A filter as text, as a predicate, and what a value must have that is created by it. */
export interface ModelFilter {
  readonly text: string;
  readonly test: (parts: Parts) => boolean;
  readonly demands?: Parts;
}

/** An operation, described without a path. `null` clears. */
export type ModelOperation = { readonly op: "add" | "replace" | "remove" } & (
  | { readonly kind: "whole"; readonly name: string; readonly extension?: string; readonly value: unknown }
  | { readonly kind: "part"; readonly name: string; readonly sub: string; readonly value: unknown }
  | { readonly kind: "list"; readonly name: string; readonly items: readonly Parts[] | undefined }
  | {
      readonly kind: "selected";
      readonly name: string;
      readonly filter: ModelFilter;
      readonly sub?: string;
      readonly value: unknown;
    }
);

/** What the model refuses, by the cause on the wire. */
export class Refused extends Error {}

const lower = (value: unknown): string => (typeof value === "string" ? value.toLowerCase() : "");

// Members are one by value; values of other lists by value and type, or by all that they have.
function sameAs(name: string, one: Parts): (other: Parts) => boolean {
  if (name === "members") return (other) => other.value === one.value;
  if (one.value === undefined)
    return (other) => other.value === undefined && lower(other.type) === lower(one.type) && other.display === one.display;
  return (other) => lower(other.value) === lower(one.value) && lower(other.type) === lower(one.type);
}

function distinct(name: string, items: readonly Parts[]): readonly Parts[] {
  const found: Parts[] = [];
  for (const item of items) if (!found.some(sameAs(name, item))) found.push(item);
  if (found.filter(({ primary }) => primary === true).length > 1) throw new Refused("invalidValue");
  return found;
}

// Puts a changed value in its place; a double of it goes, and no other one stays primary.
function put(
  name: string,
  items: readonly Parts[],
  { index, item }: { readonly index: number; readonly item: Parts },
): readonly Parts[] {
  const isSame = sameAs(name, item);
  const placed = index === -1 ? [...items, item] : items.map((other, at) => (at === index ? item : other));
  const single = placed.filter((other) => other === item || !isSame(other));
  return item.primary === true
    ? single.map((other) => (other === item || other.primary !== true ? other : { ...other, primary: false }))
    : single;
}

function addTo(name: string, items: readonly Parts[], item: Parts): readonly Parts[] {
  const index = items.findIndex(sameAs(name, item));
  const old = items[index] ?? {};
  return put(name, items, { index, item: name === "members" ? { ...item, ...old } : { ...old, ...item } });
}

function isLike(name: string, item: Parts): (other: Parts) => boolean {
  if (name === "members") return (other) => other.value === item.value;
  return (other) =>
    Object.entries(item).every(([part, value]) =>
      typeof value === "string" ? lower(other[part]) === lower(value) : other[part] === value,
    );
}

function changeList(
  name: string,
  before: readonly Parts[],
  { op, items }: { op: string; items: readonly Parts[] | undefined },
): readonly Parts[] {
  const given = items === undefined ? undefined : distinct(name, items);
  if (op === "remove") return given === undefined ? [] : before.filter((item) => !given.some((one) => isLike(name, one)(item)));
  return (given ?? []).reduce((list, item) => addTo(name, list, item), op === "replace" ? [] : before);
}

type Selected = Extract<ModelOperation, { kind: "selected" }>;

function withPart(item: Parts, sub: string, value: unknown): Parts | undefined {
  const { [sub]: _, ...others } = item;
  if (value !== null) return { ...item, [sub]: value };
  return Object.keys(others).length === 0 ? undefined : others;
}

function changeItem(item: Parts, { op, sub, value }: Selected): Parts | undefined {
  if (op === "remove") return sub === undefined ? undefined : withPart(item, sub, null);
  if (value === null) return op === "add" ? item : sub === undefined ? undefined : withPart(item, sub, null);
  return sub === undefined ? { ...item, ...(value as Parts) } : { ...item, [sub]: value };
}

function changeSelected(before: readonly Parts[], operation: Selected): readonly Parts[] {
  const { op, name, filter, sub, value } = operation;
  const selected = before.filter(filter.test);
  if (selected.length === 0 && op !== "remove") {
    const mayCreate = value !== null && (sub !== undefined || op === "add");
    if (!mayCreate || filter.demands === undefined) throw new Refused("noTarget");
    return addTo(name, before, { ...filter.demands, ...(sub === undefined ? (value as Parts) : { [sub]: value }) });
  }
  return changeEach(before, selected, operation);
}

// The values keep their place while they change, so they are found by it.
function changeEach(before: readonly Parts[], selected: readonly Parts[], operation: Selected): readonly Parts[] {
  let places = before.map((item, id) => ({ id, item }));
  for (const id of selected.map((item) => before.indexOf(item))) {
    const index = places.findIndex((place) => place.id === id);
    const place = places[index];
    if (place === undefined) continue;
    const next = changeItem(place.item, operation);
    if (next === undefined) places = places.filter((other) => other !== place);
    else {
      const items = put(
        operation.name,
        places.map(({ item }) => item),
        { index, item: next },
      );
      places = keepPlaces(places, { index, next, items, name: operation.name });
    }
  }
  return places.map(({ item }) => item);
}

interface Step {
  readonly index: number;
  readonly next: Parts;
  readonly items: readonly Parts[];
  readonly name: string;
}

function keepPlaces(places: { id: number; item: Parts }[], { index, next, items, name }: Step): { id: number; item: Parts }[] {
  const isSame = sameAs(name, next);
  const left = places.filter(({ item }, at) => at === index || !isSame(item));
  return left.map(({ id }, at) => ({ id, item: items[at] ?? {} }));
}

function changeWhole(
  state: State,
  { op, name, value }: { readonly op: string; readonly name: string; readonly value: unknown },
): void {
  if (op === "add" && value === null) return;
  if (op === "remove" || value === null) delete state[name];
  else if (typeof value === "object" && Object.keys(value ?? {}).length === 0) return;
  else if (typeof value === "object") state[name] = { ...(state[name] as Parts), ...value };
  else state[name] = value;
}

function changePart(state: State, { op, name, sub, value }: Extract<ModelOperation, { kind: "part" }>): void {
  if (op === "add" && value === null) return;
  const next = withPart((state[name] ?? {}) as Parts, sub, op === "remove" ? null : value);
  if (next === undefined) delete state[name];
  else state[name] = next;
}

function setList(state: State, name: string, items: readonly Parts[]): void {
  if (items.length === 0) delete state[name];
  else state[name] = items;
}

function apply(state: State, operation: ModelOperation): void {
  const list = (state[operation.name] ?? []) as readonly Parts[];
  if (operation.kind === "list") setList(state, operation.name, changeList(operation.name, list, operation));
  else if (operation.kind === "selected") setList(state, operation.name, changeSelected(list, operation));
  else if (operation.kind === "part") changePart(state, operation);
  else if (operation.extension === undefined) changeWhole(state, operation);
  else {
    const extension = { ...(state[operation.extension] as Parts) };
    changeWhole(extension, operation);
    if (Object.keys(extension).length === 0) delete state[operation.extension];
    else state[operation.extension] = extension;
  }
}

/** Returns the state after the operations, or the cause of the refusal. */
export function patchModel(before: Parts, operations: readonly ModelOperation[]): Parts | string {
  const state: State = structuredClone(before) as State;
  try {
    for (const operation of operations) if (operation.kind === "list") distinct(operation.name, operation.items ?? []);
    for (const operation of operations) apply(state, operation);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return state;
}
