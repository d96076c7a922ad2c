import type { WorkerJob, WorkerReport } from "./bundled.ts";

export interface Turns {
  readonly roundsPerTurn: number;
  /** Each side does its work once. */
  readonly work: { readonly ours: () => void; readonly base: () => void };
}

/** Lets two sides work in turns of a few milliseconds in this one process, so that heap and machine are the same for both. */
export const answerJobs = ({ roundsPerTurn, work }: Turns): void => {
  const timeTurn = (side: keyof typeof work): number => {
    const start = performance.now();
    for (let round = 0; round < roundsPerTurn; round++) work[side]();
    return performance.now() - start;
  };
  const run = async ({ seconds }: WorkerJob): Promise<WorkerReport> => {
    const spent = { ours: 0, base: 0 };
    let turns = 0;
    for (; spent.ours + spent.base < seconds * 1000; turns++) {
      const order = turns % 2 === 0 ? (["ours", "base"] as const) : (["base", "ours"] as const);
      for (const side of order) spent[side] += timeTurn(side);
      // What a side has started meanwhile is done before the next turn.
      await new Promise(setImmediate);
    }
    const rounds = turns * roundsPerTurn * 1000;
    return { ours: rounds / spent.ours, base: rounds / spent.base };
  };
  process.on("message", async (job: WorkerJob) => process.send?.(await run(job)));
};
