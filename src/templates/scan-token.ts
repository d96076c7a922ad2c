import { TemplateError } from "./template-tree.js";

/** A token of an expression. `start` and `end` are offsets in the source of the template. */
export type Token = { readonly start: number; readonly end: number } & (
  | { readonly kind: "name" | "symbol"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "end" }
);

const blank = /\s*/y;
const name = /[A-Za-z_$][\w$]*/y;
const number = /-?\d+(?:\.\d+)?/y;
const symbol = /==|!=|&&|\|\||\?\?|[()[\].!?}>]/y;

/** Reads the token at an offset. No pattern searches ahead, so that scanning a template takes linear time. */
export function scanToken(source: string, offset: number): Token {
  const start = matchAt(blank, source, offset)?.end ?? offset;
  if (start >= source.length) return { kind: "end", start, end: start };
  const word = matchAt(name, source, start);
  if (word !== undefined) return { kind: "name", start, ...word };
  const digits = matchAt(number, source, start);
  if (digits !== undefined) return { kind: "number", start, end: digits.end, value: toNumber(source, start, digits.text) };
  const sign = matchAt(symbol, source, start);
  if (sign !== undefined) return { kind: "symbol", start, ...sign };
  if (source[start] === '"' || source[start] === "'") return scanString(source, start);
  throw new TemplateError(source, start, `${quote(String.fromCodePoint(source.codePointAt(start) ?? 0))} is not known here.`);
}

/** Quotes a piece of the source, for messages. */
export function quote(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/** Matches a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, source: string, offset: number): { text: string; end: number } | undefined {
  pattern.lastIndex = offset;
  const [text] = pattern.exec(source) ?? [];
  return text === undefined ? undefined : { text, end: offset + text.length };
}

function toNumber(source: string, start: number, digits: string): number {
  if (digits.replace(/[-.]/g, "").length > 15) throw new TemplateError(source, start, "The number has more than 15 digits.");
  return Number(digits);
}

const escapes: ReadonlyMap<string | undefined, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ...Array.from("\"'\\{", (sign): [string, string] => [sign, sign]),
]);

function scanString(source: string, start: number): Token {
  const pieces: string[] = [];
  let from = start + 1;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === source[start]) {
      pieces.push(source.slice(from, at));
      return { kind: "string", start, end: at + 1, value: pieces.join("") };
    }
    // In the full language this is an interpolation; here it would render literally.
    if ((character === "$" || character === "#") && source[at + 1] === "{")
      throw new TemplateError(
        source,
        at,
        `A text cannot hold ${quote(`${character}{`)}; for the two characters write ${character}\\{.`,
      );
    if (character !== "\\") continue;
    const escaped = escapes.get(source[at + 1]);
    if (escaped === undefined) throw new TemplateError(source, at, "This escape is not known.");
    pieces.push(source.slice(from, at), escaped);
    at++;
    from = at + 1;
  }
  throw new TemplateError(source, start, "The text has no end.");
}
