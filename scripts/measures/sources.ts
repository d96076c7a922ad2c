/** The TypeScript files of a repository, parsed, with what each imports. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** A parsed file. */
export interface Source {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly tree: ts.SourceFile;
  /** The files it imports by a relative path: type imports, exports from, and `import()` alike. */
  readonly imports: readonly string[];
}

/** Reads the TypeScript files below folders of a repository. */
export function readSources(root: string, ...folders: readonly string[]): readonly Source[] {
  const paths = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ["**/node_modules/**"] }));
  return paths.toSorted().map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

/** Parses one file. */
export function parseSource(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const targets = [...new Set(specifiersOf(tree))].filter((name) => name.startsWith("."));
  return { path, tree, imports: targets.map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, ".ts")) };
}

function specifiersOf(tree: ts.SourceFile): readonly string[] {
  return nodesOf(tree).flatMap((node) => {
    const given =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : isDynamicImport(node)
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    return given !== undefined && ts.isStringLiteral(given) ? [given.text] : [];
  });
}

/** Whether a node is `import(…)`. */
export function isDynamicImport(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** The line of an offset in a file, from 1. */
export function lineOf(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** All nodes of a tree. */
export function nodesOf(tree: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(tree);
  return nodes;
}

/** How many lines hold code: blank lines and comments do not count. */
export function countCodeLines({ tree }: Source): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(tree);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(tree) === 0) return;
    for (let line = lineOf(tree, node.getStart(tree)); line <= lineOf(tree, node.end); line++) lines.add(line);
  };
  visit(tree);
  return lines.size;
}

/** The lengths in lines of the functions that have a body. */
export function functionLengths({ tree }: Source): readonly number[] {
  return nodesOf(tree)
    .filter((node) => ts.isFunctionLike(node) && "body" in node && node.body !== undefined)
    .map((node) => lineOf(tree, node.end) - lineOf(tree, node.getStart(tree)) + 1);
}

/** How a file loads what it needs late: the function that takes the `import()`, what is done with its promise, or `createRequire()`. */
export function lazyLoads({ tree }: Source): readonly string[] {
  return nodesOf(tree).flatMap((node) => {
    // What is named at run time is a choice of the host.
    if (isDynamicImport(node)) return ts.isStringLiteral(node.arguments[0] ?? node) ? [mechanismOf(node)] : [];
    return ts.isCallExpression(node) && node.expression.getText() === "createRequire" ? ["createRequire()"] : [];
  });
}

function mechanismOf(load: ts.Node): string {
  const awaited = climb(load, (parent) => ts.isParenthesizedExpression(parent) || ts.isAwaitExpression(parent));
  const { parent } = climb(awaited, (outer) => ts.isParenthesizedExpression(outer) || ts.isPropertyAccessExpression(outer));
  if (ts.isArrowFunction(parent)) {
    return ts.isCallExpression(parent.parent) ? `${parent.parent.expression.getText()}(() => import())` : "() => import()";
  }
  if (ts.isAwaitExpression(load.parent)) return "await import()";
  if (ts.isPropertyAccessExpression(load.parent)) return `import().${load.parent.name.text}()`;
  return ts.isCallExpression(load.parent) ? `${load.parent.expression.getText()}(import())` : "the promise of import()";
}

/** The outermost node that is reached through parents that are passed over. */
function climb(node: ts.Node, isPassedOver: (parent: ts.Node) => boolean): ts.Node {
  return isPassedOver(node.parent) ? climb(node.parent, isPassedOver) : node;
}
