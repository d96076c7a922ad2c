import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import type { ConfigDocument } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { readScript } from "../../internal/read-script.js";
import { type Terminal, UsageError } from "./command.js";

/** A document merged from several files, with the origin of each record. */
export interface ReadDocument {
  readonly document: ConfigDocument;
  /** Converts a path in the document to a path in its file. */
  readonly locate: (path: string) => string;
}

/** The part of a terminal for reading: standard input and path resolution. */
type Place = Pick<Terminal, "input" | "resolve">;

/** Reads files, the JSON files of directories, and standard input for `-`, as one document. */
export async function readDocuments(names: readonly string[], place: Place): Promise<ReadDocument> {
  if (names.length === 0) throw new UsageError("Name a file, a directory, or - for standard input.");
  // A map, because `__proto__` and `constructor` are valid names.
  const merged = new Map<string, unknown>();
  const origins = new Map<string, string[]>();
  for (const { file, root } of names.flatMap((name) => listFiles(name, place))) {
    const read = await readJson(file, place);
    const directory = place.resolve(file === "-" ? "." : dirname(file));
    // A plan has its included files already.
    const isPlan = isObject(read) && Object.hasOwn(read, "changes");
    const content = isPlan ? read : includeFiles(read, { directory, root: root ?? directory });
    if (!isObject(content)) throw new UsageError(`${file} must hold a JSON object.`);
    for (const [name, value] of Object.entries(content)) merge(merged, origins, { file, name, value });
  }
  const hasOne = names.length === 1 && new Set([...origins.values()].flat()).size <= 1;
  return { document: Object.fromEntries(merged) as ConfigDocument, locate: (path) => (hasOne ? path : locate(origins, path)) };
}

/** A file of a document, and the directory argument that it came from, if any. */
interface ListedFile {
  readonly file: string;
  readonly root?: string;
}

function listFiles(name: string, place: Place): readonly ListedFile[] {
  if (name === "-") return [{ file: name }];
  const path = place.resolve(name);
  if (!statSync(path, { throwIfNoEntry: false })) throw new UsageError(`There is no file ${name}.`);
  if (!statSync(path).isDirectory()) return [{ file: name }];
  const files = listBelow(path, new Set()).filter((file) => file.endsWith(".json"));
  if (files.length === 0) throw new UsageError(`There is no JSON file in ${name}.`);
  return files.sort().map((file) => ({ file: join(name, relative(path, file)), root: path }));
}

// Visit each folder once: a link may lead back up.
function listBelow(folder: string, seen: Set<string>): readonly string[] {
  const real = realpathSync(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folders = paths.filter(isFolder);
  return [...paths.filter((path) => !folders.includes(path)), ...folders.flatMap((path) => listBelow(path, seen))];
}

async function readJson(file: string, { input, resolve: locate }: Place): Promise<unknown> {
  const content = file === "-" ? await text(input) : readFileSync(locate(file), "utf8");
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new UsageError(`${file === "-" ? "Standard input" : file} is no JSON: ${(cause as Error).message}`, { cause });
  }
}

interface Part {
  readonly file: string;
  readonly name: string;
  readonly value: unknown;
}

// Concatenate lists; any other member may appear in several files only with the same value.
function merge(merged: Map<string, unknown>, origins: Map<string, string[]>, { file, name, value }: Part): void {
  const known = merged.get(name);
  const from = origins.get(name) ?? [];
  if (Array.isArray(value) && (known === undefined || Array.isArray(known))) {
    merged.set(name, [...(known ?? []), ...value]);
    origins.set(name, [...from, ...value.map((_, index) => `${file}: ${name}[${index}]`)]);
    return;
  }
  if (known !== undefined && name !== "$schema" && JSON.stringify(known) !== JSON.stringify(value))
    throw new UsageError(`${file}: ${name} is said in another file already.`);
  merged.set(name, value);
}

function locate(origins: ReadonlyMap<string, readonly string[]>, path: string): string {
  const [whole = "", name = "", index = ""] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
  const origin = origins.get(name)?.[Number(index)];
  return origin === undefined ? path : origin + path.slice(whole.length);
}

const maxDepth = 64;

/** The allowed places of included files. */
interface Includes {
  readonly directory: string;
  /** The folder that must contain all included files. */
  readonly root: string;
}

// `{"$file": "…"}` is replaced by the text of a file beside the document, without TypeScript types; `data` stays unchanged.
function includeFiles(value: unknown, where: Includes, depth: number = 0): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item) => includeFiles(item, where, depth + 1));
  const { $file } = value as { readonly $file?: unknown };
  if (typeof $file === "string" && Object.keys(value).length === 1) return readInclude(where, $file);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === "data" ? member : includeFiles(member, where, depth + 1)]),
  );
}

function readInclude({ directory, root }: Includes, name: string): string {
  try {
    const path = realpathSync(resolve(directory, name));
    // A document may come from an untrusted author, and a plan prints the included texts.
    if (!path.startsWith(join(realpathSync(root), sep))) throw new Error(`It is outside of ${root}.`);
    return readScript(path);
  } catch (cause) {
    const reason = cause instanceof Error && !("syscall" in cause) ? ` ${cause.message}` : "";
    throw new UsageError(`The file ${name} that a document includes cannot be read.${reason}`, { cause });
  }
}

function ownMember<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Reads a secret by reference: `env:NAME` is a variable, `file:PATH` a file without its last line break. */
export function readSecretReference(reference: string, terminal: Pick<Terminal, "env" | "resolve">): string | undefined {
  if (reference.startsWith("env:")) return ownMember(terminal.env, reference.slice("env:".length));
  if (!reference.startsWith("file:")) return undefined;
  return readFileSync(terminal.resolve(reference.slice("file:".length)), "utf8").replace(/\r?\n$/, "");
}
