/** What is known so far, as lines of JSON in a file: a run that was stopped goes on from there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutant.ts";

/** A line of the file. */
export type Line =
  | { readonly kind: "draw"; readonly seed: string; readonly mutants: readonly Mutant[] }
  /** A test file without a mutant, and the ids of those that it reaches. */
  | {
      readonly kind: "test";
      readonly test: string;
      readonly ok: boolean;
      readonly ms: number;
      readonly ids: readonly string[];
      readonly failure?: string;
    }
  /** Tests that pass with each of some mutants. */
  | { readonly kind: "passed"; readonly long: boolean; readonly tests: readonly string[]; readonly ids: readonly string[] }
  | ({ readonly kind: "found"; readonly id: string; readonly long: boolean } & Finding)
  /** A test that fails without a mutant, or only sometimes. */
  | { readonly kind: "unreliable"; readonly test: string; readonly failure?: string };

/** The test that found a mutant, and its message. */
export interface Finding {
  readonly by: string;
  readonly failure: string;
}

/** The lines of a file, with what follows from them. */
export class State {
  readonly lines: Line[];
  readonly #file: string;
  readonly #passed = new Set<string>();

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    this.lines = text.split("\n").flatMap((line): Line[] => (line === "" ? [] : [JSON.parse(line)]));
    for (const line of this.lines) this.#index(line);
  }

  /** Appends a line. */
  add(line: Line): void {
    this.lines.push(line);
    this.#index(line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** The lines of a kind. */
  of<K extends Line["kind"]>(kind: K): readonly Extract<Line, { kind: K }>[] {
    return this.lines.filter((line): line is Extract<Line, { kind: K }> => line.kind === kind);
  }

  /** The drawn mutants. */
  get mutants(): readonly Mutant[] {
    return this.of("draw")[0]?.mutants ?? [];
  }

  /** The mutants that no test found so far. */
  get pending(): readonly Mutant[] {
    const found = new Set(this.of("found").map(({ id }) => id));
    return this.mutants.filter(({ id }) => !found.has(id));
  }

  /** Whether a test passed with a mutant. */
  hasPassed(long: boolean, test: string, id: string): boolean {
    return this.#passed.has(`${long} ${test} ${id}`);
  }

  /** Whether the outcome of a test says nothing. */
  isUnreliable(test: string): boolean {
    return this.of("unreliable").some((one) => one.test === test);
  }

  #index(line: Line): void {
    if (line.kind !== "passed") return;
    for (const test of line.tests) for (const id of line.ids) this.#passed.add(`${line.long} ${test} ${id}`);
  }
}
