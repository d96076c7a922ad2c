// Runs in the processes of the tests: writes which test file reached which mutant, a line for each pair.
import { appendFileSync } from "node:fs";

const seen = new Set<string>();

Object.assign(globalThis, {
  __reached(id: string) {
    const { MUTANTS_REACHED: file, MUTANTS_TEST: test } = process.env;
    const line = `${JSON.stringify({ test, id })}\n`;
    if (file === undefined || test === undefined || seen.has(line)) return;
    seen.add(line);
    appendFileSync(file, line);
  },
});
