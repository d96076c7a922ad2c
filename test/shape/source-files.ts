import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** A source file and what the checks ask about it. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Paths from the root of the files it imports, type imports included; packages keep their name. */
  readonly imports: readonly string[];
  /** The same for what it imports when it is first needed, by `import()`. */
  readonly lazyImports: readonly string[];
}

const importShape = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"/g;

const lazyImportShape = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Reads all TypeScript files below some folders. */
export function readSourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
      .map((name) => readSourceFile(join(folder, name))),
  );
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const read = (shape: RegExp): string[] => [...text.matchAll(shape)].map((match) => resolveImport(path, match[1] ?? ""));
  return { path, text, imports: read(importShape), lazyImports: read(lazyImportShape) };
}

/** The module that a file imports, as a path from the root; packages keep their name. */
export function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return relative(root, join(root, dirname(from), specifier)).replace(/\.js$/, ".ts");
}

/** The code of a file. */
export function withoutComments(text: string): string {
  const lines = text.replace(/\/\*[\s\S]*?\*\//g, "").split("\n");
  return lines.filter((line) => !line.trim().startsWith("//")).join("\n");
}

/** Lines that hold code: no blank ones, no comments. */
export function countCodeLines(text: string): number {
  return withoutComments(text)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}
