import type { FieldErrorKind } from "../../errors/codes.js";
import { FieldErrorList } from "../../errors/identity-error.js";
import type { FormField } from "../../records/form-fields/schema.js";
import type { FormObjects } from "../../records/forms/schema.js";
import { isObjectOrList, memberOf } from "../../shared/objects.js";
import { type Entry, isBox, type RequestedField, readEntry } from "./read-entry.js";

/** What is to be validated. */
interface ValidationInput {
  readonly fields: readonly RequestedField[];
  /** What was entered, by the keys of fields, and again as `confirm.<key>`. Undefined: the values of the objects are validated. */
  readonly submission: Readonly<Record<string, unknown>> | undefined;
  /** Asked once the rest of a value is right. */
  readonly matches: (field: FormField, text: string) => Promise<boolean>;
}

/**
 * Validates the values entered into fields, and assigns them to the paths that their keys name; a field that was left empty takes its value
 * away. The objects are changed. Answers all refusals, by the keys of fields (docs/reference/errors.md#codes-by-family, form submissions).
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

/** The refusal of a required field that was left empty. */
export function emptyFieldError({ control, type }: FormField): "blank" | "missing" {
  const isText = type === "string" || type === "email" || type === "phoneNumber";
  return isText && control !== "select" ? "blank" : "missing";
}

// An empty field leaves an existing password unchanged: passwords are never shown.
function isRequired({ user }: FormObjects, { key, required }: FormField): boolean {
  return required && !(key === "user.password" && typeof user.id === "string");
}

function isConfirmed(asked: RequestedField, entry: Entry, submission: Readonly<Record<string, unknown>>): boolean {
  const again = readEntry(asked, memberOf(submission, `confirm.${asked.field.key}`));
  return JSON.stringify(again.texts) === JSON.stringify(entry.texts);
}

// The birth date of a user has no time.
function toKeptValue({ key }: FormField, value: unknown): unknown {
  return key === "user.birthDate" ? String(value).slice(0, "YYYY-MM-DD".length) : value;
}

function emptyValue(field: FormField): unknown {
  return isBox(field) ? false : undefined;
}

function noPlace(key: string): string {
  return `The value of [${key}] has no place: something of another kind is on the way.`;
}

/** The way from the objects of a form to a value: names of members and positions in lists. */
type KeyPath = readonly (string | number)[];

type Members = Record<string | number, unknown>;

/** The way that the key of a form field describes: `user.data.pets[0]['name']` is user, data, pets, 0, name. */
export function parseKey(key: string): KeyPath {
  const steps = key.matchAll(/\[(\d+)\]|\['([^']*)'\]|([^.[\]]+)/g);
  return Array.from(steps, ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? "") : Number(index)));
}

/** What stands at a path; undefined where nothing does. What every object inherits is nothing. */
export function readAt(root: unknown, path: KeyPath): unknown {
  return path.reduce(stepOf, root);
}

function stepOf(parent: unknown, name: string | number): unknown {
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
  const next = stepOf(root, name) ?? (typeof rest[0] === "number" ? [] : {});
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
