import type { Storage } from "latchkey/ports";

/** One behaviour that every storage must show. The storage is open and holds the two tenants of `tables.ts`. */
export interface ContractTest {
  /** A sentence, unique in the suite: it is what a skip names. */
  readonly name: string;
  readonly run: (storage: Storage) => Promise<void>;
}
