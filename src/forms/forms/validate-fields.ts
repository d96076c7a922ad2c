import type { FieldErrorKind } from "../../errors/codes.js";
import { FieldErrorList } from "../../errors/identity-error.js";
import type { FormField } from "../../records/form-fields/schema.js";
import type { FormObjects } from "../../records/forms/schema.js";
import { isObjectOrList, memberOf } from "../../shared/objects.js";
import { type Entry, isBox, type RequestedField, readEntry } from "./read-entry.js";

interface ValidationInput {
  readonly fields: readonly RequestedField[];
  /** The input by the keys of fields, and repeated as `confirm.<key>`. Undefined: the values of the objects are validated. */
  readonly submission: Readonly<Record<string, unknown>> | undefined;
  /** Called once the rest of a value is valid. */
  readonly matches: (field: FormField, text: string) => Promise<boolean>;
}

/**
 * Validates the input for fields, and writes it into the objects at the paths of the keys; an empty field removes its value.
 * Returns all errors, by the keys of fields (docs/reference/errors.md#codes-by-family, form submissions).
 */
export async function validateFields(
  objects: FormObjects,
  { fields, submission, matches }: ValidationInput,
): Promise<FieldErrorList> {
  const errors = new FieldErrorList();
  for (const asked of fields) {
    const { field } = asked;
    const path = parseKey(field.key);
    const entry = readEntry(asked, submission === undefined ? readAt(objects, path) : memberOf(submission, field.key));
    const kind = await findFault(objects, field, entry, matches);
    if (kind !== undefined) errors.add(kind, field.key);
    if (submission !== undefined && field.confirm && !isConfirmed(asked, entry, submission)) errors.add("doNotMatch", field.key);
    const value = entry.kind === "given" ? toKeptValue(field, entry.value) : emptyValue(field);
    if (kind === undefined && !writeAt(objects, path, value)) errors.add("invalid", field.key, noPlace(field.key));
  }
  return errors;
}

async function findFault(
  objects: FormObjects,
  field: FormField,
  entry: Entry,
  matches: ValidationInput["matches"],
): Promise<FieldErrorKind | undefined> {
  if (entry.kind === "absent") return isRequired(objects, field) ? emptyFieldError(field) : undefined;
  if (entry.kind === "invalid") return "invalid";
  for (const text of entry.texts) if (!(await matches(field, text))) return "invalid";
  return undefined;
}

/** Returns the error of an empty required field. */
export function emptyFieldError({ control, type }: FormField): "blank" | "missing" {
  const isText = type === "string" || type === "email" || type === "phoneNumber";
  return isText && control !== "select" ? "blank" : "missing";
}

// An empty field leaves an existing password unchanged, because passwords are never shown.
function isRequired({ user }: FormObjects, { key, required }: FormField): boolean {
  return required && !(key === "user.password" && typeof user.id === "string");
}

function isConfirmed(asked: RequestedField, entry: Entry, submission: Readonly<Record<string, unknown>>): boolean {
  const again = readEntry(asked, memberOf(submission, `confirm.${asked.field.key}`));
  return JSON.stringify(again.texts) === JSON.stringify(entry.texts);
}

// A birth date has no time.
function toKeptValue({ key }: FormField, value: unknown): unknown {
  return key === "user.birthDate" ? String(value).slice(0, "YYYY-MM-DD".length) : value;
}

function emptyValue(field: FormField): unknown {
  return isBox(field) ? false : undefined;
}

function noPlace(key: string): string {
  return `The value of [${key}] has no place: something of another kind is on the way.`;
}

/** The path from the objects of a form to a value: names of members and indexes of lists. */
type KeyPath = readonly (string | number)[];

type Members = Record<string | number, unknown>;

/** Parses the key of a form field: `user.data.pets[0]['name']` is user, data, pets, 0, name. */
export function parseKey(key: string): KeyPath {
  const steps = key.matchAll(/\[(\d+)\]|\['([^']*)'\]|([^.[\]]+)/g);
  return Array.from(steps, ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? "") : Number(index)));
}

/** Returns the own value at a path, without inherited members; undefined for none. */
export function readAt(root: unknown, path: KeyPath): unknown {
  return path.reduce(stepOf, root);
}

function stepOf(parent: unknown, name: string | number): unknown {
  return isContainer(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
}

/**
 * Sets a value at a path and creates missing parents. Undefined removes the value. Returns false, without changes, if a value on
 * the path is of another kind.
 */
export function writeAt(root: object, path: KeyPath, value: unknown): boolean {
  if (value === undefined && readAt(root, path) === undefined) return true;
  const [name = "", ...rest] = path;
  if (Array.isArray(root) !== (typeof name === "number")) return false;
  if (rest.length === 0) return put(root as Members, name, value);
  const next = stepOf(root, name) ?? (typeof rest[0] === "number" ? [] : {});
  return isContainer(next) && writeAt(next, rest, value) && put(root as Members, name, next);
}

// Removing an item of a list keeps the indexes of later items.
function put(parent: Members, name: string | number, value: unknown): true {
  if (Array.isArray(parent)) while (parent.length < Number(name)) parent.push(null);
  if (value === undefined && !Array.isArray(parent)) delete parent[name];
  else parent[name] = value ?? null;
  return true;
}

function isContainer(value: unknown): value is Members {
  return isObjectOrList(value);
}
