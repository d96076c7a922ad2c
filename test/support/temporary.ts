import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A fast folder for databases: in memory if the machine has room there. */
export const quickFolder: string = hasRoom("/dev/shm") ? "/dev/shm" : tmpdir();

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}

/** A directory that is removed after the test. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(quickFolder, "latchkey-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files into a new directory; returns its path. Objects become JSON. */
export function writeFiles(files: Readonly<Record<string, unknown>>): string {
  const directory = makeDirectory();
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return directory;
}

/** The bytes of every file in a directory. */
export function readAllFiles(directory: string): Buffer {
  return Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
}
