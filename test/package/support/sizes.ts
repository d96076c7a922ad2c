import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import manifest from "../../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../..");

/** The subpaths of the package with the files that they are. */
export const entries: readonly (readonly [subpath: string, file: string])[] = Object.entries(manifest.exports).flatMap(
  ([subpath, entry]) => (typeof entry === "string" ? [] : [[subpath, join(root, entry.default)] as const]),
);

/** The bytes, compressed, of a file and of whatever it imports of the package before it runs; what is loaded on demand is left out. */
export function sizeOf(file: string): number {
  const texts = [...withImports(file)]
    .sort()
    .map((path) => readFileSync(path, "utf8").replace(/\n\/\/# sourceMappingURL=.*/, ""));
  return gzipSync(texts.join("")).length;
}

function withImports(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const path of importsOf(file)) withImports(path, found);
  return found;
}

function importsOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const to = statement.moduleSpecifier;
    if (to === undefined || !ts.isStringLiteral(to)) return [];
    if (to.text.startsWith(".")) return [join(dirname(file), to.text)];
    return entries.filter(([subpath]) => to.text === `latchkey${subpath.slice(1)}`).map(([, path]) => path);
  });
}
