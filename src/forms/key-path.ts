import { isObjectOrList } from "../shared/objects.js";
/** The way from the objects of a form to a value: names of members and positions in lists. */
export type KeyPath = readonly (string | number)[];

type Members = Record<string | number, unknown>;

/** The way that the key of a form field describes: `user.data.pets[0]['name']` is user, data, pets, 0, name. */
export function parseKey(key: string): KeyPath {
  const steps = key.matchAll(/\[(\d+)\]|\['([^']*)'\]|([^.[\]]+)/g);
  return Array.from(steps, ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? "") : Number(index)));
}

/** What stands at a path; undefined where nothing does. What every object inherits is nothing. */
export function readAt(root: unknown, path: KeyPath): unknown {
  return path.reduce(memberOf, root);
}

function memberOf(parent: unknown, name: string | number): unknown {
  return isContainer(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
}

/**
 * Puts a value at a path of objects that may be changed; what is missing on the way is made. Undefined takes away what is there.
 * False, and nothing is changed, where something of another kind is in the way: the value has no place.
 */
export function writeAt(root: object, path: KeyPath, value: unknown): boolean {
  if (value === undefined && readAt(root, path) === undefined) return true;
  const [name = "", ...rest] = path;
  if (Array.isArray(root) !== (typeof name === "number")) return false;
  if (rest.length === 0) return put(root as Members, name, value);
  const next = memberOf(root, name) ?? (typeof rest[0] === "number" ? [] : {});
  return isContainer(next) && writeAt(next, rest, value) && put(root as Members, name, next);
}

// A list keeps the positions of what stands behind.
function put(parent: Members, name: string | number, value: unknown): true {
  if (Array.isArray(parent)) while (parent.length < Number(name)) parent.push(null);
  if (value === undefined && !Array.isArray(parent)) delete parent[name];
  else parent[name] = value ?? null;
  return true;
}

function isContainer(value: unknown): value is Members {
  return isObjectOrList(value);
}
