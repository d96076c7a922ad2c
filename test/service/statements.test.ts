import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { callerFor, familyCases, pathWithoutId } from "../support/families.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { watchStorage } from "../support/watched-storage.js";
import { startWorld } from "../support/world.js";

/** A storage that counts what is read from it. */
function countReads(): { readonly storage: Storage; readonly reads: () => number } {
  let count = 0;
  const beforeCall = (): void => void count++;
  return { storage: watchStorage(memoryStorage(), { beforeCall }), reads: () => count };
}

describe.each(familyCases.filter((family) => family.takesId))("$name", (family) => {
  test("are listed and searched with as many statements for many records as for a few", async () => {
    stopMonotonicClock();
    const { storage, reads } = countReads();
    const world = await startWorld(storage);
    const place = await family.arrange(world, world.defaultTenantId);
    const caller = callerFor(world, family);
    const path = pathWithoutId(place);
    const costs = async (): Promise<readonly (number | undefined)[]> => {
      const counted: (number | undefined)[] = [];
      for (const url of [path, `${path}/search?numberOfResults=100`]) {
        const before = reads();
        const answer = await caller.get(url);
        counted.push(answer.status === 200 ? reads() - before : undefined);
      }
      return counted;
    };
    const make = async (from: number, to: number): Promise<void> => {
      for (let number = from; number <= to; number++)
        expect((await caller.post(place.collection, place.body(number))).status).toBe(200);
    };
    await make(1, 2);
    const few = await costs();
    await make(3, 25);
    expect(await costs()).toEqual(few);
    for (const cost of few) expect(cost ?? 0).toBeLessThan(8);
  });
});
