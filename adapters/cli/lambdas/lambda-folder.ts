import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, normalize } from "node:path";
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
 * and a file that has the body already stays as it is. No two lambdas share a file. Returns the names of the files that were written.
 * @throws UsageError when the document of the folder cannot be read.
 */
export function writeFolder(folder: string, document: ConfigDocument): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const all = lambdasOf(document);
  const names = assignFiles(folder, all);
  const files = all.map((lambda): FolderFile => ({ name: names.get(lambda) ?? "", text: lambda.body }));
  const lambdas = all.map((lambda) => ({ ...lambda, body: { $file: names.get(lambda) } }));
  const text = `${JSON.stringify({ ...document, lambdas }, undefined, 2)}\n`;
  return [...files, { name: documentName, text }].filter((file) => writeChanged(folder, file)).map(({ name }) => name);
}

/** A file that the document of the folder names, and the lambda that it names it for. */
interface KnownFile {
  readonly id: unknown;
  readonly name: unknown;
  readonly file: string;
}

type FileNames = ReadonlyMap<LambdaRecord, string>;

// Known files go first: a new name must not take one that another lambda has.
function assignFiles(folder: string, all: readonly LambdaRecord[]): FileNames {
  const names = new Map(assignKnown(folder, all));
  const taken = new Set([documentName, ...names.values()].map(toFileKey));
  for (const lambda of all) {
    if (names.has(lambda)) continue;
    const file = newFile(lambda.name, taken);
    taken.add(toFileKey(file));
    names.set(lambda, file);
  }
  return names;
}

// An id decides before a name, since names are not unique; a document has the id only where it needs it.
function assignKnown(folder: string, all: readonly LambdaRecord[]): FileNames {
  const known = knownFiles(folder);
  const names = new Map<LambdaRecord, string>();
  const taken = new Set([toFileKey(documentName)]);
  const has = ({ file }: KnownFile, { body }: LambdaRecord): boolean => hasBody(join(folder, file), body);
  // What is stored has no types any more: it cannot replace a text that has.
  const mayHold = (one: KnownFile, lambda: LambdaRecord): boolean => !one.file.endsWith(".ts") || has(one, lambda);
  const hasId = (one: KnownFile, { id }: LambdaRecord): boolean => id !== undefined && one.id === id;
  const hasName = (one: KnownFile, { id, name }: LambdaRecord): boolean =>
    one.name === name && (id === undefined || one.id === undefined);
  for (const isSame of [hasId, hasName])
    for (const fits of [has, mayHold])
      for (const lambda of all) {
        const found = known.find((one) => !taken.has(toFileKey(one.file)) && isSame(one, lambda) && fits(one, lambda));
        if (found === undefined || names.has(lambda)) continue;
        taken.add(toFileKey(found.file));
        names.set(lambda, found.file);
      }
  return names;
}

// Many file systems take `Plan.js` and `plan.js` for the same file.
function toFileKey(file: string): string {
  return normalize(file).normalize("NFC").toLowerCase();
}

function knownFiles(folder: string): readonly KnownFile[] {
  const path = join(folder, documentName);
  if (!existsSync(path)) return [];
  return readLambdas(path).flatMap((lambda): readonly KnownFile[] => {
    if (!isObject(lambda) || !isObject(lambda.body)) return [];
    const { $file } = lambda.body;
    return typeof $file === "string" ? [{ id: lambda.id, name: lambda.name, file: $file }] : [];
  });
}

function readLambdas(path: string): readonly unknown[] {
  try {
    const { lambdas } = JSON.parse(readFileSync(path, "utf8")) as { readonly lambdas?: unknown };
    return Array.isArray(lambdas) ? lambdas : [];
  } catch (cause) {
    throw new UsageError(`${path} is no document: ${(cause as Error).message}`, { cause });
  }
}

function newFile(name: string, taken: ReadonlySet<string>): string {
  const base =
    name
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "")
      .toLowerCase() || "lambda";
  let file = `${base}.js`;
  for (let number = 2; taken.has(toFileKey(file)); number++) file = `${base}-${number}.js`;
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
