import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { readScript } from "../../internal/read-script.js";
import { UsageError } from "../command.js";

/** The document of a folder of lambdas. */
export const documentName = "lambdas.json";

/** A lambda as a document has it. */
export interface LambdaRecord extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

/** A file of a folder, and its text. */
interface FolderFile {
  readonly name: string;
  readonly text: string;
}

/** The lambdas of a document. */
export function lambdasOf(document: ConfigDocument): readonly LambdaRecord[] {
  const { lambdas = [] } = document as { readonly lambdas?: readonly LambdaRecord[] };
  return lambdas;
}

/**
 * Writes lambdas to a folder: the document, and a file for each body. A lambda keeps the file that the document of the folder names for it,
 * and a file that has the body already stays as it is. Returns the names of the files that were written.
 * @throws UsageError when the document of the folder cannot be read.
 */
export function writeFolder(folder: string, document: ConfigDocument): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const known = knownFiles(folder);
  const taken = new Set(known.values());
  const files: FolderFile[] = [];
  const lambdas = lambdasOf(document).map((lambda) => {
    const file = fileFor(folder, lambda, known.get(lambda.name), taken);
    taken.add(file);
    files.push({ name: file, text: lambda.body });
    return { ...lambda, body: { $file: file } };
  });
  const text = `${JSON.stringify({ ...document, lambdas }, undefined, 2)}\n`;
  return [...files, { name: documentName, text }].filter((file) => writeChanged(folder, file)).map(({ name }) => name);
}

// The files of the document that is there, by the names of lambdas.
function knownFiles(folder: string): ReadonlyMap<string, string> {
  const path = join(folder, documentName);
  const known = new Map<string, string>();
  if (!existsSync(path)) return known;
  for (const lambda of readLambdas(path)) {
    if (!isObject(lambda) || typeof lambda.name !== "string" || !isObject(lambda.body)) continue;
    const { $file } = lambda.body;
    if (typeof $file === "string") known.set(lambda.name, $file);
  }
  return known;
}

function readLambdas(path: string): readonly unknown[] {
  try {
    const { lambdas } = JSON.parse(readFileSync(path, "utf8")) as { readonly lambdas?: unknown };
    return Array.isArray(lambdas) ? lambdas : [];
  } catch (cause) {
    throw new UsageError(`${path} is no document: ${(cause as Error).message}`, { cause });
  }
}

function fileFor(folder: string, { body, name }: LambdaRecord, known: string | undefined, taken: ReadonlySet<string>): string {
  // What is stored has no types any more: it cannot replace a text that has.
  if (known !== undefined && (!known.endsWith(".ts") || hasBody(join(folder, known), body))) return known;
  const base =
    name
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "")
      .toLowerCase() || "lambda";
  let file = `${base}.js`;
  for (let number = 2; taken.has(file); number++) file = `${base}-${number}.js`;
  return file;
}

function hasBody(path: string, body: string): boolean {
  return existsSync(path) && readScript(path) === body;
}

function writeChanged(folder: string, { name, text }: FolderFile): boolean {
  const path = join(folder, name);
  if (hasBody(path, text)) return false;
  writeFileSync(path, text);
  return true;
}
