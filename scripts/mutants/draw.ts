/** Draws mutants by a seed, evenly over the rooms: the folders of `src/` and `adapters/`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findMutants, hash, isValid, type Mutant, mutate } from "./mutant.ts";

/** A file that can be drawn, with its place in the order of the draw. */
interface Candidate {
  readonly file: string;
  readonly text: string;
  readonly lines: number;
  readonly order: number;
}

// Types only. Guests and workers stay in: where no test is recorded, those with the nearest names run.
const leftOut = /^(src\/ports|adapters\/lambdas)\//;

/** The folder of a file below `src/` or `adapters/`; `src` itself for the files beside the folders. */
export function roomOf(file: string): string {
  const [top = "", room = "", inside] = file.split("/");
  return inside === undefined ? top : `${top}/${room}`;
}

/**
 * Draws at most one mutant of a file. A room has one, and more by its lines of code. The order is by hashes of names and
 * of changed places, so a change of the sources changes little of the draw.
 */
export async function drawMutants(root: string, seed: string, count: number): Promise<readonly Mutant[]> {
  const all = readCandidates(root, seed);
  const rooms = Object.entries(Object.groupBy(all, ({ file }) => roomOf(file)));
  const drawn: Mutant[] = [];
  const shares = shareOut(new Map(rooms.map(([room, files = []]) => [room, linesOf(files)])), count);
  for (const [room, files = []] of rooms) drawn.push(...(await drawOf(files, seed, shares.get(room) ?? 0)));
  // A room with too few files leaves its share to all.
  const rest = all.filter(({ file }) => !drawn.some((one) => one.file === file));
  return [...drawn, ...(await drawOf(rest, seed, count - drawn.length))];
}

/** The mutants of an earlier draw. The next of its room replaces one whose place is gone. */
export async function drawAgain(root: string, seed: string, earlier: readonly Mutant[]): Promise<readonly Mutant[]> {
  const files = readCandidates(root, seed);
  const kept: Mutant[] = [];
  const lost: Mutant[] = [];
  for (const mutant of earlier) {
    const text = files.find(({ file }) => file === mutant.file)?.text;
    const found = text === undefined ? [] : await findMutants(mutant.file, text);
    const same = found.find(({ id }) => id === mutant.id);
    (same ? kept : lost).push(same ?? mutant);
  }
  for (const { file: gone } of lost) {
    const free = files.filter(({ file }) => roomOf(file) === roomOf(gone) && !kept.some((one) => one.file === file));
    kept.push(...(await drawOf(free, seed, 1)));
  }
  return kept;
}

/** Shares a count out: one for each, the rest by weight. */
export function shareOut(weights: ReadonlyMap<string, number>, count: number): ReadonlyMap<string, number> {
  const shares = new Map(Array.from(weights.keys(), (room) => [room, 1]));
  // The next goes to the room that has the most lines for each mutant it would then have.
  for (let left = count - shares.size; left > 0; left--) {
    const worth = ([room, lines]: readonly [string, number]): number => lines / ((shares.get(room) ?? 0) + 1);
    const [next] = [...weights].toSorted((one, other) => worth(other) - worth(one));
    if (next !== undefined) shares.set(next[0], (shares.get(next[0]) ?? 0) + 1);
  }
  return shares;
}

function readCandidates(root: string, seed: string): readonly Candidate[] {
  const files = globSync(["src/**/*.ts", "adapters/**/*.ts"], { cwd: root, exclude: ["**/node_modules/**", "**/*.d.ts"] });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !leftOut.test(file))
    .map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const lines = text.split("\n").filter((line) => line.trim() !== "").length;
      // A weighted draw without putting back: the least of -ln(u) / weight first.
      const u = (Number.parseInt(hash(seed, file), 16) + 1) / 2 ** 48;
      return { file, text, lines, order: -Math.log(u) / lines };
    })
    .toSorted((one, other) => one.order - other.order);
}

function linesOf(files: readonly Candidate[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

async function drawOf(files: readonly Candidate[], seed: string, count: number): Promise<readonly Mutant[]> {
  const drawn: Mutant[] = [];
  for (const file of files) {
    if (drawn.length >= count) break;
    const first = await drawFrom(file, seed);
    if (first !== undefined) drawn.push(first);
  }
  return drawn;
}

async function drawFrom({ file, text }: Candidate, seed: string): Promise<Mutant | undefined> {
  const found = await findMutants(file, text);
  for (const mutant of found.toSorted((one, other) => (hash(seed, one.id) < hash(seed, other.id) ? -1 : 1))) {
    const changed = await mutate(text, mutant, "both");
    if (changed !== undefined && isValid(changed)) return mutant;
  }
  return undefined;
}
