import { isObject } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import type { BaseRecord, Family, KeyKind } from "./family.js";

type KeyedFamily = Pick<Family<BaseRecord, unknown>, "wrapper" | "keyedMaps">;
type Members = Readonly<Record<string, unknown>>;

/**
 * A body whose maps have one spelling of each key, so that merges and comparisons find the same entry. `document`: the request
 * document that the body patches, whose spelling wins. Of two spellings in one body, the last counts, as in JSON.
 */
export function normalizeKeys(family: KeyedFamily, body: unknown, document?: Members): unknown {
  return withUniformValue(mapsOf(family), body, document);
}

/** The operations of a JSON Patch with the same spellings, in pointers and in values. */
export function normalizePointers(family: KeyedFamily, operations: unknown, document: Members): unknown {
  const maps = mapsOf(family);
  if (maps.length === 0 || !Array.isArray(operations)) return operations;
  return operations.map((operation: unknown) => {
    if (!isObject(operation)) return operation;
    const { path, from, value, ...others } = operation;
    const tokens = typeof path === "string" ? path.split("/").slice(1) : [];
    const inner = maps.flatMap((map) => (isPrefix(tokens, map.path) ? [{ ...map, path: map.path.slice(tokens.length) }] : []));
    return {
      ...others,
      ...(path !== undefined && { path: uniformPointer(maps, path, document) }),
      ...(from !== undefined && { from: uniformPointer(maps, from, document) }),
      ...("value" in operation && { value: withUniformValue(inner, value, memberAt(document, tokens)) }),
    };
  });
}

interface KeyedMap {
  /** From the root of the value. */
  readonly path: readonly string[];
  readonly kind: KeyKind;
}

function mapsOf({ keyedMaps = {}, wrapper }: KeyedFamily): readonly KeyedMap[] {
  return Object.entries(keyedMaps).map(([path, kind]) => ({ path: [wrapper, ...path.split(".")], kind }));
}

function withUniformValue(maps: readonly KeyedMap[], value: unknown, document: unknown): unknown {
  return maps.reduce((whole, map) => changeAt(whole, map, document), value);
}

function changeAt(value: unknown, { path: [name, ...path], kind }: KeyedMap, document: unknown): unknown {
  if (!isObject(value)) return value;
  if (name === undefined) return uniformMap(value, document, kind);
  if (!Object.hasOwn(value, name)) return value;
  return { ...value, [name]: changeAt(value[name], { path, kind }, memberAt(document, [name])) };
}

function uniformMap(map: Members, document: unknown, kind: KeyKind): Members {
  const spell = createSpelling(document, kind);
  const uniform = new Map<string, unknown>();
  for (const [key, value] of Object.entries(map)) uniform.set(spell(key), value);
  return Object.fromEntries(uniform);
}

function uniformPointer(maps: readonly KeyedMap[], pointer: unknown, document: Members): unknown {
  if (typeof pointer !== "string") return pointer;
  const [root = "", ...tokens] = pointer.split("/");
  const map = maps.find(({ path }) => tokens.length > path.length && isPrefix(path, tokens));
  if (map === undefined) return pointer;
  const { length } = map.path;
  const key = tokens[length]?.replaceAll("~1", "/").replaceAll("~0", "~") ?? "";
  const spelled = createSpelling(memberAt(document, map.path), map.kind)(key).replaceAll("~", "~0").replaceAll("/", "~1");
  return [root, ...tokens.with(length, spelled)].join("/");
}

function createSpelling(document: unknown, kind: KeyKind): (key: string) => string {
  if (kind === "id") return (key) => parseUuid(key) ?? key;
  const known = new Map<string, string>();
  const spell = (key: string): string => {
    const folded = key.toLowerCase();
    const spelling = known.get(folded) ?? key;
    known.set(folded, spelling);
    return spelling;
  };
  if (isObject(document)) Object.keys(document).forEach(spell);
  return spell;
}

function isPrefix(start: readonly string[], whole: readonly string[]): boolean {
  return start.length <= whole.length && start.every((name, index) => name === whole[index]);
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined), value);
}
