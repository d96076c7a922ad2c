// The budget of functions (docs/architecture.md). The compiler parses all sources, so CI runs this; the other budgets: budgets.test.ts.
import ts from "typescript";
import { expect, test } from "vitest";
import { readSourceFiles, type SourceFile } from "./source-files.js";

const sources = [...readSourceFiles("src"), ...readSourceFiles("adapters")];
const lines = (count: number): string => "step();\n".repeat(count);

function findLong(file: SourceFile): readonly string[] {
  return functionsOf(file)
    .filter(({ length }) => length > 40)
    .map(({ line, length }) => `${file.path}: line ${line}: ${length} lines`);
}

test("functions have at most 40 lines", () => {
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(findLong)).toEqual([]);
  const text = `function long(): void {\n${lines(38)}}\nfunction longer(): void {\n${lines(39)}}`;
  expect(findLong({ path: "src/violation.ts", text, imports: [], lazyImports: [] })).toHaveLength(1);
});

/** The functions of a file: where each begins, and how many lines it has. */
function functionsOf(file: SourceFile): readonly { readonly line: number; readonly length: number }[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: { line: number; length: number }[] = [];
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const line = lineAt(node.getStart());
      found.push({ line, length: lineAt(node.end) - line + 1 });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}
