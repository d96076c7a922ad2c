// A distributed database that speaks the protocol: no notices, no advisory locks, no index beside writes, and commits that conflict.
import { describeStorage, type SkippedTests } from "latchkey/contract";
import { tables } from "../contract/storage/tables.js";
import { distributedPool } from "../support/distributed-pool.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { onEmbedded, onEveryServer } from "../support/postgres-skips.js";
import { reuseInContract } from "../support/reused-storages.js";

const database = testDatabase();

const onConflicts: SkippedTests = {
  reason: "the work of these tests shows that it ran twice, as it does when its commit is refused",
  tests: [
    "changing a record after it was inserted changes nothing that is kept",
    "changing a record after it was updated changes nothing that is kept",
    "undoes a savepoint that still runs when its transaction ends",
    "tells where its records are, in ranges without a gap, inside and outside of transactions",
    "ends the transactions that were asked for before it closes",
  ],
};

describeStorage(
  "a distributed database",
  reuseInContract(() => database.newStorage({ isDistributed: true, pool: distributedPool(database.pool()) }), tables),
  { skip: [onEveryServer, onConflicts, ...(postgresUrl === undefined ? [onEmbedded] : [])] },
);
