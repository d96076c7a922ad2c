import type * as z from "zod";
import { describeOptions, type FieldErrorKind, fieldErrorCodes } from "../../errors/codes.js";
import { FieldErrorList, generalError } from "../../errors/identity-error.js";
import { isObject, isObjectOrList } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import type { Schema } from "./fields.js";

/** A schema that is loaded on first use: otherwise the schemas of all bodies would take most of a start. */
export type LazySchema<T> = () => Schema<T> | Promise<Schema<T>>;

// An option of the library since 4.6, missing in its types.
const firstOnly = { reportInput: false, abortEarly: true };

/**
 * Parses a request body with a schema. Members that are null count as absent (docs/reference/wire.md). `toPath` writes the paths
 * of errors.
 * @throws IdentityError 400 with all field errors at once; a body that is no object is `[invalidJSON]`.
 */
export async function parseWith<T>(
  schema: LazySchema<T>,
  body: unknown,
  toPath: (segments: readonly PropertyKey[]) => string = formatPath,
): Promise<T> {
  const input = withoutNulls(body ?? {});
  if (typeof input !== "object" || Array.isArray(input)) throw generalError("invalidJSON", "The body must be a JSON object.");
  const parser = await schema();
  // Valid values take one fast pass; invalid ones a second pass that collects all faults.
  const result = parser.safeParse(input, firstOnly);
  if (result.success) return result.data;
  throw toFieldErrors(parser, input, toPath).toError();
}

function toFieldErrors(
  parser: Schema<unknown>,
  input: unknown,
  toPath: (segments: readonly PropertyKey[]) => string,
): FieldErrorList {
  const errors = new FieldErrorList();
  const take = (issue: z.core.$ZodIssue, segments: readonly PropertyKey[]): boolean => {
    const [kind, path] = [toKind(issue), toPath(segments)];
    errors.add(kind, path, withExplanation(kind, fieldErrorCodes[kind].message(path), issue));
    return !errors.isFull;
  };
  collectIssues(parser, input, take);
  return errors;
}

// Adds the allowed values, or the explanation of a custom check.
function withExplanation(kind: FieldErrorKind, message: string, issue: z.core.$ZodIssue): string {
  if (kind === "invalidOption" && issue.code === "invalid_value") return `${message} ${describeOptions(issue.values)}`;
  const explanation: unknown = issue.code === "custom" ? issue.params?.explanation : undefined;
  return typeof explanation === "string" ? `${message} ${explanation}` : message;
}

const kindByIssue: Partial<Record<z.core.$ZodIssue["code"], FieldErrorKind>> = {
  invalid_type: "invalidJSON",
  invalid_value: "invalidOption",
  too_big: "tooLong",
};

function toKind(issue: z.core.$ZodIssue): FieldErrorKind {
  if (Object.hasOwn(fieldErrorCodes, issue.message)) return issue.message as FieldErrorKind;
  return kindByIssue[issue.code] ?? "invalid";
}

/** The same value without null members, at any depth; the identical value when there are none. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return mapChanged(value);
  if (!isObjectOrList(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutNulls(member);
    if (kept === member && kept !== null) continue;
    copy ??= { ...value };
    if (kept === null) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}

function mapChanged(array: readonly unknown[]): unknown {
  const mapped = array.map(withoutNulls);
  return mapped.every((item, index) => item === array[index]) ? array : mapped;
}

type Path = readonly PropertyKey[];

/** Takes an issue with its path; returns whether to continue. */
type CollectIssue = (issue: z.core.$ZodIssue, path: Path) => boolean;

/** Longer lists and maps are validated item by item. */
const longSize = 100;

/**
 * Collects the faults of a value up to a limit. Validates long lists and maps item by item: all at once, the library takes far
 * longer for very many faults than for valid values. When each item is valid, validates the whole, to find lists that are too
 * long.
 */
function collectIssues(schema: Schema<unknown>, value: unknown, take: CollectIssue, path: Path = []): boolean {
  const parts = holdsLong(value) ? partsOf(schema, value) : undefined;
  if (parts !== undefined) {
    let isRight = true;
    const takeOfPart: CollectIssue = (issue, at) => {
      isRight = false;
      return take(issue, at);
    };
    const goesOn = parts.every(([part, key]) => collectIssues(part, memberOf(value, key), takeOfPart, [...path, key]));
    if (!isRight) return goesOn;
  }
  const { error } = schema.safeParse(value);
  return error === undefined || error.issues.every((issue) => take(issue, [...path, ...issue.path]));
}

function partsOf(schema: Schema<unknown>, value: unknown): readonly (readonly [Schema<unknown>, PropertyKey])[] | undefined {
  const { element, shape, valueType } = definitionOf(schema);
  if (element !== undefined && Array.isArray(value)) return value.map((_, index) => [element, index]);
  if (!isObject(value)) return undefined;
  if (valueType !== undefined) return Object.keys(value).map((key) => [valueType, key]);
  return shape && Object.entries(shape).map(([name, member]) => [member, name]);
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  const members = value as Readonly<Record<PropertyKey, unknown>>;
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

function holdsLong(value: unknown): boolean {
  if (!isObjectOrList(value)) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length > longSize || members.some(holdsLong);
}

interface SchemaDefinition {
  readonly type: string;
  readonly element?: Schema<unknown>;
  readonly shape?: Readonly<Record<string, Schema<unknown>>>;
  readonly valueType?: Schema<unknown>;
}

type Wrapper = SchemaDefinition & { readonly innerType?: Schema<unknown>; readonly in?: Schema<unknown> };

/** The definition of a schema, without wrappers such as defaults. */
export function definitionOf(schema: Schema<unknown>): SchemaDefinition {
  const definition = schema._zod.def as Wrapper;
  const inner = definition.innerType ?? definition.in;
  return inner === undefined ? definition : definitionOf(inner);
}
