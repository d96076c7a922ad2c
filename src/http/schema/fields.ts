import type * as Zod from "zod";
import type { FieldErrorKind } from "../../errors/codes.js";
import { parseEmailAddress } from "../../shared/email-address.js";
import { isHttpUrl, isPossibleLink } from "../../shared/http.js";
import { parseIpAddress } from "../../shared/ip-address.js";
import { never } from "../../shared/never.js";
import { isObject } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";
import * as z from "./schema-library.js";

/**
 * The kinds of fields for the schemas of the families. The message of each zod issue is an error kind (errors/codes.ts), so that
 * `parseWith` need not guess it.
 */

/** A schema with parsed values of type `T`. */
export type Schema<T> = Zod.ZodType<T>;

/** A request whose schema has a default for these members. */
export type WithDefaults<Request, Name extends keyof Request> = Request & Required<Pick<Request, Name>>;

/** The longest indexed name, in UTF-16 units (docs/reference/wire.md#names). */
export const maxNameLength = 191;

type Complaint = { readonly input?: unknown };

const whenAbsent =
  (absent: FieldErrorKind) =>
  (issue: Complaint): FieldErrorKind =>
    issue.input === undefined ? absent : "invalidJSON";

/** Text of any length; absent → `[blank]`. */
export function text(): Zod.ZodString {
  return z.string({ error: whenAbsent("blank") });
}

/** A required text: not blank, at most `maximum` UTF-16 units long. */
export function requiredText(maximum: number = Number.MAX_SAFE_INTEGER): Zod.ZodString {
  return text()
    .refine((value) => value.trim() !== "", { error: "blank" })
    .max(maximum, { error: "tooLong" });
}

/** A required name: not blank, at most {@link maxNameLength} long. */
export function name(): Zod.ZodString {
  return requiredText(maxNameLength);
}

/** An email address of a user in its normal form, or an empty text. */
export function userEmail(): Zod.ZodString {
  return emailAddress()
    .refine((value) => !mailAddress.test(value) || parseEmailAddress(value) !== undefined, { error: "invalid" })
    .overwrite((value) => parseEmailAddress(value) ?? value)
    .max(maxNameLength, { error: "tooLong" });
}

/** The longest password that a tenant may allow, in characters. */
export const maxPasswordLength = 4_096;

/** A password that a user has. */
export function password(): Zod.ZodString {
  return text().max(maxPasswordLength, { error: "tooLong" });
}

/** A new password. The rules of the tenant are checked later. */
export function newPassword(): Zod.ZodString {
  return password().min(1, { error: "blank" });
}

const mailAddress = /^[^\s@]+@[^\s@]+$/;

/** An email address, trimmed, or an empty text. */
export function emailAddress(): Zod.ZodString {
  return text()
    .trim()
    .refine((value) => value === "" || mailAddress.test(value), { error: "notEmail" });
}

/** The IP address of a client on whose behalf the caller acts, or an empty text. */
export function ipAddress(): Zod.ZodString {
  return text().refine((value) => value === "" || parseIpAddress(value) !== undefined, { error: "invalid" });
}

/** The URL of a service that is called: http or https, without a user name or password; or a blank text. */
export function serviceUrl(): Zod.ZodString {
  return text().refine((value) => value.trim() === "" || isHttpUrl(value), { error: "invalid" });
}

