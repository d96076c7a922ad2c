import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStorage } from "latchkey/contract";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll } from "vitest";
import { longStorage } from "../support/long-storage.js";

const folder = mkdtempSync(join(tmpdir(), "latchkey-contract-"));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

describeStorage("sqlite in a file", () => sqliteStorage({ filename: join(folder, `${++files}.db`) }));

describeStorage("sqlite, long transactions", () => longStorage(sqliteStorage({ filename: join(folder, `${++files}.db`) })));

describeStorage("sqlite in memory", () => sqliteStorage({ filename: ":memory:" }), {
  skip: [
    {
      reason: "a database in memory has one connection, so that reads see what its transaction has written so far",
      tests: [
        "shows a reader outside nothing of a transaction that waits, and does not keep the reader waiting",
        "never shows a reader one half of a transaction",
      ],
    },
  ],
});
