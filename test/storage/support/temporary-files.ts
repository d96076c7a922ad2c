import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Answers names of files that do not exist yet, in a folder that is removed when the test file ends. */
export function temporaryFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-storage-"));
  let files = 0;
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => join(folder, `${++files}.db`);
}
