/** Whether a whole text matches; undefined when linear time is not possible. */
type LinearMatch = (text: string) => boolean | undefined;

/** A state of the automaton: it consumes a character, or is an epsilon transition with an optional condition. */
type State =
  | { readonly kind: "take"; readonly atom: Atom; readonly next: number }
  | { readonly kind: "go"; readonly next: readonly number[]; readonly condition?: Condition }
  | { readonly kind: "end" };

interface Atom {
  readonly shape: RegExp;
}

type Condition = (characters: readonly string[], position: number) => boolean;

const maxStates = 5_000;
/** States times characters: measured to take 20 ms at most. */
const maxSteps = 200_000;

/**
 * Compiles an expression that is valid with the flag `u` to an automaton that reads each character once, without backtracking.
 * Undefined for lookarounds, back-references and too large automata.
 */
export function compileLinearMatch(expression: string): LinearMatch | undefined {
  const tree = parseExpression(expression);
  if (tree === undefined) return undefined;
  const automaton = { states: [{ kind: "end" }] as State[], atoms: new Map<string, Atom>() };
  const start = addStates(automaton, tree, 0);
  const { states } = automaton;
  if (states.length > maxStates) return undefined;
  return (text) => {
    const characters = Array.from(text);
    return characters.length * states.length > maxSteps ? undefined : runStates(states, start, characters);
  };
}

interface Automaton {
  readonly states: State[];
  readonly atoms: Map<string, Atom>;
}

/**
 * Adds the states for a part with the following state `next`, and returns the start. `compileLinearMatch` later rejects a too
 * large automaton.
 */
function addStates(automaton: Automaton, part: Expression, next: number): number {
  const { states } = automaton;
  if (states.length > maxStates) return next;
  if (part.kind === "sequence") return part.parts.reduceRight((after, inner) => addStates(automaton, inner, after), next);
  if (part.kind === "repeat") return addRepeat(automaton, part, next);
  if (part.kind === "atom") return add(states, { kind: "take", atom: toAtom(automaton, part.source), next });
  if (part.kind === "assertion") return add(states, { kind: "go", next: [next], condition: conditions[part.source] ?? never });
  return add(states, { kind: "go", next: part.choices.map((choice) => addStates(automaton, choice, next)) });
}

function add(states: State[], state: State): number {
  return states.push(state) - 1;
}

function addRepeat(automaton: Automaton, { part, least, most }: Expression & { kind: "repeat" }, next: number): number {
  const { states } = automaton;
  let start = next;
  if (most === Number.POSITIVE_INFINITY) {
    start = add(states, { kind: "go", next: [next] });
    states[start] = { kind: "go", next: [addStates(automaton, part, start), next] };
  }
  const optional = most === Number.POSITIVE_INFINITY ? 0 : most - least;
  const again = (): number => add(states, { kind: "go", next: [addStates(automaton, part, start), next] });
  for (let count = 0; count < optional && states.length <= maxStates; count++) start = again();
  for (let count = 0; count < least; count++) {
    const before = start;
    start = addStates(automaton, part, start);
    // An empty group adds no states, and at the limit no states are added.
    if (start === before) break;
  }
  return start;
}

// The engine itself matches single characters.
function toAtom({ atoms }: Automaton, source: string): Atom {
  const atom = atoms.get(source) ?? { shape: new RegExp(`^(?:${source})$`, "u") };
  atoms.set(source, atom);
  return atom;
}

const never: Condition = () => false;

const isAtBoundary: Condition = (characters, position) => isWord(characters[position - 1]) !== isWord(characters[position]);

const conditions: Readonly<Record<string, Condition>> = {
  "^": (_characters, position) => position === 0,
  $: (characters, position) => position === characters.length,
  "\\b": isAtBoundary,
  "\\B": (characters, position) => !isAtBoundary(characters, position),
};

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}

function runStates(states: readonly State[], start: number, characters: readonly string[]): boolean {
  let current = spread(states, [start], characters, 0);
  for (const [position, character] of characters.entries()) {
    const known = new Map<Atom, boolean>();
    const reached: number[] = [];
    for (const index of current) {
      const state = states[index];
      if (state?.kind === "take" && takes(state.atom, character, known)) reached.push(state.next);
    }
    if (reached.length === 0) return false;
    current = spread(states, reached, characters, position + 1);
  }
  return [...current].some((index) => states[index]?.kind === "end");
}

function takes(atom: Atom, character: string, known: Map<Atom, boolean>): boolean {
  const answer = known.get(atom) ?? atom.shape.test(character);
  known.set(atom, answer);
  return answer;
}

/** Returns all states that are reachable without consuming a character; each is visited once. */
function spread(
  states: readonly State[],
  from: readonly number[],
  characters: readonly string[],
  position: number,
): ReadonlySet<number> {
  const reached = new Set(from);
  for (const index of reached) {
    const state = states[index];
    if (state?.kind !== "go" || state.condition?.(characters, position) === false) continue;
    for (const next of state.next) reached.add(next);
  }
  return reached;
}

/** A regular expression as a tree; `source` of an atom is an expression for one character. */
type Expression =
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
 * Parses an expression that is valid with the flag `u`. Undefined for lookarounds and back-references, which no finite automaton
 * can match, and for unsupported syntax.
 */
function parseExpression(expression: string): Expression | undefined {
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
