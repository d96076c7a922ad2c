// The measures of the code: each sees what it is there to see.
import { describe, expect, test } from "vitest";
import { backArrows, circles, fileGraph, groupGraph, roomOf, twoWayPairs } from "../../scripts/measures/graph.js";
import { testNames } from "../../scripts/measures/measure.js";
import { countCodeLines, functionLengths, lazyLoads, parseSource, type Source } from "../../scripts/measures/sources.js";
import { fillColumn, parsePage, renderPage, toRows } from "../../scripts/measures.js";

const graphOf = (...sources: readonly Source[]): ReturnType<typeof fileGraph> => fileGraph(sources);

describe("the imports of a file", () => {
  test.each([
    ["import", 'import { x } from "./b.js";'],
    ["type import", 'import type { X } from "./b.js";'],
    ["export from", 'export * from "./b.js";'],
    ["import()", 'const load = () => import("./b.js");'],
    ["type of import()", 'let x: import("./b.js").X;'],
  ])("include a %s", (_, text) => {
    expect(parseSource("src/one/a.ts", text).imports).toEqual(["src/one/b.ts"]);
  });

  test("leave out packages", () => {
    expect(parseSource("src/a.ts", 'import "zod"; import("latchkey/sqlite");').imports).toEqual([]);
  });
});

describe("the graph of files", () => {
  const files = graphOf(
    parseSource("src/one/a.ts", 'import "../two/b.js";'),
    parseSource("src/two/b.ts", 'const load = () => import("../three/deep/c.js");'),
    parseSource("src/three/deep/c.ts", 'import type { A } from "../../one/a.js"; import "../../two/b.js";'),
    parseSource("src/four/d.ts", 'import "../one/a.js";'),
  );

  test("has a circle that is closed by import() and by a type import", () => {
    expect(circles(files).map((circle) => circle.toSorted())).toEqual([["src/one/a.ts", "src/three/deep/c.ts", "src/two/b.ts"]]);
    expect(circles(graphOf(parseSource("a.ts", 'import "./b.js";'), parseSource("b.ts", "")))).toEqual([]);
  });

  test("shows rooms that import each other, and the fewest arrows that run back", () => {
    const rooms = groupGraph(files, roomOf);
    expect([...rooms.keys()]).toEqual(["src/one", "src/two", "src/three", "src/four"]);
    expect(twoWayPairs(rooms)).toEqual([["src/three", "src/two"]]);
    expect(backArrows(rooms)).toHaveLength(1);
  });
});

test("lines of code are those with something other than a comment", () => {
  const text =
    "/** Doc.\n * More. */\nexport function f(): void {\n  // why\n\n  const x = `a\nb // not a comment`; /* end */\n}\n";
  expect(countCodeLines(parseSource("a.ts", text))).toBe(4);
  expect(functionLengths(parseSource("a.ts", text))).toEqual([6]);
});

test.each([
  ['await import("./a.js");', "await import()"],
  ['lazy(() => import("./a.js"));', "lazy(() => import())"],
  ['lazy(async () => (await import("./a.js")).x);', "lazy(() => import())"],
  ['import("./a.js").then(f);', "import().then()"],
  ['const x = () => import("./a.js");', "() => import()"],
  ['const load = import("./a.js");', "the promise of import()"],
  ['const a = createRequire(import.meta.url)("a");', "createRequire()"],
])("%s loads lazily by %s", (text, way) => {
  expect(lazyLoads(parseSource("a.ts", text))).toEqual([way]);
});

test("names of tests are found in each form", () => {
  const text = 'test("one", f); test.each([1])("two", f); it("three", f); requirement(id, "four", f); other("five");';
  expect(testNames(parseSource("a.test.ts", text)).map((name) => name.text)).toEqual(["one", "two", "three", "four"]);
});

describe("the page of measures", () => {
  const rows = toRows({
    code: { Files: 1200, "Pages of docs": 2 },
    pages: { "docs/a.md": { words: 10, sentences: 2, mean: 5, passive: 0.5 } },
  });

  test("keeps one column while the other is filled, and drops rows that neither has", () => {
    const before = renderPage(fillColumn({}, "before", { ...rows, Gone: "1" }));
    const after = renderPage(fillColumn(parsePage(before), "after", { ...rows, Files: "900" }));
    expect(parsePage(after)).toEqual({
      Files: ["1,200", "900"],
      "Pages of docs": ["2", "2"],
      Gone: ["1", ""],
      "`docs/a.md`": ["10 · 5 · 50 %", "10 · 5 · 50 %"],
    });
    expect(parsePage(renderPage(fillColumn(parsePage(after), "before", rows)))).not.toHaveProperty("Gone");
  });
});
