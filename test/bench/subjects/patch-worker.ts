/**
 * Goal 20: what a six-operation JSON Patch adds to JSON.parse + JSON.stringify of a 100 KB document. Both sides run in
 * this one process, in turns of a few milliseconds, so that heap and machine are the same for both.
 */
import { groupData } from "../harness/fixtures.ts";
import { answerJobs } from "../harness/turns.ts";

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

const notEmpty = (text: string): void => {
  if (text === "") throw new Error("an empty document");
};

check();
answerJobs({ roundsPerTurn: 16, work: { ours: () => notEmpty(work.ours()), base: () => notEmpty(work.base()) } });
