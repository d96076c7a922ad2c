import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory that goes with the test. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files into a fresh directory and answers its path. Objects become JSON. */
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
