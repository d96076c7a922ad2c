import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, posix, resolve, sep, win32 } from "node:path";
import { readScript } from "../../internal/read-script.js";

/** The extensions of body files. Other files, such as lambdas.json or package.json, are not bodies. */
export const fileExtensions: readonly string[] = [".js", ".mjs", ".cjs", ".ts"];

/**
 * Resolves the path of a body file and its symbolic links. Returns undefined for forbidden paths: outside of the folder,
 * absolute, with another extension, or not a regular file.
 */
export function resolveBodyFile(folder: string, file: string): string | undefined {
  if (!hasExtension(file) || posix.isAbsolute(file) || win32.isAbsolute(file)) return undefined;
  try {
    const root = realpathSync(folder);
    const path = toRealPath(resolve(folder, file));
    const isInside = path.startsWith(root.endsWith(sep) ? root : root + sep);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    return isInside && isFile && hasExtension(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function hasExtension(file: string): boolean {
  return fileExtensions.some((ending) => file.endsWith(ending));
}

// A dangling link has no real path: writing to it would create a file elsewhere.
function toRealPath(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  return join(toRealPath(dirname(path)), basename(path));
}

/** Returns the same key for two names of one file. Many file systems ignore case: `Plan.js` and `plan.js`. */
export function toFileKey(folder: string, file: string): string {
  return foldFileName(resolveBodyFile(folder, file) ?? resolve(folder, file));
}

function foldFileName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Whether a script exists with this text, without types. */
export function hasScript(path: string, text: string): boolean {
  if (!existsSync(path)) return false;
  try {
    return readScript(path) === text;
  } catch (error) {
    // Invalid TypeScript is a different text.
    if (/_TYPESCRIPT_SYNTAX$/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Returns a file name for a new lambda: unused, or of a file with the same text. */
export function findFreeFile(
  folder: string,
  { body, name }: { readonly body: string; readonly name: string },
  taken: ReadonlySet<string>,
): string {
  const present = new Set(readdirSync(folder).map(foldFileName));
  const isFree = (file: string): boolean => {
    if (taken.has(toFileKey(folder, file))) return false;
    if (!present.has(foldFileName(file))) return true;
    const path = resolveBodyFile(folder, file);
    return path !== undefined && hasScript(path, body);
  };
  const base = toBaseName(name);
  let file = `${base}.js`;
  for (let number = 2; !isFree(file); number++) file = `${base}-${number}.js`;
  return file;
}

// Leaves room for a number and the extension: file systems allow 255 bytes.
const maxBaseBytes = 200;

// Windows reserves these device names, with any extension.
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

function toBaseName(name: string): string {
  const words = name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  const base = cutText(words.replace(/^-/, ""), maxBaseBytes).replace(/-$/, "");
  return base === "" || devices.test(base) ? `lambda${base && `-${base}`}` : base;
}

function cutText(text: string, maxBytes: number): string {
  let length = 0;
  for (const character of text) {
    if (Buffer.byteLength(text.slice(0, length) + character) > maxBytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** A file and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Replaces files in order, after all texts are on disk: a failure before that changes none. */
export function replaceFiles(files: readonly TextFile[]): void {
  const prepared = files.map(({ path, text }) => ({ path, text, beside: join(dirname(path), `.latchkey-${randomUUID()}.tmp`) }));
  try {
    for (const { beside, path, text } of prepared) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(beside, text, { flag: "wx" });
      const old = statSync(path, { throwIfNoEntry: false });
      if (old !== undefined) chmodSync(beside, old.mode);
    }
    for (const { beside, path } of prepared) renameSync(beside, path);
  } finally {
    for (const { beside } of prepared) rmSync(beside, { force: true });
  }
}
