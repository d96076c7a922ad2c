import { describeStorage } from "latchkey/contract";
import { tables } from "../contract/storage/tables.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { onEmbedded, onEveryServer } from "../support/postgres-skips.js";
import { reuseInContract } from "../support/reused-storages.js";

const { newStorage } = testDatabase();

describeStorage(
  "postgres",
  reuseInContract(() => newStorage(), tables),
  {
    skip: postgresUrl === undefined ? [onEveryServer, onEmbedded] : [onEveryServer],
  },
);
