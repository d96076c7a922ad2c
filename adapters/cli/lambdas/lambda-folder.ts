import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ConfigDocument } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { findFreeFile, hasScript, replaceFiles, resolveBodyFile, toFileKey } from "./body-files.js";
import {
  documentName,
  type Folder,
  type FolderDocument,
  type LambdaRecord,
  lambdasOf,
  readFolderDocument,
} from "./folder-document.js";

/**
 * Writes lambdas to a folder: the document, and one file per body. A lambda keeps its file in the folder's document; unchanged
 * files are not written. No two lambdas share a file, and a file outside of the document is never replaced. Returns the names of
 * the written files.
 * @throws UsageError when the folder's document is unreadable, or names files outside of the folder.
 */
export function writeFolder(given: Folder, document: ConfigDocument): readonly string[] {
  const old = readFolderDocument(given);
  const folder = given.path;
  mkdirSync(folder, { recursive: true });
  const all = lambdasOf(document);
  const names = assignFiles(folder, all, knownFiles(old));
  const lambdas = all.map((lambda) => ({ ...lambda, body: { $file: names.get(lambda) } }));
  const schema = old?.$schema === undefined ? {} : { $schema: old.$schema };
  const text = `${JSON.stringify({ ...schema, ...document, lambdas }, undefined, 2)}\n`;
  const bodies = [...names].map(([{ body }, name]) => ({ name, path: resolveBodyFile(folder, name) ?? "", text: body }));
  // The document last: until then, the old document stays valid.
  const files = [...bodies, { name: documentName, path: join(folder, documentName), text }];
  const changed = files.filter((file) => !hasScript(file.path, file.text));
  replaceFiles(changed);
  return changed.map(({ name }) => name);
}

interface KnownFile {
  readonly id: unknown;
  readonly name: unknown;
  readonly file: string;
}

type FileNames = ReadonlyMap<LambdaRecord, string>;

// Assign known files first: a new name must not take another lambda's file.
function assignFiles(folder: string, all: readonly LambdaRecord[], known: readonly KnownFile[]): FileNames {
  const assigned = assignKnown(folder, all, known);
  const taken = new Set([...assigned.values()].map((file) => toFileKey(folder, file)));
  return new Map(
    all.map((lambda) => {
      const file = assigned.get(lambda) ?? findFreeFile(folder, lambda, taken);
      taken.add(toFileKey(folder, file));
      return [lambda, file];
    }),
  );
}

// Match ids before names, since names are not unique; a document has an id only where needed.
function assignKnown(folder: string, all: readonly LambdaRecord[], known: readonly KnownFile[]): FileNames {
  const names = new Map<LambdaRecord, string>();
  const taken = new Set<string>();
  const has = ({ file }: KnownFile, { body }: LambdaRecord): boolean => hasScript(join(folder, file), body);
  // Stored text has no types, so it must not replace a typed text.
  const mayHold = (one: KnownFile, lambda: LambdaRecord): boolean => !one.file.endsWith(".ts") || has(one, lambda);
  const hasId = (one: KnownFile, { id }: LambdaRecord): boolean => id !== undefined && one.id === id;
  const hasName = (one: KnownFile, { id, name }: LambdaRecord): boolean =>
    one.name === name && (id === undefined || one.id === undefined);
  for (const isSame of [hasId, hasName])
    for (const fits of [has, mayHold])
      for (const lambda of all) {
        const found = known.find((one) => !taken.has(toFileKey(folder, one.file)) && isSame(one, lambda) && fits(one, lambda));
        if (found === undefined || names.has(lambda)) continue;
        taken.add(toFileKey(folder, found.file));
        names.set(lambda, found.file);
      }
  return names;
}

function knownFiles(document: FolderDocument | undefined): readonly KnownFile[] {
  const lambdas: unknown = document?.lambdas;
  return (Array.isArray(lambdas) ? lambdas : []).flatMap((lambda: unknown): readonly KnownFile[] => {
    if (!isObject(lambda) || !isObject(lambda.body)) return [];
    const { $file } = lambda.body;
    return typeof $file === "string" ? [{ id: lambda.id, name: lambda.name, file: $file }] : [];
  });
}
