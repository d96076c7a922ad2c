import type { RulesBySection } from "./rules.js";

/** The rules about storages that concern all families. */
export const storageRequirements: RulesBySection = {
  "docs/reference/service.md#storages": "storage.handle-lazy",
  "docs/internals/query-plans.md": "plans.operations",
  "docs/internals/storage.md": "sqlite.rowids",
  "docs/operations.md#sqlite": "sqlite.relative-file sqlite.rebuild sqlite.readers sqlite.file-mode search.large",
  "docs/operations.md#postgres": "postgres.pooling postgres.replicas postgres.distributed",
  "docs/internals/storage.md#sqlite": "storage.snapshot",
  "docs/operations.md#indexes-of-large-tables": "search.no-schema-change search.missing-indexes search.dropped cli.indexes",
  "docs/internals/search.md": "search.stored-totals",
  "docs/reference/search.md#members-of-data": "search.data search.tenant-data",
  "docs/internals/search.md#total": "search.memory-steps",
  "docs/internals/search.md#page": "search.large-pages",
  "docs/reference/system.md#status-and-health": "search.index-progress",
  "docs/reference/search.md#users-and-entities": "search.roles",
  "docs/embedding.md#in-process": "inputs.partial",
  "docs/reference/README.md": "storage.handle",
};
