// Whoever uses a public name reads its first sentence in the editor: every exported declaration has one.
import ts from "typescript";
import { expect, test } from "vitest";
import { readSourceFiles, type SourceFile } from "./source-files.js";

const sources = [...readSourceFiles("src"), ...readSourceFiles("adapters")];

test("every exported declaration says what it is", () => {
  expect(sources.flatMap(undocumentedExports)).toEqual([]);
});

/** Tables of rows say what they are by their names and their place. */
const speakingNames = /(Table|Routes|Operations|Request|Search)$|^example$/;

function undocumentedExports(file: SourceFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter((statement) => ts.canHaveModifiers(statement) && isExported(statement))
    .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
    .map(nameOf)
    .filter((name) => !speakingNames.test(name))
    .map((name) => `${file.path}: ${name}`);
}

function isExported(statement: ts.HasModifiers): boolean {
  return ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText() ?? "";
  return "name" in statement && statement.name !== undefined ? (statement.name as ts.Identifier).text : "";
}
