import type { BuiltIn, Comparison, Expression, Path } from "./template-tree.js";

/** A variable of a template: JSON, where null counts as missing. */
export type Value = unknown;

/** The names in scope at one place of a template. */
export interface Names {
  /** The top-level variables, as own members. */
  readonly variables: Readonly<Record<string, Value>>;
  /** The element of the innermost list, and the names outside of that list. */
  readonly item?: { readonly name: string; readonly value: Value; readonly outer: Names } | undefined;
}

/** Counts the cost of an evaluation in steps. Throws beyond the limit. */
export type CountSteps = (steps: number) => void;

/** Thrown for an expression without a value. The message contains no values of variables. */
export class NoValue extends Error {}

/** Returns the value of an expression; undefined for a missing one. @throws NoValue for operands of a wrong type. */
export function evaluate(expression: Expression, names: Names, spend: CountSteps): Value {
  spend(1);
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "path":
      return follow(expression, names);
    case "and":
      return expression.operands.every((operand) => evaluateCondition(operand, names, spend));
    case "or":
      return expression.operands.some((operand) => evaluateCondition(operand, names, spend));
    case "not":
      return !evaluateCondition(expression.of, names, spend);
    case "exists":
      return evaluate(expression.of, names, spend) !== undefined;
    case "default":
      return evaluate(expression.of, names, spend) ?? fallbackOf(expression, names, spend);
    case "compare":
      return compare(expression, names, spend);
    case "apply":
      return apply(expression.builtIn, evaluate(expression.to, names, spend), spend);
  }
}

/** Returns the value of an expression. @throws NoValue for a missing one. */
export function evaluatePresent(expression: Expression, names: Names, spend: CountSteps): Value {
  const value = evaluate(expression, names, spend);
  if (value === undefined) throw new NoValue(`There is no ${nameOf(expression)}.`);
  return value;
}

/** Whether a condition holds. @throws NoValue for a value other than true or false. */
export function evaluateCondition(expression: Expression, names: Names, spend: CountSteps): boolean {
  const value = evaluatePresent(expression, names, spend);
  if (typeof value !== "boolean") throw new NoValue(`A condition must be true or false, not ${kindOf(value)}.`);
  return value;
}

/** Converts a value to text. @throws NoValue for a list or an object. */
export function toText(value: Value): string {
  if (typeof value === "object") throw new NoValue(`Only texts, numbers, true and false can be shown, not ${kindOf(value)}.`);
  return String(value);
}

/** Returns the type of a value, for messages. */
export function kindOf(value: Value): string {
  if (Array.isArray(value)) return "a list";
  return kinds[typeof value] ?? "an object";
}

const kinds: Readonly<Record<string, string>> = { string: "a text", number: "a number", boolean: "true or false" };

function follow({ name, steps }: Path, names: Names): Value {
  return steps.reduce<Value>(memberOf, find(name, names));
}

function find(name: string, names: Names): Value {
  for (let known: Names | undefined = names; known !== undefined; known = known.item?.outer)
    if (known.item === undefined || known.item.name === name)
      return known.item === undefined ? memberOf(known.variables, name) : (known.item.value ?? undefined);
  return undefined;
}

// Own members of objects by name, elements of lists by index: never inherited members.
function memberOf(value: Value, step: string | number): Value {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) !== (typeof step === "number") || !Object.hasOwn(value, step)) return undefined;
  return (value as Readonly<Record<string | number, Value>>)[step] ?? undefined;
}

function fallbackOf({ fallback }: Expression & { readonly kind: "default" }, names: Names, spend: CountSteps): Value {
  return fallback === undefined ? "" : evaluate(fallback, names, spend);
}

type Scalar = string | number | boolean;

const orders: Readonly<Record<Comparison, (left: Scalar, right: Scalar) => boolean>> = {
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  lt: (left, right) => left < right,
  lte: (left, right) => left <= right,
  gt: (left, right) => left > right,
  gte: (left, right) => left >= right,
};

function compare(expression: Expression & { readonly kind: "compare" }, names: Names, spend: CountSteps): boolean {
  const { operator } = expression;
  const left = evaluatePresent(expression.left, names, spend);
  const right = evaluatePresent(expression.right, names, spend);
  const isEquality = operator === "==" || operator === "!=";
  const isFit = typeof left === typeof right && (isEquality ? typeof left !== "object" : typeof left === "number");
  if (!isFit) throw new NoValue(`${kindOf(left)} and ${kindOf(right)} cannot be compared by ${operator}.`);
  if (typeof left === "string") spend(costOf(left));
  return orders[operator](left as Scalar, right as Scalar);
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// A missing value stays missing, so that an enclosing default applies.
function apply(builtIn: BuiltIn, value: Value, spend: CountSteps): Value {
  if (value === undefined) return undefined;
  if (builtIn === "size") return sizeOf(value);
  const text = toText(value);
  spend(costOf(text));
  const made = builtIn === "html" ? text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign) : text.toUpperCase();
  spend(costOf(made));
  return made;
}

function sizeOf(value: Value): number {
  if (typeof value !== "object" || value === null) throw new NoValue(`Lists and objects have a size, not ${kindOf(value)}.`);
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Returns the cost of reading a text, by its length. */
function costOf(text: string): number {
  return Math.ceil(text.length / 64);
}

/** Returns the name of the missing part of an expression, for messages. */
function nameOf(expression: Expression): string {
  if (expression.kind === "apply") return nameOf(expression.to);
  if (expression.kind === "default") return nameOf(expression.fallback ?? expression.of);
  if (expression.kind !== "path") return "value";
  const { name, steps } = expression;
  const text = [name, ...steps.map((step) => (plainName.test(String(step)) ? `.${step}` : `[${step}]`))].join("");
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text;
}

const plainName = /^[A-Za-z_$][\w$]*$/;
