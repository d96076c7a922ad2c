/** The figures of a run, as text. */
import { roomOf } from "./draw.ts";
import type { Mutant } from "./mutant.ts";
import type { State } from "./state.ts";

/** Renders how many mutants the tests found, by room, and where those are that they did not find. */
export function toReport(state: State, before?: State): string {
  const { mutants, pending } = state;
  const found = state.of("found");
  const short = found.filter(({ long }) => !long);
  const lines = [
    `Mutants: ${mutants.length}. Found by npm test: ${short.length}. Found by npm test and npm run test:long: ${found.length}.`,
    ...roomLines(state),
    "Not found:",
    ...pending.map((one) => `- ${describe(one)}${isReached(state, one) ? "" : " (no test is recorded that reaches it)"}`),
    ...(before ? compare(state, before) : []),
  ];
  const unreliable = [...new Set(state.of("unreliable").map(({ test }) => test))];
  return [
    ...lines,
    ...(unreliable.length > 0 ? [`Left out, since they fail without a mutant: ${unreliable.join(", ")}`] : []),
  ].join("\n");
}

function roomLines({ mutants, pending }: State): readonly string[] {
  const rooms = Object.entries(Object.groupBy(mutants, ({ file }) => roomOf(file)));
  return rooms.toSorted().map(([room, drawn = []]) => {
    const survived = drawn.filter((one) => pending.includes(one)).length;
    return `  ${room}: ${drawn.length - survived} of ${drawn.length}`;
  });
}

/** The two figures that a change of the tests must hold: found as before by all, and 90 % of those by `npm test`. */
function compare(state: State, before: State): readonly string[] {
  const same = before.mutants.filter(({ id }) => state.mutants.some((one) => one.id === id));
  const gone = before.mutants.filter((one) => !same.includes(one));
  const foundBefore = same.filter(({ id }) => before.of("found").some((one) => one.id === id));
  const all = foundBefore.filter(({ id }) => state.of("found").some((one) => one.id === id));
  const short = foundBefore.filter(({ id }) => state.of("found").some((one) => one.id === id && !one.long));
  const now = same.filter(({ id }) => state.of("found").some((one) => one.id === id));
  const percent = Math.round((1000 * short.length) / Math.max(1, foundBefore.length)) / 10;
  return [
    `The same ${same.length} mutants: found before ${foundBefore.length}, now ${now.length}.`,
    `Of those found before: ${all.length} now by all tests, ${short.length} (${percent} %) by npm test.`,
    ...foundBefore.filter((one) => !all.includes(one)).map((one) => `- found before only: ${describe(one)}`),
    ...gone.map((one) => `- its place is gone, the next of the draw replaces it: ${describe(one)}`),
  ];
}

function isReached(state: State, { id }: Mutant): boolean {
  return state.of("test").some(({ ids }) => ids.includes(id));
}

function describe({ file, line, mutator, original, replacement }: Mutant): string {
  const short = (text: string): string => text.replace(/\s+/g, " ").slice(0, 70);
  return `${file}:${line} ${mutator}: ${short(original)} → ${short(replacement)}`;
}