/** A link that the service stores and never calls: any text, but a host name in it must be possible. */
export function link(maximum: number): Zod.ZodString {
  return text().max(maximum, { error: "tooLong" }).refine(isPossibleLink, { error: "invalid" });
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

/** A list of ids without repeats. */
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

/** A list of texts without repeats, compared without case. */
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

/** Epoch milliseconds of an end. Values beyond the limit, such as the reference's 2^63 - 1, mean never. */
export function expiryInstant(): Zod.ZodNumber {
  return z
    .number({ error: whenAbsent("missing") })
    .min(0, { error: "invalid" })
    .refine(Number.isInteger, { error: "invalidJSON" })
    .overwrite((instant) => Math.min(instant, never));
}

/** One of a fixed list of texts. */
export function option<const Values extends readonly string[]>(
  values: Values,
): Zod.ZodEnum<{ [Value in Values[number]]: Value }> {
  return z.option(values, {
    error: (issue: Complaint) => {
      if (issue.input === undefined) return "missing";
      return typeof issue.input === "string" ? "invalidOption" : "invalidJSON";
    },
  });
}

/** The free metadata of a record: any JSON object, unchanged. */
export function data(): Schema<Record<string, unknown>> {
  return z.record(z.string(), z.unknown(), { error: whenAbsent("missing") });
}

/** Any JSON value, unchanged. */
export function anyValue(): Schema<unknown> {
  return z.unknown();
}

/** An object with these fields; others are ignored (docs/reference/wire.md#unknown-members-and-options). */
export function object<Shape extends Zod.ZodRawShape>(shape: Shape): Zod.ZodObject<Shape> {
  return z.object(shape, { error: whenAbsent("missing") });
}

/** A map with any keys and values of one kind. */
export function map<Value extends Zod.ZodType>(value: Value): Zod.ZodRecord<Zod.ZodString, Value> {
  return z.record(z.string(), value, { error: whenAbsent("missing") });
}

/** A language, alone or with its region, in Java's spelling. */
const localeShape = /^[a-z]{2,3}(?:_(?:[A-Z]{2}|\d{3}))?$/;

/** A map by locale: `de`, `es_MX`. Another key → `[invalid]` on its path. */
export function localeMap<Value extends Zod.ZodType>(value: Value): Zod.ZodRecord<Zod.ZodString, Value> {
  return z.record(z.string().regex(localeShape), value, {
    error: (issue) => (issue.code === "invalid_key" ? "invalid" : whenAbsent("missing")(issue)),
  });
}

/** A map by names in the form of variables, at most `maximum`. Another key → `[invalid]` on its path. */
export function variableMap<Value extends Zod.ZodType>(value: Value, maximum: number): Zod.ZodRecord<Zod.ZodString, Value> {
  return z
    .record(z.string().regex(variableName), value, {
      error: (issue) => (issue.code === "invalid_key" ? "invalid" : whenAbsent("missing")(issue)),
    })
    .refine((entries) => Object.keys(entries).length <= maximum, { error: "tooMany" });
}

const variableName = /^(?!__proto__$)[A-Za-z_$][\w$]{0,63}$/;

/** A map whose keys are of a fixed list; another key → `[invalidJSON]` on the map itself. */
export function namedMap<Value extends Zod.ZodType>(
  names: ReadonlySet<string>,
  value: Value,
): Zod.ZodRecord<Zod.ZodString, Value> {
  return map(value).superRefine((entries, context) => {
    const stranger = Object.keys(entries).find((key) => !names.has(key));
    if (stranger === undefined) return;
    const explanation = `There is no [${stranger.slice(0, 100).toWellFormed()}].`;
    context.addIssue({ code: "custom", message: "invalidJSON", params: { explanation } });
  });
}

/** A list of one kind. */
export function list<Element extends Zod.ZodType>(element: Element): Zod.ZodArray<Element> {
  return z.array(element, { error: whenAbsent("missing") });
}

/** A list of one kind in which null stands for nothing: the remaining elements count. */
export function sparseList<Element extends Zod.ZodType>(element: Element): Zod.ZodArray<Zod.ZodNullable<Element>> {
  return list(element.nullable());
}

/** A value that `explain` accepts; else `[invalid]`, with the explanation in the message. */
export function validatedWith<Type extends Zod.ZodType>(
  schema: Type,
  explain: (value: Zod.output<Type>) => string | undefined,
): Type {
  return schema.superRefine((value, context) => {
    const explanation = explain(value);
    if (explanation !== undefined) context.addIssue({ code: "custom", message: "invalid", params: { explanation } });
  });
}

/**
 * A member for a feature that the service does not have: anything but `false` is `[invalid]`, with the explanation in the
 * message.
 */
export function refusal(explanation: string): Schema<undefined> {
  const isRefused = (value: unknown): boolean => value !== undefined && value !== false;
  const schema = validatedWith(z.unknown().optional(), (value) => (isRefused(value) ? explanation : undefined));
  return schema.overwrite(() => undefined) as Schema<undefined>;
}

/** An object with a flag `enabled`. While it is on, these fields must have a value: each with the error kind of an empty one. */
export function requiredIfEnabled<Type extends Zod.ZodType<{ readonly enabled: boolean }>>(
  schema: Type,
  required: Readonly<Record<string, "blank" | "missing" | "empty">>,
): Type {
  const check = (value: Readonly<Record<string, unknown>>, context: Zod.RefinementCtx): void => {
    if (value.enabled !== true) return;
    for (const [field, kind] of Object.entries(required))
      if (isEmpty(value[field])) context.addIssue({ code: "custom", path: [field], message: kind });
  };
  // Also when a field is of the wrong type, so that all errors are reported at once.
  return schema.superRefine(check, { when: () => true });
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  const isMap = isObject(value);
  return value === undefined || (isMap && Object.keys(value).length === 0);
}
