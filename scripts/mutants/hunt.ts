/** Runs mutants against the tests that reach them. */
import type { Mutant } from "./mutant.ts";
import { orderByNearness, type TimedTest } from "./nearest.ts";
import type { Finding, State } from "./state.ts";
import type { Outcome, Run, Tree } from "./tree.ts";

const chunkSize = 60;
// Of the nearest tests, which find most mutants: so many, or so many milliseconds of them.
const near = { tests: 12, ms: 30_000 };

/** Finds which test reaches which mutant: one pass over the tests, with all mutants marked. */
export async function cover(tree: Tree, state: State): Promise<void> {
  await tree.change(state.mutants, "marked");
  const known = new Set(state.of("test").map(({ test }) => test));
  const tests = (await tree.list(false)).filter((test) => !known.has(test));
  for (const chunk of chunksOf(tests)) {
    const { outcomes, reached } = await tree.run(chunk, { workers: 2, limitMs: 1_800_000 });
    for (const { test, ok, ms, failure } of outcomes) {
      state.add({ kind: "test", test, ok, ms, ids: [...(reached.get(test) ?? [])], ...(failure && { failure }) });
    }
    for (const test of chunk.filter((one) => !outcomes.some((outcome) => outcome.test === one))) {
      state.add({ kind: "test", test, ok: false, ms: 0, ids: [...(reached.get(test) ?? [])], failure: "No report." });
    }
    console.log(`Coverage: ${state.of("test").length} of ${known.size + tests.length} test files.`);
  }
  // What failed may have been a matter of time, or have compared a text with a marker: what fails again says nothing.
  await tree.change([], "marked");
  const again = state.of("test").filter(({ ok, test }) => !ok && !state.isUnreliable(test));
  for (const { test } of again) {
    const { ok, outcomes } = await tree.run([test], { workers: 1, limitMs: 600_000 });
    if (ok) continue;
    const failure = outcomes[0]?.failure;
    state.add({ kind: "unreliable", test, ...(failure && { failure }) });
  }
}

/** Runs each mutant against its nearest tests, some mutants side by side. */
export async function runNearest(trees: readonly Tree[], state: State): Promise<void> {
  const queue = [...state.pending];
  const work = async (tree: Tree): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { id } = mutant;
      const tests = nearestTests(state, mutant).filter((test) => !state.hasPassed(false, test, id));
      if (tests.length === 0) continue;
      const finding = await tryMutant({ tree, state, long: false }, mutant, tests);
      console.log(
        `${mutant.file}:${mutant.line} ${mutant.mutator}: ${finding ? `found by ${finding.by}` : "not found by the nearest tests"}`,
      );
    }
  };
  await Promise.all(trees.map(work));
}

/**
 * Runs the tests that are left with all pending mutants together, and each of these alone against a test that fails.
 * Removes what was found, until no test fails.
 */
export async function runTogether(tree: Tree, state: State, long: boolean): Promise<void> {
  const reach = reachOf(state);
  // The tests of `npm test` are known by what they reach; which of the others do is seen while they run.
  const needs = (test: string): boolean =>
    state.pending.some(({ id }) => !state.hasPassed(long, test, id) && (long || reach.get(test)?.has(id) === true));
  let tests = (await tree.list(long)).filter((test) => !state.isUnreliable(test) && needs(test));
  while (tests.length > 0 && state.pending.length > 0) {
    console.log(
      `${state.pending.length} mutants together against ${tests.length} test files${long ? " with all their cases" : ""}.`,
    );
    const failed = await runGroup({ tree, state, long }, tests);
    tests = failed.filter((test) => !state.isUnreliable(test));
  }
}

/** A checkout with mutants, the records of it, and whether tests run with all their cases. */
interface Hunt {
  readonly tree: Tree;
  readonly state: State;
  readonly long: boolean;
}

