// The budgets of docs/architecture.md: small files and functions are what keeps the code readable on one screen.
import ts from "typescript";
import { expect, test } from "vitest";
import { countCodeLines, readSourceFiles, type SourceFile, withoutComments } from "./source-files.js";

const sources = [...readSourceFiles("src"), ...readSourceFiles("adapters")];
const tests = readSourceFiles("test").filter((file) => !file.path.startsWith("test/bench/"));

/** Files that are pure tables or lists of names. */
const tables = new Set([
  "src/index.ts",
  "adapters/operations/index.ts",
  "src/errors/codes.ts",
  "src/resources/index.ts",
  "adapters/client/families.ts",
  "test/requirements.ts",
]);

test("files have at most 250 lines of code", () => {
  const long = [...sources, ...tests].filter((file) => !tables.has(file.path) && countCodeLines(file.text) > 250);
  expect(long.map((file) => `${file.path}: ${countCodeLines(file.text)}`)).toEqual([]);
});

test("HTTP adapters have at most 60 lines of code", () => {
  const thin = /^adapters\/(node|express|fastify|koa|fetch)\/index\.ts$/;
  const long = sources.filter((file) => thin.test(file.path) && countCodeLines(file.text) > 60);
  expect(long.map((file) => `${file.path}: ${countCodeLines(file.text)}`)).toEqual([]);
});

test("adapter tests have at most 40 lines of code", () => {
  const long = tests.filter((file) => file.path.startsWith("test/adapters/") && countCodeLines(file.text) > 40);
  expect(long.map((file) => file.path)).toEqual([]);
});

test("files import at most 12 modules, the families and the joints of the service apart", () => {
  const joints =
    /^src\/(index|service|options|in-process|handle)\.ts$|^src\/service\/(set-up|join-authentication)\.ts$|^src\/resources\/|^src\/configuration\/documents\/config-families\.ts$|^src\/operations\/service-context\.ts$/;
  const wide = sources.filter((file) => !joints.test(file.path) && !tables.has(file.path) && file.imports.length > 12);
  expect(wide.map((file) => `${file.path}: ${file.imports.length}`)).toEqual([]);
});

test("functions have at most 40 lines", () => {
  expect(sources.flatMap(longFunctions)).toEqual([]);
});

test("no type gives up", () => {
  const surrender = /: any\b|\bas any\b|<any>|as unknown as/;
  const silenced = /@ts-(ignore|expect-error|nocheck)/;
  const givesUp = (file: SourceFile): boolean => surrender.test(withoutComments(file.text)) || silenced.test(file.text);
  expect(sources.filter(givesUp).map((file) => file.path)).toEqual([]);
});

test("there are at least as many lines of tests as of sources", () => {
  const lines = (files: readonly SourceFile[]): number => files.reduce((sum, file) => sum + countCodeLines(file.text), 0);
  expect(lines(tests)).toBeGreaterThanOrEqual(lines(sources));
});

function longFunctions(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const long: string[] = [];
  const visit = (node: ts.Node): void => {
    const isFunction = ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
    if (isFunction) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const last = source.getLineAndCharacterOfPosition(node.end).line;
      if (last - first + 1 > 40) long.push(`${file.path}:${first + 1} has ${last - first + 1} lines`);
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return long;
}
