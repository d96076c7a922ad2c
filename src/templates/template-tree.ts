/** A template as plain data (docs/templates.md): its parts in order. */
export type Template = readonly TemplatePart[];

/** One part of a template. The offset of its start in the source is for messages. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: Expression; readonly offset: number }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: Template }
  | {
      readonly kind: "list";
      readonly list: Expression;
      /** The variable for each element, in the body. */
      readonly item: string;
      readonly body: Template;
      readonly offset: number;
    };

/** A branch of an `<#if>`: the first with a true condition is rendered. */
export interface Branch {
  readonly condition: Expression;
  readonly body: Template;
  readonly offset: number;
}

/** An expression. Operands of `&&` and `||` are a flat list, so that chains do not add depth. */
export type Expression =
  | Path
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "and" | "or"; readonly operands: readonly Expression[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "exists"; readonly of: Expression }
  /** Without a fallback, a missing value is an empty text. */
  | { readonly kind: "default"; readonly of: Expression; readonly fallback?: Expression }
  | { readonly kind: "apply"; readonly builtIn: BuiltIn; readonly to: Expression };

/** A variable with a path of member names and list indexes. Follow own members only. */
export interface Path {
  readonly kind: "path";
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

/** The operators that compare two values. */
export const comparisons = ["==", "!=", "lt", "lte", "gt", "gte"] as const;

/** An operator that compares two values. */
export type Comparison = (typeof comparisons)[number];

/** The built-ins of values, such as `?html`. */
export const builtIns = ["html", "size", "upper_case"] as const;

/** A built-in of values. */
export type BuiltIn = (typeof builtIns)[number];

/** The deepest nesting of `<#if>` and `<#list>`, so that recursion is safe. */
export const maxTemplateDepth = 32;

/** The limit of parentheses, negations, defaults and built-ins in an expression, which bounds its depth. */
export const maxExpressionDepth = 64;

/** Thrown for an invalid template. Lines and columns count from 1, columns in UTF-16 units. */
export class TemplateError extends Error {
  readonly line: number;
  readonly column: number;

  /** `offset` is the position of the error in the source. */
  constructor(source: string, offset: number, reason: string) {
    const before = source.slice(0, offset).split("\n");
    const column = (before.at(-1) ?? "").length + 1;
    super(`Line ${before.length}, column ${column}: ${reason}`);
    this.name = "TemplateError";
    this.line = before.length;
    this.column = column;
  }
}
