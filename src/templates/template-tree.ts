/** A template as plain data (docs/templates.md): its parts, in the order in which they are shown. */
export type Template = readonly TemplatePart[];

/** One part of a template. An offset is where the part begins in the source, for messages about it. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: Expression; readonly offset: number }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: Template }
  | {
      readonly kind: "list";
      readonly list: Expression;
      /** The name that each element has in the body. */
      readonly item: string;
      readonly body: Template;
      readonly offset: number;
    };

/** What is shown when a condition is the first of its `<#if>` to hold. */
export interface Branch {
  readonly condition: Expression;
  readonly body: Template;
  readonly offset: number;
}

/** Something that has a value. Conditions joined by `&&` and `||` stand side by side, so that only what is nested is deep. */
export type Expression =
  | Path
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "and" | "or"; readonly operands: readonly Expression[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "exists"; readonly of: Expression }
  /** Without a fallback, what is missing is an empty text. */
  | { readonly kind: "default"; readonly of: Expression; readonly fallback?: Expression }
  | { readonly kind: "apply"; readonly builtIn: BuiltIn; readonly to: Expression };

/** A variable, and the way from it: member names and list positions. To be followed by own members only. */
export interface Path {
  readonly kind: "path";
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

/** The operators that compare two values. */
export const comparisons = ["==", "!=", "lt", "lte", "gt", "gte"] as const;

/** An operator that compares two values. */
export type Comparison = (typeof comparisons)[number];

/** What can be made of a value: `?html` and so on. */
export const builtIns = ["html", "size", "upper_case"] as const;

/** Something that can be made of a value. */
export type BuiltIn = (typeof builtIns)[number];

/** How deep `<#if>` and `<#list>` may nest, so that recursion can walk a template. */
export const maxTemplateDepth = 32;

/** How many parentheses, negations, defaults and built-ins one expression may have: the bound of its depth. */
export const maxExpressionDepth = 64;

/** Thrown for a text that is no template. Lines and columns count from 1, columns in UTF-16 units. */
export class TemplateError extends Error {
  readonly line: number;
  readonly column: number;

  /** `offset` is where the source stops being a template. */
  constructor(source: string, offset: number, reason: string) {
    const before = source.slice(0, offset).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    super(`Line ${before.length}, column ${column}: ${reason}`);
    this.name = "TemplateError";
    this.line = before.length;
    this.column = column;
  }
}
