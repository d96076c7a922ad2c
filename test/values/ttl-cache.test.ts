import { expect, test } from "vitest";
import { TtlCache } from "../../src/shared/ttl-cache.js";

let now = 10_000;
const monotonic = (): number => now;

test("a value is read once, and again after less than a second", async () => {
  const kept = new TtlCache<number>(monotonic);
  let reads = 0;
  const read = async (): Promise<number> => ++reads;
  expect([await kept.find("a", read), await kept.find("a", read), kept.get("a")]).toEqual([1, 1, 1]);
  now += 1_000;
  expect([kept.get("a"), await kept.find("a", read)]).toEqual([undefined, 2]);
});

test("what is not there is not kept", async () => {
  const kept = new TtlCache<number>(monotonic);
  expect(await kept.find("a", async () => undefined)).toBeUndefined();
  expect(await kept.find("a", async () => 1)).toBe(1);
});

test("what was read before a change is not kept after it", async () => {
  const kept = new TtlCache<number>(monotonic);
  await kept.find("b", async () => 1);
  const late = await kept.find("a", async () => {
    kept.invalidate();
    return 1;
  });
  expect([late, kept.get("a"), kept.get("b")]).toEqual([1, undefined, undefined]);
});

test("caches no more than the limit", async () => {
  const kept = new TtlCache<number>(monotonic, 2);
  for (const name of ["a", "b", "c"]) await kept.find(name, async () => 1);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([undefined, undefined, 1]);
});
