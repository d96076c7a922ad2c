/**
 * Goal 20: what a six-operation JSON Patch adds to JSON.parse + JSON.stringify of a 100 KB document. Both sides run in
 * this one process, in turns of a few milliseconds, so that heap and machine are the same for both.
 */
import type { WorkerJob, WorkerReport } from "../harness/bundled.ts";
import { groupData } from "../harness/fixtures.ts";

interface PatchModule {
  applyJsonPatch(document: unknown, patch: unknown): unknown;
}

const { applyJsonPatch }: PatchModule = await import(String(process.env.BENCH_MODULE));
const entry = { ...groupData, tags: ["a", "b", "c"] };
const text = JSON.stringify({
  data: { entries: Array.from({ length: 200 }, (_, index) => ({ ...entry, index })) },
  name: "Editors",
});

const patch = [
  { op: "test", path: "/name", value: "Editors" },
  { op: "replace", path: "/name", value: "Authors" },
  { op: "add", path: "/data/entries/50/tags/1", value: "new" },
  { op: "remove", path: "/data/entries/100/labels" },
  { op: "copy", from: "/data/entries/1/contact", path: "/data/entries/2/deputy" },
  { op: "move", from: "/data/entries/3/limits", path: "/data/entries/4/formerLimits" },
];

const work = {
  base: (): string => JSON.stringify(JSON.parse(text)),
  ours: (): string => JSON.stringify(applyJsonPatch(JSON.parse(text), patch)),
} as const;

const check = (): void => {
  const { name, data } = JSON.parse(work.ours());
  const [, , second, third, fourth] = data.entries;
  const tags = data.entries[50].tags.join();
  const isMoved = third.limits === undefined && fourth.formerLimits.members === groupData.limits.members;
  const isRight =
    name === "Authors" && tags === "a,new,b,c" && data.entries[100].labels === undefined && isMoved && second.deputy.room;
  if (!isRight) throw new Error("applyJsonPatch gave a wrong document");
};

const roundsPerTurn = 16;

/** Milliseconds of one turn. */
const timeTurn = (side: keyof typeof work): number => {
  const start = performance.now();
  for (let round = 0; round < roundsPerTurn; round++) if (work[side]() === "") throw new Error("an empty document");
  return performance.now() - start;
};

const run = ({ seconds }: WorkerJob): WorkerReport => {
  const spent = { ours: 0, base: 0 };
  let turns = 0;
  for (; spent.ours + spent.base < seconds * 1000; turns++) {
    const order = turns % 2 === 0 ? (["ours", "base"] as const) : (["base", "ours"] as const);
    for (const side of order) spent[side] += timeTurn(side);
  }
  const rounds = turns * roundsPerTurn * 1000;
  return { ours: rounds / spent.ours, base: rounds / spent.base };
};

check();
process.on("message", (job: WorkerJob) => process.send?.(run(job)));
