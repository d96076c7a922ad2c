import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { printable, UsageError } from "../command/command.js";
import { fileExtensions, resolveBodyFile } from "./body-files.js";

/** The name of the document in a folder of lambdas. */
export const documentName = "lambdas.json";

/** A folder of lambdas. */
export interface Folder {
  /** The path as the user entered it. */
  readonly name: string;
  readonly path: string;
}

/** A lambda in a document. */
export interface LambdaRecord extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

/** The lambdas of a document. */
export function lambdasOf(document: ConfigDocument): readonly LambdaRecord[] {
  const { lambdas = [] } = document as { readonly lambdas?: readonly LambdaRecord[] };
  return lambdas;
}

/** A folder's document, before its files are read. */
export interface FolderDocument {
  readonly $schema?: unknown;
  readonly lambdas?: unknown;
}

const members = ["formatVersion", "$schema", "lambdas"];

/**
 * Reads the document of a folder; undefined without one.
 * @throws UsageError for other families, and for files outside of the folder.
 */
export function readFolderDocument(folder: Folder): FolderDocument | undefined {
  const path = join(folder.path, documentName);
  if (!existsSync(path)) return undefined;
  const shown = join(folder.name, documentName);
  const document = readJson(path, shown);
  if (!isObject(document)) throw new UsageError(`${shown} must hold a JSON object.`);
  const others = Object.keys(document).filter((name) => !members.includes(name));
  if (others.length > 0)
    throw new UsageError(
      `${shown} has ${printable(others.join(", "))}. The document of a folder has ${members.join(", ")} only: store other families with latchkey apply.`,
    );
  for (const [name, value] of Object.entries(document))
    if (!Array.isArray(value)) checkFiles(folder, name, value);
    else for (const [index, record] of value.entries()) checkFiles(folder, describeRecord(`${name}[${index}]`, record), record);
  return document;
}

function readJson(path: string, shown: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new UsageError(`${shown} is no JSON: ${(cause as Error).message}`, { cause });
  }
}

/** A path in a document with the name of its lambda. */
export function describeRecord(path: string, record: unknown): string {
  return isObject(record) && typeof record.name === "string" ? `${path} (${printable(record.name)})` : path;
}

// The depth limit of document readers.
const maxDepth = 64;

// A document of an untrusted author must not read or overwrite files outside of its folder.
function checkFiles(folder: Folder, place: string, value: unknown, depth: number = 0): void {
  if (typeof value !== "object" || value === null || depth > maxDepth) return;
  const { $file } = value as { readonly $file?: unknown };
  if (typeof $file === "string" && resolveBodyFile(folder.path, $file) === undefined)
    throw new UsageError(
      `${join(folder.name, documentName)}: ${place} names the file ${JSON.stringify($file)}. Name a file inside of the folder, without links that lead out of it, that ends in ${fileExtensions.join(", ")}.`,
    );
  for (const member of Object.values(value)) checkFiles(folder, place, member, depth + 1);
}
