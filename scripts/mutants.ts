/**
 * Mutation sampling: `npm run mutants`. Draws 120 mutants by a seed over all folders of `src/` and `adapters/`, and runs each
 * against the tests that reach it. Goes on where it was stopped.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { drawAgain, drawMutants } from "./mutants/draw.ts";
import { cover, runNearest, runTogether } from "./mutants/hunt.ts";
import { toReport } from "./mutants/report.ts";
import { State } from "./mutants/state.ts";
import { Tree } from "./mutants/tree.ts";

const own = join(import.meta.dirname, "..");

const { values } = parseArgs({
  options: {
    /** The checkout whose sources and tests are used. */
    root: { type: "string", default: own },
    state: { type: "string", default: join(own, "node_modules/.cache/mutants.jsonl") },
    seed: { type: "string", default: "latchkey" },
    count: { type: "string", default: "120" },
    /** The state file of an earlier run: takes its mutants, and compares. */
    before: { type: "string" },
    /** Mutants side by side. */
    jobs: { type: "string", default: "2" },
    /** Also runs what only CI runs against those that `npm test` does not find. */
    long: { type: "boolean", default: false },
    /** Prints what is known, and runs nothing. */
    report: { type: "boolean", default: false },
  },
});

const root = resolve(values.root);
const state = new State(resolve(values.state));
const before = values.before === undefined ? undefined : new State(resolve(values.before));

async function draw(): Promise<void> {
  if (state.mutants.length > 0) return;
  const { seed } = values;
  const mutants = before ? await drawAgain(root, seed, before.mutants) : await drawMutants(root, seed, Number(values.count));
  state.add({ kind: "draw", seed, mutants });
}

async function run(): Promise<void> {
  await draw();
  const trees = Array.from({ length: Number(values.jobs) }, () => new Tree(root));
  const [first] = trees;
  if (first === undefined) throw new Error("`--jobs` must be at least 1.");
  // An interrupt ends the process as usual, so that the tests end and the copies go.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  process.once("exit", () => {
    for (const tree of trees) tree.remove();
  });
  await cover(first, state);
  await runNearest(trees, state);
  await runTogether(first, state, false);
  if (values.long) await runTogether(first, state, true);
}

if (!values.report) await run();
console.log(toReport(state, before));
