/** Races of searches in one process: what a page and its total cost us, and by the statements that one would write by hand. */

export interface SearchJob {
  readonly race: string;
  readonly seconds: number;
}

/** Searches per second. */
export interface SearchReport {
  readonly ours: number;
  readonly base: number;
}

type Side = "ours" | "base";

/** Two ways to an answer. `before` is run before each, and is not counted. */
export interface SearchRace extends Readonly<Record<Side, () => Promise<string>>> {
  readonly before?: (side: Side) => unknown;
  /** Whether the two answers are to be the same. Default true. */
  readonly isComparable?: boolean;
}

const answerOf = async (race: SearchRace, side: Side): Promise<{ readonly answer: string; readonly ms: number }> => {
  await race.before?.(side);
  const start = performance.now();
  const answer = await race[side]();
  return { answer, ms: performance.now() - start };
};

const assertSame = async (name: string, race: SearchRace): Promise<void> => {
  const answers = [(await answerOf(race, "ours")).answer, (await answerOf(race, "base")).answer];
  if (race.isComparable !== false && answers[0] !== answers[1]) throw new Error(`${name}: ${answers.join(" against ")}`);
};

/** Runs the races that are asked for, in turns. */
export const answerRaces = (toRace: (name: string) => SearchRace | Promise<SearchRace>): void => {
  const run = async ({ race: name, seconds }: SearchJob): Promise<SearchReport> => {
    const race = await toRace(name);
    await assertSame(name, race);
    const spent = { ours: 0, base: 0 };
    let turns = 0;
    for (; spent.ours + spent.base < seconds * 1_000; turns++)
      for (const side of turns % 2 === 0 ? (["ours", "base"] as const) : (["base", "ours"] as const))
        spent[side] += (await answerOf(race, side)).ms;
    return { ours: (turns * 1_000) / spent.ours, base: (turns * 1_000) / spent.base };
  };
  process.on("message", async (job: SearchJob) => process.send?.(await run(job)));
};
