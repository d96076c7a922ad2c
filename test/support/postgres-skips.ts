import type { SkippedTests } from "../contract/describe-storage.js";

/** Tests that no Postgres can pass. */
export const onEveryServer: SkippedTests = {
  reason: "the title of a book is part of a key, and an entry of an index has at most 2,704 bytes",
  tests: ["keeps texts of a mebibyte as they are"],
};

/** Tests that an embedded Postgres cannot pass. */
export const onEmbedded: SkippedTests = {
  reason: "an embedded database has one session, so that reads see what its transaction has written so far",
  tests: [
    "shows a reader outside nothing of a transaction that waits, and does not keep the reader waiting",
    "never shows a reader one half of a transaction",
    "a snapshot shows the same while others write, and keeps no writer waiting",
    "snapshots that are read at the same time each show their own state",
  ],
};
