/** The mutants of a source file, found by Stryker's instrumenter, and the text of the file with one of them. */
import { createHash } from "node:crypto";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import ts from "typescript";

/** A change of one place of one file. */
export interface Mutant {
  /** Depends on the file, the change and the line, but not on the line's number: a change elsewhere in the file keeps it. */
  readonly id: string;
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/** A mutant with its place in a text. */
interface Placed extends Mutant {
  readonly start: number;
  readonly end: number;
}

// Texts, tables and patterns: what they change is worded, not decided.
const leftOut = ["StringLiteral", "ObjectLiteral", "ArrayDeclaration", "Regex"];

const nothing = (): void => {};
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
const logger = {
  ...silent,
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
};

/** Returns a short hash, which orders and identifies. */
export function hash(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 12);
}

/** Finds the mutants of a file. Leaves out code that runs at import (nobody can say which test reached it), and calls of a logger. */
export async function findMutants(file: string, text: string): Promise<readonly Mutant[]> {
  const tree = parse(file, text);
  return (await place(tree)).filter((mutant) => {
    const node = nodeAt(tree, mutant);
    return node !== undefined && markerPlace(node) !== undefined && !isLogged(node);
  });
}

/** Whether a text is TypeScript. */
export function isValid(text: string): boolean {
  const { diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2024 },
  });
  return diagnostics?.length === 0;
}

/**
 * The text of a file with a mutant, or undefined if its place is gone. `marked` reports that the place was reached,
 * `active` makes the change, `both` does both.
 */
export async function mutate(text: string, mutant: Mutant, how: How): Promise<string | undefined> {
  const tree = parse(mutant.file, text);
  const found = (await place(tree)).find(({ id }) => id === mutant.id);
  return found && withMutant(tree, found, how);
}

/** What a file does with its mutant. */
export type How = "marked" | "active" | "both";

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

async function place(tree: ts.SourceFile): Promise<readonly Placed[]> {
  const options = { plugins: null, ignorers: [], excludedMutations: leftOut };
  const given = { name: tree.fileName, mutate: true, content: tree.text };
  const { mutants } = await new Instrumenter(logger).instrument([given], options);
  const seen = new Map<string, number>();
  const wanted = mutants.filter(({ status }) => status !== "Ignored");
  return wanted.map(({ location, mutatorName: mutator, replacement }) => {
    const start = tree.getPositionOfLineAndCharacter(location.start.line, location.start.column);
    const end = tree.getPositionOfLineAndCharacter(location.end.line, location.end.column);
    const original = tree.text.slice(start, end);
    const line = tree.text.split("\n")[location.start.line]?.trim() ?? "";
    const content = hash(tree.fileName, mutator, original, replacement, line);
    const ordinal = seen.get(content) ?? 0;
    seen.set(content, ordinal + 1);
    const id = hash(content, ordinal);
    return { id, file: tree.fileName, line: location.start.line + 1, mutator, original, replacement, start, end };
  });
}

/** The outermost node with exactly the range of a mutant. */
function nodeAt(tree: ts.SourceFile, { start, end }: Placed): ts.Node | undefined {
  const find = (node: ts.Node): ts.Node | undefined => {
    if (node.getStart() === start && node.end === end) return node;
    return node.pos <= start && node.end >= end ? ts.forEachChild(node, find) : undefined;
  };
  return find(tree);
}

/** The block, the statement or the body of an arrow function whose run says that a node was reached. */
function markerPlace(node: ts.Node): ts.Node | undefined {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isBlock(at) || (ts.isArrowFunction(parent) && parent.body === at)) return at;
    if (ts.isBlock(parent) || (ts.isCaseOrDefaultClause(parent) && ts.isStatement(at))) return at;
  }
  return undefined;
}

function isLogged(node: ts.Node): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (ts.isCallExpression(at) && /\blog(ger)?\??\.\w+$/i.test(at.expression.getText())) return true;
  }
  return false;
}

function withMutant(tree: ts.SourceFile, mutant: Placed, how: How): string {
  const node = nodeAt(tree, mutant);
  const marked = node && markerPlace(node);
  if (node === undefined || marked === undefined) throw new Error(`${mutant.file}:${mutant.line}: nothing can be mutated here.`);
  const { text } = tree;
  const changed = how === "marked" ? mutant.original : ts.isExpression(node) ? `(${mutant.replacement})` : mutant.replacement;
  const [from, to] = [marked.getStart(), marked.end];
  const inner = marked === node ? changed : text.slice(from, mutant.start) + changed + text.slice(mutant.end, to);
  return text.slice(0, from) + (how === "active" ? inner : withMarker(marked, inner, mutant.id)) + text.slice(to);
}

function withMarker(node: ts.Node, text: string, id: string): string {
  const marker = `globalThis.__reached?.("${id}")`;
  if (ts.isBlock(node)) return `{ ${marker}; ${text.slice(1)}`;
  return ts.isExpression(node) ? `(${marker}, ${text})` : `${marker}; ${text}`;
}
