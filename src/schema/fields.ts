import * as z from "zod";
import type { FieldErrorKind } from "../errors/codes.js";
import { foldText } from "../values/fold-text.js";

/**
 * The kinds of fields that the schemas of the families are made of. The message of each zod issue is an error kind
 * (errors/codes.ts), so that `parseWith` need not guess what a refusal means.
 */

/** A schema whose parsed values are `T`. */
export type Schema<T> = z.ZodType<T>;

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
export function text(): z.ZodString {
  return z.string({ error: whenAbsent("blank") });
}

/** A required name: not blank, at most {@link maxNameLength} long. */
export function name(): z.ZodString {
  return text()
    .refine((value) => value.trim() !== "", { error: "blank" })
    .max(maxNameLength, { error: "tooLong" });
}

/** A UUID of any version, in lower case afterwards. */
export function id(): z.ZodGUID {
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
export function textList(): z.ZodArray<z.ZodString> {
  return z.array(text(), { error: whenAbsent("missing") });
}

/** A list of texts that keeps one of each, compared without case. */
export function textSet(): Schema<string[]> {
  return textList().overwrite((texts) => [...new Map(texts.map((value) => [foldText(value), value])).values()]);
}

/** true or false. */
export function flag(): z.ZodBoolean {
  return z.boolean({ error: whenAbsent("missing") });
}

/** A whole number within the bounds. */
export function integer(minimum: number, maximum: number): z.ZodNumber {
  return z
    .int({ error: whenAbsent("missing") })
    .min(minimum, { error: "invalid" })
    .max(maximum, { error: "invalid" });
}

/** Epoch milliseconds. */
export function instant(): z.ZodNumber {
  return integer(0, Number.MAX_SAFE_INTEGER);
}

/** One of a fixed list of texts. */
export function option<const Values extends readonly [string, ...string[]]>(
  values: Values,
): z.ZodEnum<{ [Value in Values[number]]: Value }> {
  return z.enum(values, {
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
export function object<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.object(shape, { error: whenAbsent("missing") });
}

/** A map with any keys and values of one kind. */
export function map<Value extends z.ZodType>(value: Value): z.ZodRecord<z.ZodString, Value> {
  return z.record(z.string(), value, { error: whenAbsent("missing") });
}

/** A list of one kind. */
export function list<Element extends z.ZodType>(element: Element): z.ZodArray<Element> {
  return z.array(element, { error: whenAbsent("missing") });
}
