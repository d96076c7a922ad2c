// The budgets of docs/architecture.md: small files and functions are what keeps the code readable on one screen.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { countCodeLines, readSourceFiles, root, type SourceFile, withoutComments } from "./source-files.js";

const sources = [...readSourceFiles("src"), ...readSourceFiles("adapters")];
const tests = readSourceFiles("test").filter((file) => !file.path.startsWith("test/bench/"));

/** Files that are pure tables or lists of names. */
const tables = new Set([
  "src/index.ts",
  "adapters/types/index.ts",
  "src/errors/codes.ts",
  "src/families/family-rules.ts",
  "src/families/index.ts",
  "src/records/schemas.ts",
  "adapters/client/families.ts",
  "test/requirements.ts",
  "test/scim/patch/quirks.ts",
  "test/validity/support/outcomes.ts",
  "test/scim/patch/scim-patch-cases.ts",
]);

/** The files that import more than 12 modules, those on demand included, and how many: a number may fall, and none may come. */
const manyImports: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(root, "test/shape/many-imports.json"), "utf8"),
);

/**
 * The files with functions that take more than 3 parameters, and how many such functions: a number may fall, and none may come.
 * `LATCHKEY_WRITE_PARAMETERS=1` writes the list.
 */
const manyParametersFile = join(root, "test/shape/many-parameters.json");
const manyParameters: Readonly<Record<string, number>> = JSON.parse(readFileSync(manyParametersFile, "utf8"));

const thinAdapters = /^adapters\/(node|express|fastify|koa|fetch)\/index\.ts$/;

/** A budget: the files that it is for, what it finds in one of them, and a file that it must find. */
interface Budget {
  readonly files: readonly SourceFile[];
  readonly find: (file: SourceFile) => readonly string[];
  readonly violation: Partial<SourceFile>;
}

const longerThan =
  (most: number) =>
  ({ text }: SourceFile): readonly string[] =>
    countCodeLines(text) > most ? [`${countCodeLines(text)} lines`] : [];

const lines = (count: number): string => "step();\n".repeat(count);

const budgets: Readonly<Record<string, Budget>> = {
  "files have at most 250 lines of code": {
    files: [...sources, ...tests].filter(({ path }) => !tables.has(path)),
    find: longerThan(250),
    violation: { text: lines(251) },
  },
  "HTTP adapters have at most 60 lines of code": {
    files: sources.filter(({ path }) => thinAdapters.test(path)),
    find: longerThan(60),
    violation: { text: lines(61) },
  },
  "adapter tests have at most 40 lines of code": {
    files: tests.filter(({ path }) => path.startsWith("test/adapters/")),
    find: longerThan(40),
    violation: { text: lines(41) },
  },
  "files import at most 12 modules, or as many as the list says": {
    files: sources.filter(({ path }) => !tables.has(path)),
    find: ({ path, imports: atOnce, lazyImports }) => {
      const listed = [...new Set([...atOnce, ...lazyImports])];
      const most = manyImports[path] ?? 12;
      // The entries of the package that hold names of the core are one module.
      const ofCore = listed.filter((name) => /^latchkey(?:\/(?:types|ports|lambdas))?$/.test(name));
      const imports = [...ofCore.slice(0, 1), ...listed.filter((name) => !ofCore.includes(name))];
      // A number that fell falls in the list too.
      const fell = path in manyImports && imports.length < most;
      return imports.length > most || fell ? [`${imports.length} imports`] : [];
    },
    violation: { imports: Array.from({ length: 13 }, (_, index) => `src/${index}.ts`) },
  },
  "functions have at most 40 lines": {
    files: sources,
    find: (file) =>
      functionsOf(file)
        .filter(({ length }) => length > 40)
        .map(({ line, length }) => `line ${line}: ${length} lines`),
    violation: { text: `function long(): void {\n${lines(38)}}\nfunction longer(): void {\n${lines(39)}}` },
  },
  "functions take at most 3 parameters, or as many take more as the list says": {
    files: sources,
    find: (file) => {
      const found = functionsOf(file).filter(({ parameters }) => parameters > 3);
      const listed = manyParameters[file.path] ?? 0;
      return found.length === listed ? [] : [`${found.length} of ${listed}, lines ${found.map(({ line }) => line).join(", ")}`];
    },
    violation: { text: "const add = (a: number, b: number, c: number, d: number): number => a + b + c + d;" },
  },
  "no type gives up": {
    files: sources,
    find: ({ text }) => (/: any\b|\bas any\b|<any>|as unknown as/.test(withoutComments(text)) ? ["any"] : []),
    violation: { text: "const all = {} as unknown as string;" },
  },
  "no error of the compiler is silenced": {
    files: sources,
    find: ({ text }) => text.match(/@ts-(?:ignore|expect-error|nocheck)/) ?? [],
    violation: { text: `// @ts-${"ignore"}` },
  },
};

const toFile = (part: Partial<SourceFile>): SourceFile => ({
  path: "src/violation.ts",
  text: "",
  imports: [],
  lazyImports: [],
  ...part,
});

if (process.env.LATCHKEY_WRITE_PARAMETERS === "1") {
  const counted = sources.map(
    (file) => [file.path, functionsOf(file).filter(({ parameters }) => parameters > 3).length] as const,
  );
  const listed = counted.filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(manyParametersFile, `${JSON.stringify(Object.fromEntries(listed), null, 2)}\n`);
}

test.each(Object.entries(budgets))("%s", (_name, { files, find, violation }) => {
  expect(files.flatMap((file) => find(file).map((found) => `${file.path}: ${found}`))).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
  expect(find(toFile(violation))).toHaveLength(1);
});

/** How many files each folder holds. */
function countByFolder(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return counts;
}

const crowded = (paths: readonly string[]): readonly string[] =>
  [...countByFolder(paths)].filter(([, count]) => count > 16).map(([folder, count]) => `${folder}: ${count}`);

test("folders hold at most 16 files", () => {
  expect(crowded(sources.map(({ path }) => path))).toEqual([]);
  expect(crowded(Array.from({ length: 17 }, (_, index) => `src/crowded/${index}.ts`))).toEqual(["src/crowded: 17"]);
});

test("there are at least as many lines of tests as of sources", () => {
  const count = (files: readonly SourceFile[]): number => files.reduce((sum, file) => sum + countCodeLines(file.text), 0);
  expect(count(tests)).toBeGreaterThanOrEqual(count(sources));
});

interface FoundFunction {
  readonly line: number;
  readonly length: number;
  readonly parameters: number;
}

/** The functions of a file: where each begins, how many lines it has, and how many parameters it takes. */
function functionsOf(file: SourceFile): readonly FoundFunction[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: FoundFunction[] = [];
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const line = lineAt(node.getStart());
      const parameters = node.parameters.filter(({ name }) => name.getText(source) !== "this").length;
      found.push({ line, length: lineAt(node.end) - line + 1, parameters });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}
