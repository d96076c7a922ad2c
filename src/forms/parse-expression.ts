/** A regular expression as a tree; `source` of an atom is an expression for one character. */
export type Expression =
  | { readonly kind: "atom"; readonly source: string }
  | { readonly kind: "assertion"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "alternatives"; readonly choices: readonly Expression[] }
  | { readonly kind: "repeat"; readonly part: Expression; readonly least: number; readonly most: number };

const group = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy;
const assertion = /[$^]|\\[Bb]/uy;
const escaped =
  /\\(?:u\{[\dA-F]+\}|u[\dA-F]{4}(?:(?<=u[Dd][89AaBb]..)\\u[Dd][C-Fc-f][\dA-F]{2})?|x[\dA-F]{2}|c[A-Z]|p\{[^}]*\}|[^1-9BKk])/iuy;
const characterClass = /\[(?:\\.|[^\\\]])*\]/suy;
const plain = /[^$()*+?[\\\]^{|}]/suy;
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy;

const signs: Readonly<Record<string, readonly [least: number, most: number]>> = {
  "*": [0, Number.POSITIVE_INFINITY],
  "+": [1, Number.POSITIVE_INFINITY],
  "?": [0, 1],
};

/**
 * The tree of an expression that compiles with the flag `u`. Undefined for what no finite automaton can do: look-arounds and
 * back-references; and for unsupported syntax.
 */
export function parseExpression(expression: string): Expression | undefined {
  const reader = { text: expression, position: 0 };
  const tree = readAlternatives(reader);
  return tree !== undefined && reader.position === expression.length ? tree : undefined;
}

interface Reader {
  readonly text: string;
  position: number;
}

function take(reader: Reader, shape: RegExp): RegExpExecArray | undefined {
  shape.lastIndex = reader.position;
  const match = shape.exec(reader.text) ?? undefined;
  if (match !== undefined) reader.position = shape.lastIndex;
  return match;
}

function takeSign(reader: Reader, sign: string): boolean {
  const isThere = reader.text[reader.position] === sign;
  if (isThere) reader.position++;
  return isThere;
}

function readAlternatives(reader: Reader): Expression | undefined {
  const choices: Expression[] = [];
  do {
    const choice = readSequence(reader);
    if (choice === undefined) return undefined;
    choices.push(choice);
  } while (takeSign(reader, "|"));
  return choices.length === 1 ? choices[0] : { kind: "alternatives", choices };
}

function readSequence(reader: Reader): Expression | undefined {
  const parts: Expression[] = [];
  while (reader.position < reader.text.length && !")|".includes(reader.text[reader.position] ?? "")) {
    const part = readPart(reader);
    if (part === undefined) return undefined;
    parts.push(readQuantifier(reader, part));
  }
  return { kind: "sequence", parts };
}

function readPart(reader: Reader): Expression | undefined {
  const anchor = take(reader, assertion);
  if (anchor !== undefined) return { kind: "assertion", source: anchor[0] };
  const atom = take(reader, characterClass) ?? take(reader, escaped) ?? take(reader, plain);
  if (atom !== undefined) return { kind: "atom", source: atom[0] };
  if (take(reader, group) === undefined) return undefined;
  const inner = readAlternatives(reader);
  return takeSign(reader, ")") ? inner : undefined;
}

function readQuantifier(reader: Reader, part: Expression): Expression {
  const match = take(reader, quantifier);
  if (match === undefined) return part;
  const [, sign = "", lower = "", comma, upper] = match;
  const [least, most] = signs[sign] ?? [Number(lower), comma === undefined ? Number(lower) : Number(upper || "Infinity")];
  return { kind: "repeat", part, least, most };
}
