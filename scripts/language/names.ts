/** The names of the code, and the vocabulary that they are made of. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { lineOf, type Source } from "../measures/sources.ts";
import type { Passage } from "./prose.ts";

/** The words of a name: `toJSONPatch` is to, json, patch. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1);
}

/** The names that files declare and export. */
export function exportedNames(sources: readonly Source[]): readonly string[] {
  return [...new Set(sources.flatMap(exportsOf).map(({ text }) => text))].toSorted();
}

/** The names that a file declares and exports, with their lines. */
export function exportsOf({ tree }: Source): readonly Passage[] {
  return tree.statements
    .filter(isExported)
    .flatMap((statement) => declaredNames(statement).map((text) => ({ text, line: lineOf(tree, statement.getStart(tree)) })));
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** The names of files and of the folders that they are in, without the ending. */
export function fileNames(sources: readonly Source[]): readonly string[] {
  const names = sources.flatMap(({ path }) => [basename(path, ".ts"), basename(dirname(path))]);
  return [...new Set(names.filter((name) => name !== "index"))].toSorted();
}

/** The words that names may be made of: the terms of the glossary, fields of the API, and scripts/language/words.txt. */
export function readVocabulary(root: string): ReadonlySet<string> {
  const terms = readFileSync(join(root, "docs/glossary.md"), "utf8").matchAll(/^\| ([^|]+) \|/gm);
  const listed = readFileSync(join(root, "scripts/language/words.txt"), "utf8").replace(/^#.*$/gm, "");
  const document: unknown = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
  const words = [...Array.from(terms, ([, term = ""]) => term), ...fieldNames(document), listed];
  return new Set(words.flatMap(wordsOf).flatMap((word) => [word, `${word}s`]));
}

/** The names of all members that the API's schemas have. */
function fieldNames(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  const own = "properties" in part && typeof part.properties === "object" ? Object.keys(part.properties ?? {}) : [];
  return [...own, ...Object.values(part).flatMap(fieldNames)];
}

/** The words of a name that the vocabulary does not have. */
export function unknownWords(name: string, vocabulary: ReadonlySet<string>): readonly string[] {
  return wordsOf(name).filter((word) => !vocabulary.has(word));
}
