import type * as Zod from "zod";
import type { FieldErrorKind } from "../errors/codes.js";
import { foldText } from "../values/fold-text.js";

/**
 * The kinds of fields that the schemas of the families are made of. The message of each zod issue is an error kind
 * (errors/codes.ts), so that `parseWith` need not guess what a refusal means.
 */

// Loaded with the first body that is parsed: a start, and a service that is only read from, does without.
let z: typeof import("./schema-library.js");

/** Must have resolved before any schema is built. */
export async function loadSchemaLibrary(): Promise<void> {
  z ??= await import("./schema-library.js");
}

/** A schema whose parsed values are `T`. */
export type Schema<T> = Zod.ZodType<T>;

/** The longest indexed name, in UTF-16 units (decisions.md, Name length). */
export const maxNameLength = 191;

/** A schema that is built when it is first used: building all of them would cost every start. */
export type LazySchema<T> = () => Schema<T>;

/** Builds a schema when it is first used, and keeps it. */
export function lazily<T>(build: LazySchema<T>): LazySchema<T> {
  let schema: Schema<T> | undefined;
  return () => {
    schema ??= build();
    return schema;
  };
}

type Complaint = { readonly input?: unknown };

const whenAbsent =
  (absent: FieldErrorKind) =>
  (issue: Complaint): FieldErrorKind =>
    issue.input === undefined ? absent : "invalidJSON";

/** Text of any length; absent → `[blank]`. */
export function text(): Zod.ZodString {
  return z.string({ error: whenAbsent("blank") });
}

/** A text that is not blank, at most `maximum` UTF-16 units long. */
export function filledText(maximum: number): Zod.ZodString {
  return text()
    .refine((value) => value.trim() !== "", { error: "blank" })
    .max(maximum, { error: "tooLong" });
}

/** A required name: not blank, at most {@link maxNameLength} long. */
export function name(): Zod.ZodString {
  return filledText(maxNameLength);
}

/** A UUID of any version, in lower case afterwards. */
export function id(): Zod.ZodGUID {
  return z
    .guid({
      error: (issue: Complaint) => {
        if (issue.input === undefined) return "missing";
        return typeof issue.input === "string" ? "couldNotConvert" : "invalidJSON";
      },
    })
    .toLowerCase();
}

/** A list of ids that keeps one of each. */
export function idSet(): Schema<string[]> {
  return z
    .array(id(), { error: whenAbsent("missing") })
    .max(10_000, { error: "tooMany" })
    .overwrite((ids) => [...new Set(ids)]);
}

/** A list of texts. */
export function textList(): Zod.ZodArray<Zod.ZodString> {
  return z.array(text(), { error: whenAbsent("missing") });
}

/** A list of texts that keeps one of each, compared without case. */
export function textSet(): Schema<string[]> {
  return textList().overwrite((texts) => [...new Map(texts.map((value) => [foldText(value), value])).values()]);
}

/** true or false. */
export function flag(): Zod.ZodBoolean {
  return z.boolean({ error: whenAbsent("missing") });
}

/** A whole number within the bounds. */
export function integer(minimum: number, maximum: number): Zod.ZodNumber {
  return z
    .int({ error: whenAbsent("missing") })
    .min(minimum, { error: "invalid" })
    .max(maximum, { error: "invalid" });
}

/** Epoch milliseconds. */
export function instant(): Zod.ZodNumber {
  return integer(0, Number.MAX_SAFE_INTEGER);
}

/** One of a fixed list of texts. */
export function option<const Values extends readonly [string, ...string[]]>(
  values: Values,
): Zod.ZodEnum<{ [Value in Values[number]]: Value }> {
  return z.option(values, {
    error: (issue: Complaint) => {
      if (issue.input === undefined) return "missing";
      return typeof issue.input === "string" ? "invalidOption" : "invalidJSON";
    },
  });
}

/** The free metadata of a record: any JSON object, kept as it is. */
export function data(): Schema<Record<string, unknown>> {
  return z.record(z.string(), z.unknown(), { error: whenAbsent("missing") });
}

/** An object with these fields; others are ignored (decisions.md, Unknown properties). */
export function object<Shape extends Zod.ZodRawShape>(shape: Shape): Zod.ZodObject<Shape> {
  return z.object(shape, { error: whenAbsent("missing") });
}

/** A map with any keys and values of one kind. */
export function map<Value extends Zod.ZodType>(value: Value): Zod.ZodRecord<Zod.ZodString, Value> {
  return z.record(z.string(), value, { error: whenAbsent("missing") });
}

/** A list of one kind. */
export function list<Element extends Zod.ZodType>(element: Element): Zod.ZodArray<Element> {
  return z.array(element, { error: whenAbsent("missing") });
}

/** A list of one kind in which null stands for nothing: the elements that are left say what is meant. */
export function sparseList<Element extends Zod.ZodType>(element: Element): Zod.ZodArray<Zod.ZodNullable<Element>> {
  return list(element.nullable());
}
