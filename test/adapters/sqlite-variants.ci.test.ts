import { describeStorage } from "latchkey/contract";
import { sqliteStorage } from "latchkey/sqlite";
import { tables } from "../contract/storage/tables.js";
import { temporaryFiles } from "../storage/support/temporary-files.js";
import { longStorage } from "../support/long-storage.js";
import { reuseInContract } from "../support/reused-storages.js";

const newFile = temporaryFiles();

// Each has a thread of its own, which takes long to start.
const newLongStorage = reuseInContract(() => longStorage(sqliteStorage({ filename: newFile() })), tables);
describeStorage("sqlite, long transactions", newLongStorage);

const newThreadedStorage = reuseInContract(() => sqliteStorage({ filename: newFile(), readerThreadsFrom: 0 }), tables);
describeStorage("sqlite, reader threads", newThreadedStorage);

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
