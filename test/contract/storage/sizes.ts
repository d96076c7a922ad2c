import { globalScope, ResultTooLarge } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, labelsOf, rejectionOf } from "./kit.js";
import { books, toBook } from "./tables.js";

const records = Array.from("abcde", (label) => toBook(label));
const sort = [{ column: "title", direction: "asc" }] as const;
const bytesOf = (count: number): number => records.slice(0, count).reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);

export const sizeTests: readonly ContractTest[] = [
  {
    name: "refuses to find more than a size limit allows",
    run: async (storage) => {
      await keep(storage, books, records);
      for (const order of [{}, { sort }]) {
        const within = { ...order, sizeLimit: { maxBytes: bytesOf(5), unmeasured: 2 } };
        expect(labelsOf(await storage.find(globalScope, books, undefined, within))).toHaveLength(5);
        const beyond = { ...order, sizeLimit: { maxBytes: bytesOf(5) - 1, unmeasured: 2 } };
        await rejectionOf(storage.find(globalScope, books, undefined, beyond), ResultTooLarge);
        expect(await storage.find(globalScope, books, undefined, { ...beyond, limit: 3 })).toHaveLength(3);
        await rejectionOf(
          storage.transaction((tx) => tx.find(globalScope, books, undefined, beyond)),
          ResultTooLarge,
        );
      }
    },
  },
  {
    name: "refuses a page that is larger than a size limit allows",
    run: async (storage) => {
      await keep(storage, books, records);
      const sizeLimit = { maxBytes: bytesOf(3), unmeasured: 1 };
      for (const [limit, offset, expected] of [
        [3, 0, 3],
        [5, 2, 3],
        [5, 4, 1],
      ] as const) {
        const page = await storage.search(globalScope, books, { sort, limit, offset, sizeLimit });
        expect(page.records).toHaveLength(expected);
        expect(page.total).toBe(5);
      }
      for (const offset of [0, 1])
        await rejectionOf(storage.search(globalScope, books, { sort, limit: 4, offset, sizeLimit }), ResultTooLarge);
    },
  },
];
