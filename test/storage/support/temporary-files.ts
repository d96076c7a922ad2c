import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { quickFolder } from "../../support/temporary.js";

/** Answers names of files that do not exist yet, in a folder that is removed when the test file ends. */
export function temporaryFiles(): () => string {
  const folder = mkdtempSync(join(quickFolder, "latchkey-storage-"));
  let files = 0;
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => join(folder, `${++files}.db`);
}