/** Runs test files with all pending mutants. Returns those that failed and are still to be explained. */
async function runGroup(hunt: Hunt, tests: readonly string[]): Promise<readonly string[]> {
  const { long, state, tree } = hunt;
  const failed: string[] = [];
  for (const chunk of chunksOf(tests)) {
    const { pending } = state;
    await tree.change(pending, "both");
    const run = await tree.run(chunk, { workers: 2, long, limitMs: limitOf(state, chunk) + (long ? 1_800_000 : 0) });
    const passed = run.outcomes.filter(({ ok }) => ok).map(({ test }) => test);
    state.add({ kind: "passed", long, tests: passed, ids: pending.map(({ id }) => id) });
    const missed = chunk.filter((test) => !passed.includes(test));
    failed.push(...missed);
    // One failure is explained at a time: what is found then fails nothing else. A run without a report was ended, by any.
    const [first] = run.outcomes.filter(({ ok }) => !ok).toSorted((one, other) => one.ms - other.ms);
    if (missed.length > 0) await explain(hunt, first ? [first.test] : missed, run);
  }
  return failed;
}

/** Tries each mutant that failed tests reached alone. If none fails them, they are unreliable. */
async function explain(hunt: Hunt, tests: readonly string[], run: Run): Promise<void> {
  const { state } = hunt;
  const suspects = state.pending.filter(({ id }) => tests.some((test) => run.reached.get(test)?.has(id)));
  let isFound = false;
  for (const mutant of suspects) {
    const finding = await tryMutant(hunt, mutant, tests);
    if (finding === undefined) continue;
    isFound = true;
    console.log(`${mutant.file}:${mutant.line} ${mutant.mutator}: found by ${finding.by}`);
  }
  if (isFound) return;
  for (const test of tests) {
    const failure = run.outcomes.find((one) => one.test === test)?.failure;
    state.add({ kind: "unreliable", test, ...(failure && { failure }) });
  }
}

/** Runs one mutant. Keeps what came of it. */
async function tryMutant(hunt: Hunt, mutant: Mutant, tests: readonly string[]): Promise<Finding | undefined> {
  const { long, state, tree } = hunt;
  const { id } = mutant;
  const keep = (finding: Finding): Finding => {
    state.add({ kind: "found", id, long, ...finding });
    return finding;
  };
  const options = { bail: true, long, workers: 1, limitMs: limitOf(state, tests) };
  await tree.change([mutant], "active");
  const run = await tree.run(tests, options);
  const failed = run.outcomes.find(({ ok }) => !ok);
  if (run.ok) {
    state.add({ kind: "passed", long, tests, ids: [id] });
    return undefined;
  }
  if (failed !== undefined && !isTimed(failed)) return keep({ by: failed.test, failure: failed.failure ?? "" });
  // A matter of time, or no test's: it counts if it fails again, and passes without the mutant.
  const suspects = failed === undefined ? tests : [failed.test];
  const again = await tree.run(suspects, options);
  await tree.change([], "active");
  const without = await tree.run(suspects, options);
  const by = failed?.test ?? tests.join(", ");
  if (!again.ok && without.ok)
    return keep({ by, failure: run.timedOut ? "no end" : (failed?.failure ?? "an error outside of tests") });
  for (const test of suspects) state.add({ kind: "unreliable", test, failure: failed?.failure ?? "" });
  const rest = tests.filter((test) => !suspects.includes(test));
  return rest.length === 0 ? undefined : tryMutant(hunt, mutant, rest);
}

function isTimed({ failure }: Outcome): boolean {
  return failure === undefined || /time|\bms\b|second/i.test(failure);
}

function nearestTests(state: State, { file, id }: Mutant): readonly string[] {
  const reliable = state.of("test").filter(({ test }) => !state.isUnreliable(test));
  const reaching = reliable.filter(({ ids }) => ids.includes(id));
  // Where nothing can be recorded, in workers and guests, names alone decide.
  const ordered = orderByNearness(file, reaching.length > 0 ? reaching : reliable);
  let ms = 0;
  return ordered.slice(0, near.tests).flatMap((one: TimedTest, index) => {
    ms += one.ms;
    return index < 2 || ms <= near.ms ? [one.test] : [];
  });
}

function reachOf(state: State): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(state.of("test").map(({ test, ids }) => [test, new Set(ids)]));
}

function limitOf(state: State, tests: readonly string[]): number {
  const usual = state.of("test").filter(({ test }) => tests.includes(test));
  return 300_000 + 5 * usual.reduce((sum, { ms }) => sum + ms, 0);
}

function chunksOf(tests: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(tests.length / chunkSize) }, (_, index) =>
    tests.slice(index * chunkSize, (index + 1) * chunkSize),
  );
}
