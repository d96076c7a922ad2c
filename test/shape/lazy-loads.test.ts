// What is loaded on demand: in one way, at few places, each for a reason. `lazily` of src/shared/async.ts says what all of it saves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readSourceFiles, resolveImport, root, type SourceFile } from "./source-files.js";

/** What is loaded on demand, by module: the milliseconds of CPU that a start saves, measured in the built package, and who needs it or what may be absent. */
const reasons: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, "test/shape/lazy-loads.json"), "utf8"));

/** Modules that only arguments name: no load that could be a static import. */
const namedByArguments: Readonly<Record<string, string>> = {
  "adapters/cli/command/open-service.ts": "The module of the host that the command line names.",
  "adapters/runners/quickjs/guest.ts": "The engine, whose place the process that starts this program has found.",
};

const most = 60;

interface Load {
  readonly from: string;
  /** The module, from the root; undefined for one that is computed. */
  readonly target: string | undefined;
  /** Whether it is `lazily(() => import("…"))`, with nothing else in it. */
  readonly isInOneWay: boolean;
}

function findLoads({ path, text }: Pick<SourceFile, "path" | "text">): readonly Load[] {
  const found: Load[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      const target = specifier !== undefined && ts.isStringLiteral(specifier) ? resolveImport(path, specifier.text) : undefined;
      found.push({ from: path, target, isInOneWay: isArgumentOfLazily(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function isArgumentOfLazily({ parent: load }: ts.Node): boolean {
  if (!ts.isArrowFunction(load) || !ts.isCallExpression(load.parent)) return false;
  const { expression } = load.parent;
  return ts.isIdentifier(expression) && expression.text === "lazily";
}

const loads = [...readSourceFiles("src"), ...readSourceFiles("adapters")].flatMap(findLoads);

test("the check finds an import() in any other way", () => {
  const code = [
    'const { a } = await import("./a.js");',
    'const load = lazily(async () => (await import("./a.js")).a);',
    'const start = () => import("./a.js").then(({ a }) => a);',
  ];
  for (const text of code) expect(findLoads({ path: "a.ts", text })).toMatchObject([{ target: "a.ts", isInOneWay: false }]);
  const right = 'const load = lazily(() => import("./a.js"));';
  expect(findLoads({ path: "a.ts", text: right })).toMatchObject([{ target: "a.ts", isInOneWay: true }]);
});

test("what is loaded on demand is loaded by lazily, or named by arguments", () => {
  const others = loads.filter(({ isInOneWay }) => !isInOneWay);
  expect(others.map(({ from }) => from).toSorted()).toEqual(Object.keys(namedByArguments).toSorted());
  expect(others.filter(({ target }) => target !== undefined)).toEqual([]);
});

test("each is loaded at one place, and stands in the list with its reason", () => {
  const targets = loads.flatMap(({ target }) => target ?? []);
  expect(targets.toSorted()).toEqual(Object.keys(reasons).toSorted());
  for (const reason of Object.values(reasons)) expect(reason).toMatch(/^\d+\.\d ms\. [A-Z]/);
});

test(`there are at most ${most} of them`, () => {
  expect(loads.length).toBeLessThanOrEqual(most);
});
