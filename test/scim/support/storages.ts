import { testDatabase } from "../../support/postgres.js";
import { forEachStorage, type Start, type storages } from "../../support/world.js";

/** Declares tests for each storage; in full (`isLong` of test/support/properties.ts) on an embedded Postgres too. */
export function forEachStorageInFull(isLong: boolean, body: (start: Start) => void): void {
  const hasServer = process.env.TEST_POSTGRES_URL !== undefined;
  if (!isLong || hasServer) forEachStorage(body);
  else forEachStorage(body, embedded());
}

function embedded(): typeof storages {
  const { newStorage } = testDatabase();
  return [["an embedded Postgres", () => newStorage()]];
}
