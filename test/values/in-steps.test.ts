import { describe, expect, test } from "vitest";
import { copyInput } from "../../src/http/transport/input-text.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { findUnsafeInSteps, findUnsafeValue } from "../../src/shared/find-unsafe-value.js";
import { chunkSize, copyInSteps, hasManyItems, inChunks, mapInChunks, sortInSteps } from "../../src/shared/in-steps.js";
import { cases, fc } from "../support/properties.js";

const { timers } = createRuntime();
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** How many turns of the event loop others get while something is under way. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const tick = (): void => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  return turns;
}

describe("work in chunks", () => {
  test.each([0, 1, 6, 7, 8, 14, 20])("takes each of %d items once, in order", async (count) => {
    const chunks: (readonly number[])[] = [];
    await inChunks({ timers, size: 7 }, numbers(count), (chunk) => void chunks.push(chunk));
    expect(chunks.flat()).toEqual(numbers(count));
    expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= 7)).toBe(true);
    expect(await mapInChunks({ timers }, numbers(count), (chunk) => chunk.map(String))).toEqual(numbers(count).map(String));
  });

  test("leaves others a turn between two of them", async () => {
    expect(await countTurns(() => inChunks({ timers, size: 10 }, numbers(100), () => undefined))).toBeGreaterThanOrEqual(9);
    expect(await countTurns(() => sortInSteps({ timers }, numbers(10 * chunkSize).map(String)))).toBeGreaterThanOrEqual(9);
  });
});

test("sorts texts as a sort at once does", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\u{1f600}", "\uffff"), maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 50 }), fc.integer({ min: 0, max: 200 }), async (texts, times) => {
      const many = numbers(times).flatMap((time) => texts.map((each) => each + (time % 13)));
      expect(await sortInSteps({ timers }, many)).toEqual(many.toSorted());
    }),
    cases(30),
  );
});

describe("a value is very long", () => {
  test.each<[string, unknown, boolean]>([
    ["nothing", undefined, false],
    ["a text", "x".repeat(10_000), false],
    ["a list of two steps", numbers(2 * chunkSize), false],
    ["a longer list", numbers(2 * chunkSize + 1), true],
    ["lists that are long together", { a: numbers(chunkSize), b: { c: numbers(chunkSize), d: [1] } }, true],
    ["a list that lies deep", { a: { b: { c: { d: numbers(9_000) } } } }, false],
    ["a list inside of lists", [numbers(9_000)], false],
  ])("%s", (_, value, expected) => {
    expect(hasManyItems(value)).toBe(expected);
  });

  test("and may contain itself", () => {
    const loop: Record<string, unknown> = { list: numbers(9_000) };
    loop.loop = loop;
    expect(hasManyItems(loop)).toBe(true);
  });
});

/** Values of JavaScript, among them what JSON has no text for. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(undefined, null, true, 0, -0, 1.5, "", "é", new Date(0), () => 1, new Map([[1, 2]])),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__", "toJSON"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

describe("a copy in steps", () => {
  test("is what a copy at once is", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        expect(await copyInSteps({ timers }, value, copyInput)).toStrictEqual(copyInput(value));
      }),
      cases(300),
    );
  });

  test("shares nothing, and leaves others their turns", async () => {
    const value = { members: { a: numbers(5 * chunkSize).map((n) => ({ n })) } };
    const turns = await countTurns(async () => {
      const copy = (await copyInSteps({ timers }, value, copyInput)) as typeof value;
      expect(copy).toEqual(value);
      expect(copy.members.a[0]).not.toBe(value.members.a[0]);
    });
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("refuses what contains itself, as JSON does", async () => {
    const loop: Record<string, unknown> = { list: [] };
    loop.loop = loop;
    await expect(copyInSteps({ timers }, loop, copyInput)).rejects.toMatchObject({ code: "[invalidJSON]" });
  });
});

test("finds in steps what is unsafe, where looking at once finds it", async () => {
  const unsafe = fc.constantFrom<unknown>(1, "x", "\0", "\ud800", Number.NaN, JSON.parse('{"__proto__":1}'), { "\0": 1 }, [
    ["\0"],
  ]);
  await fc.assert(
    fc.asyncProperty(unsafe, unsafe, fc.integer({ min: 0, max: 2_500 }), async (first, second, place) => {
      const list: unknown[] = numbers(2_500).slice();
      list[place] = first;
      list[2_400] = second;
      for (const value of [list, { a: list }, { a: { b: list, c: second } }, { a: { b: { c: { d: list } } } }])
        expect(await findUnsafeInSteps({ timers }, value)).toEqual(findUnsafeValue(value));
    }),
    cases(30),
  );
  expect(await findUnsafeInSteps({ timers }, JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`))).toMatchObject({
    kind: "tooDeep",
  });
});
