import type { Requirement } from "./requirement.js";

const behaviour = "docs/reference/service.md#storages";
const decisions = "docs/reference/README.md";

/** The rules about storages that concern all families. */
export const storageRequirements: Readonly<Record<string, Requirement>> = {
  "storage.handle-lazy": {
    behaviour: "No operation needs the database handle of a transaction, which is made when it is first read",
    section: behaviour,
  },
  "plans.operations": {
    behaviour:
      "No operation scans a table for a few of its rows: plans and visited rows are tested with 100,000, on SQLite and Postgres",
    section: "docs/internals/query-plans.md",
  },
  "sqlite.rowids": {
    behaviour: "On SQLite long texts stay out of the tree that look-ups walk",
    section: "docs/internals/storage.md",
  },
  "sqlite.rebuild": {
    behaviour:
      "SQLite tables of earlier releases are rebuilt with rowids: small files at the start, others by `latchkey migrate`",
    section: "docs/operations.md#sqlite",
  },
  "sqlite.readers": {
    behaviour:
      "On SQLite, searches and lists of large tables run in threads: each sees what was acknowledged before it, its total fits its page",
    section: "docs/operations.md#sqlite",
  },
  "postgres.pooling": {
    behaviour:
      "Behind a pooler in transaction mode, nothing is prepared, set or locked beyond a transaction but on connections that keep their session",
    section: "docs/operations.md#postgres",
  },
  "postgres.replicas": {
    behaviour:
      "Lists and searches that a replica serves show everything that was committed through the storage before them; otherwise the primary serves them",
    section: "docs/operations.md#postgres",
  },
  "postgres.distributed": {
    behaviour:
      "A database without notices and advisory locks is asked for neither, and its refusals of commits run the work again",
    section: "docs/operations.md#postgres",
  },
  "storage.snapshot": {
    behaviour: "A storage shows one state to all reads of a snapshot, and keeps no writer waiting for it",
    section: "docs/internals/storage.md#sqlite",
  },
  "sqlite.file-mode": {
    behaviour: "A SQLite file that is made is readable and writable by its owner alone, and so are its log and its index",
    section: "docs/operations.md#sqlite",
  },
  "search.large": {
    behaviour:
      "A search of a large table looks neither all of it through nor puts all of it in order: indexes are made for the orders that are asked for",
    section: "docs/operations.md#sqlite",
  },
  "search.stored-totals": {
    behaviour: "Totals of large tables are kept by the writes, and are those of the records after any of them",
    section: "docs/internals/search.md",
  },
  "search.data": {
    behaviour:
      "Records are found by members of `data` that the option searchableData names: by whole values, without case, and by starts",
    section: "docs/reference/search.md#members-of-data",
  },
  "search.tenant-data": {
    behaviour:
      "Searches within a tenant also find records by the members of `data` that the tenant declares; other tenants neither see nor pay for that",
    section: "docs/reference/search.md#members-of-data",
  },
  "search.memory-steps": {
    behaviour:
      "In memory, a search that looks at 10,000 records or more answers from one state, in steps between which others write",
    section: "docs/internals/search.md#total",
  },
  "search.large-pages": {
    behaviour: "A page of more than 250 records is presented in steps; other requests are served between them",
    section: "docs/internals/search.md#page",
  },
  "search.index-progress": {
    behaviour: "The status lists the indexes that are made beside the requests, with the records that are in them",
    section: "docs/reference/system.md#status-and-health",
  },
  "search.roles": {
    behaviour: "Users are found by the roles of their registrations; within `nested`, tests are about one registration",
    section: "docs/reference/search.md#users-and-entities",
  },
  "inputs.partial": {
    behaviour: "Input types require no member that the service fills in, at any depth",
    section: "docs/embedding.md#in-process",
  },
  "storage.handle": {
    behaviour: "`tx.db` is a Kysely handle on SQLite and Postgres, typed by the storage, and absent on memory",
    section: decisions,
  },
};
