import { ExpressionParser } from "./parse-expression.js";
import { matchAt, quote } from "./scan-token.js";
import { type Expression, TemplateError } from "./template-tree.js";

/** A tag with a condition. */
export interface ConditionTag {
  readonly kind: "if" | "elseif";
  readonly condition: Expression;
  readonly offset: number;
}

/** The opening tag of a list. */
export interface ListTag {
  readonly kind: "list";
  readonly list: Expression;
  readonly item: string;
  readonly offset: number;
}

/** A segment of a template, before nesting is parsed. An offset is its start in the source. */
export type Segment =
  | { readonly kind: "text"; readonly text: string; readonly offset: number }
  | { readonly kind: "value"; readonly value: Expression; readonly offset: number }
  | { readonly kind: "comment" | "else" | "endif" | "endlist"; readonly offset: number }
  | ConditionTag
  | ListTag;

/** The start of a segment other than text. A bracket starts one only before a word, so that `[#7]` stays text. */
const opening = /[$#]\{|<\/?[#@]|\[\/?#(?=[A-Za-z-])/g;
const tag = /[<[]\/?[#@](?:--|[A-Za-z_]\w*)?/y;
const tagEnd = /\s*>/y;
const emptyTagEnd = /\s*\/?>/y;

type Scanned = readonly [segment: Segment, end: number];

/** Splits a template into segments. @throws TemplateError for invalid syntax. */
export function scanTemplate(source: string): readonly Segment[] {
  const segments: Segment[] = [];
  for (let offset = 0; offset < source.length; ) {
    opening.lastIndex = offset;
    const start = opening.exec(source)?.index ?? source.length;
    if (start > offset) segments.push({ kind: "text", text: source.slice(offset, start), offset });
    if (start === source.length) break;
    const [segment, end] = scanPiece(source, start);
    segments.push(segment);
    offset = end;
  }
  return segments;
}

function scanPiece(source: string, offset: number): Scanned {
  if (source.startsWith("${", offset)) return scanValue(source, offset);
  const { text, end } = matchAt(tag, source, offset) ?? { text: source.slice(offset, offset + 2), end: offset };
  switch (text) {
    case "<#--":
      return scanComment(source, offset);
    case "<#if":
    case "<#elseif":
      return scanCondition(source, offset, text === "<#if" ? "if" : "elseif", end);
    case "<#list":
      return scanList(source, offset, end);
    case "<#else":
      return [{ kind: "else", offset }, endOf(emptyTagEnd, source, offset, end)];
    case "</#if":
      return [{ kind: "endif", offset }, endOf(tagEnd, source, offset, end)];
    case "</#list":
      return [{ kind: "endlist", offset }, endOf(tagEnd, source, offset, end)];
    default:
      throw new TemplateError(source, offset, `${quote(text)} is not part of the template language.`);
  }
}

function scanValue(source: string, offset: number): Scanned {
  const parser = new ExpressionParser(source, offset + 2);
  const value = parser.expression();
  return [{ kind: "value", value, offset }, parser.close("}")];
}

function scanComment(source: string, offset: number): Scanned {
  const end = source.indexOf("-->", offset);
  if (end < 0) throw new TemplateError(source, offset, "The comment has no end.");
  return [{ kind: "comment", offset }, end + 3];
}

function scanCondition(source: string, offset: number, kind: "if" | "elseif", from: number): Scanned {
  const parser = new ExpressionParser(source, from);
  const condition = parser.expression();
  return [{ kind, condition, offset }, parser.close(">")];
}

function scanList(source: string, offset: number, from: number): Scanned {
  const parser = new ExpressionParser(source, from);
  const list = parser.expression();
  parser.word("as");
  const item = parser.variable();
  return [{ kind: "list", list, item, offset }, parser.close(">")];
}

function endOf(pattern: RegExp, source: string, offset: number, from: number): number {
  const match = matchAt(pattern, source, from);
  if (match === undefined) throw new TemplateError(source, offset, "The tag has no end.");
  return match.end;
}
