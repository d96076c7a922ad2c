import { expect, onTestFinished, test, vi } from "vitest";
import { Progress } from "../../adapters/cli/users/progress.js";

function watch(isWatched: boolean): { readonly progress: Progress; readonly lines: string[] } {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  return { progress: new Progress({ isWatched, say: add, status: add }), lines };
}

test("somebody who watches sees a bar, the rate and the time left", () => {
  const { lines, progress } = watch(true);
  vi.setSystemTime(1_000);
  progress.show({ what: "Importing", done: 0, total: 400_000 });
  vi.setSystemTime(1_100);
  progress.show({ what: "Importing", done: 10, total: 400_000 });
  vi.setSystemTime(11_000);
  progress.show({ what: "Importing", done: 100_000, total: 400_000 });
  vi.setSystemTime(12_000);
  progress.show({ what: "Sending", done: 5, total: undefined });
  progress.end();
  expect(lines).toEqual([
    "Importing: [....................] 0 %, 0",
    "Importing: [#####...............] 25 %, 100,000, 10,000/s, 30 s left",
    "Sending: 5",
    "",
  ]);
});

test("elsewhere there is a line every ten seconds, and none for what is quick", () => {
  const { lines, progress } = watch(false);
  for (let second = 1; second <= 25; second++) {
    vi.setSystemTime(second * 1_000);
    progress.show({ what: "Importing", done: second * 100, total: 100_000 });
  }
  progress.end();
  expect(lines).toEqual(["Importing: 1 %, 1,100, 100/s, 16:29 min left", "Importing: 2 %, 2,100, 100/s, 16:19 min left"]);
});
