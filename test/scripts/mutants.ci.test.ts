// The draw of mutants: what is drawn, and what is drawn again after a change of the sources.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { drawAgain, drawMutants, roomOf, shareOut } from "../../scripts/mutants/draw.js";
import { findMutants, isValid, mutate } from "../../scripts/mutants/mutant.js";
import { orderByNearness } from "../../scripts/mutants/nearest.js";
import { toReport } from "../../scripts/mutants/report.js";
import { State } from "../../scripts/mutants/state.js";

const text = `const table = 1 < 2;
export function isLess(a: number, b: number): boolean {
  logger.warn(a === b);
  if (a === b) return false;
  return a < b;
}
export const sum = (a: number, b: number): number => a + b;
`;

function makeTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "mutants-test-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

function makeState(): State {
  return new State(join(makeTree({}), "state.jsonl"));
}

describe("the mutants of a file", () => {
  test("leave out what runs at import and what is logged", async () => {
    const lines = (await findMutants("src/a/a.ts", text)).map(({ line }) => line);
    expect(new Set(lines)).toEqual(new Set([2, 4, 5, 7]));
  });

  test("keep their ids when the lines move, and lose them with their line", async () => {
    const ids = (await findMutants("src/a/a.ts", text)).map(({ id }) => id);
    expect((await findMutants("src/a/a.ts", `// moved\n\n${text}`)).map(({ id }) => id)).toEqual(ids);
    const changed = (await findMutants("src/a/a.ts", text.replace("return a < b", "return b > a"))).map(({ id }) => id);
    expect(ids.filter((id) => !changed.includes(id)).length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("give texts that hold the change, the marker, or both", async () => {
    for (const mutant of await findMutants("src/a/a.ts", text)) {
      const [marked, active, both] = [
        await mutate(text, mutant, "marked"),
        await mutate(text, mutant, "active"),
        await mutate(text, mutant, "both"),
      ];
      expect([marked, both].every((one) => one?.includes(mutant.id))).toBe(true);
      expect(active).not.toContain(mutant.id);
      expect(active).not.toBe(text);
      expect([marked, active, both].map((one) => isValid(one ?? "("))).toEqual([true, true, true]);
    }
  });

  test("the marker says that the place was reached", async () => {
    const [sum] = (await findMutants("src/a/a.ts", text)).filter(({ original }) => original === "a + b");
    expect(sum && (await mutate(text, sum, "both"))).toContain(`=> (globalThis.__reached?.("${sum?.id}"), (a - b));`);
  });
});

describe("a draw", () => {
  const files = {
    "src/one/a.ts": text,
    "src/one/b.ts": text,
    "src/one/c.ts": text,
    "src/two/a.ts": text,
    "adapters/x/a.ts": text,
  };

  test("takes each room, each file once, and the same for the same seed", async () => {
    const root = makeTree(files);
    const drawn = await drawMutants(root, "seed", 4);
    expect(drawn.map(({ file }) => roomOf(file)).toSorted()).toEqual(["adapters/x", "src/one", "src/one", "src/two"]);
    expect(new Set(drawn.map(({ file }) => file)).size).toBe(4);
    expect(await drawMutants(root, "seed", 4)).toEqual(drawn);
  });

  test("is found again after a change, and the next of a room replaces what is gone", async () => {
    const drawn = await drawMutants(makeTree(files), "seed", 4);
    const gone = drawn.find(({ file }) => file.startsWith("src/one/"))?.file ?? "";
    const { [gone as keyof typeof files]: _, ...left } = files;
    const again = await drawAgain(makeTree({ ...left, "src/two/a.ts": `// moved\n${text}` }), "seed", drawn);
    const kept = drawn.filter(({ file }) => file !== gone).map(({ id }) => id);
    expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
    expect(again).toHaveLength(4);
    expect(again.map(({ file }) => file)).not.toContain(gone);
  });

  test("shares out one for each room, and the rest by lines", () => {
    const shares = shareOut(
      new Map([
        ["large", 900],
        ["middle", 300],
        ["small", 1],
      ]),
      9,
    );
    expect(Object.fromEntries(shares)).toEqual({ large: 6, middle: 2, small: 1 });
  });
});

test("the nearest tests have the rarest words of the path", () => {
  const tests = ["test/users/list.test.ts", "test/webhooks/list.test.ts", "test/users/webhooks.test.ts", "test/users/a.test.ts"];
  const ordered = orderByNearness(
    "src/webhooks/family.ts",
    tests.map((name, index) => ({ test: name, ms: 10 - index })),
  );
  expect(ordered.map((one) => one.test).slice(0, 2)).toEqual(["test/users/webhooks.test.ts", "test/webhooks/list.test.ts"]);
});

test("the report compares with the run before, and a state is read again from its file", async () => {
  const mutants = await drawMutants(makeTree({ "src/one/a.ts": text, "src/two/a.ts": text }), "seed", 2);
  const [first, second] = mutants;
  const [before, now] = [makeState(), makeState()];
  for (const state of [before, now]) state.add({ kind: "draw", seed: "seed", mutants });
  for (const { id } of mutants) before.add({ kind: "found", id, long: false, by: "test/a.test.ts", failure: "" });
  now.add({ kind: "passed", long: false, tests: ["test/a.test.ts"], ids: [second?.id ?? ""] });
  now.add({ kind: "found", id: first?.id ?? "", long: true, by: "test/a.test.ts", failure: "" });
  expect(now.hasPassed(false, "test/a.test.ts", second?.id ?? "")).toBe(true);
  expect(toReport(now, before)).toContain("Of those found before: 1 now by all tests, 0 (0 %) by npm test.");
});
