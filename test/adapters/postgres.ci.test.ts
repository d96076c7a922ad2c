import { describeStorage } from "latchkey/contract";
import { storageTestNames } from "../contract/describe-storage.js";
import { tables } from "../contract/storage/tables.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { onEmbedded, onEveryServer } from "../support/postgres-skips.js";
import { steps } from "../support/properties.js";
import { reuseInContract } from "../support/reused-storages.js";

const { newStorage } = testDatabase();

// By default a part of the contract: an embedded server takes longer for each test than SQLite and memory together.
const sample = steps(storageTestNames, 18);
const beyondSample = { reason: "only in full runs", tests: storageTestNames.filter((name) => !sample.includes(name)) };

describeStorage(
  "postgres",
  reuseInContract(() => newStorage(), tables),
  {
    skip: [onEveryServer, beyondSample, ...(postgresUrl === undefined ? [onEmbedded] : [])],
  },
);
