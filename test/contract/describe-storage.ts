import { globalScope, type Storage } from "latchkey/ports";
import { describe, test } from "vitest";
import { afterCommitTests } from "./storage/after-commit.js";
import type { ContractTest } from "./storage/contract-test.js";
import { copyTests } from "./storage/copies.js";
import { emptyListTests } from "./storage/empty-lists.js";
import { filterTests } from "./storage/filters.js";
import { findAfterTests } from "./storage/find-after.js";
import { hiddenTests } from "./storage/hidden.js";
import { isolationTests } from "./storage/isolation.js";
import { keysetTests } from "./storage/keyset-paging.js";
import { lifecycleTests } from "./storage/lifecycle.js";
import { logTests } from "./storage/logs.js";
import { manyRecordsTests } from "./storage/many-records.js";
import { offsetTests } from "./storage/offset-paging.js";
import { orderTests } from "./storage/order.js";
import { patternTests } from "./storage/patterns.js";
import { recordTests } from "./storage/records.js";
import { repeatedCallTests } from "./storage/repeated-calls.js";
import { savepointTests } from "./storage/savepoints.js";
import { sizeTests } from "./storage/sizes.js";
import { snapshotTests } from "./storage/snapshots.js";
import { tables, tenants, tenantsToStart } from "./storage/tables.js";
import { tenancyTests } from "./storage/tenancy.js";
import { transactionTests } from "./storage/transactions.js";
import { uniqueKeyTests } from "./storage/unique-keys.js";
import { updateTests } from "./storage/updates.js";

/** Tests that a storage cannot pass, by name, and why not. The suite does not declare them. */
export interface SkippedTests {
  /** Why the storage cannot pass them. */
  readonly reason: string;
  /** The names of the tests, as the suite prints them. */
  readonly tests: readonly string[];
}

/** Options of {@link describeStorage}. */
export interface StorageSuiteOptions {
  /** Default: nothing is skipped. */
  readonly skip?: readonly SkippedTests[];
}

const topics: Readonly<Record<string, readonly ContractTest[]>> = {
  records: recordTests,
  updates: updateTests,
  "many records": manyRecordsTests,
  "what is hidden": hiddenTests,
  "empty lists": emptyListTests,
  tenancy: tenancyTests,
  copies: copyTests,
  "unique keys": uniqueKeyTests,
  "size limits": sizeTests,
  transactions: transactionTests,
  savepoints: savepointTests,
  "after the commit": afterCommitTests,
  isolation: isolationTests,
  snapshots: snapshotTests,
  filters: filterTests,
  "pages by id": findAfterTests,
  "repeated calls": repeatedCallTests,
  patterns: patternTests,
  order: orderTests,
  "paging by offset": offsetTests,
  "paging by keyset": keysetTests,
  logs: logTests,
  lifecycle: lifecycleTests,
};

/**
 * Declares the vitest tests that every storage must pass. `factory` makes a storage that is empty and not yet opened, once
 * for each test; the suite opens it with tables of its own and closes it.
 * @throws Error when `skip` names a test that does not exist.
 */
export function describeStorage(
  name: string,
  factory: () => Storage | Promise<Storage>,
  options: StorageSuiteOptions = {},
): void {
  const skipped = namesOf(options.skip ?? []);
  describe(name, () => {
    for (const [topic, tests] of Object.entries(topics)) {
      const wanted = tests.filter((contractTest) => !skipped.has(contractTest.name));
      if (wanted.length === 0) continue;
      describe(topic, () => {
        for (const contractTest of wanted) declareTest(contractTest, factory);
      });
    }
  });
}

/** The names of all tests of the suite. */
export const storageTestNames: readonly string[] = Object.values(topics).flatMap((tests) => tests.map(({ name }) => name));

function namesOf(skip: readonly SkippedTests[]): ReadonlySet<string> {
  const names = new Set(skip.flatMap(({ tests }) => tests));
  for (const name of names) if (!storageTestNames.includes(name)) throw new Error(`There is no test "${name}" to skip.`);
  return names;
}

function declareTest(contractTest: ContractTest, factory: () => Storage | Promise<Storage>): void {
  test(contractTest.name, async () => {
    const storage = await factory();
    try {
      await storage.open(tables);
      await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
      await contractTest.run(storage);
    } finally {
      await storage.close();
    }
  });
}
