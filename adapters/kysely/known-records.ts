import type { StoredRecord } from "latchkey/storage";

type Found = Promise<readonly StoredRecord[]>;

/** What was read within one transaction and still holds: nothing was written to its table since. */
export class KnownRecords {
  readonly #byTable = new Map<string, Map<string, Found>>();

  /** What was found in a table before under this name, else what `read` finds. */
  find(table: string, name: string, read: () => Found): Found {
    const known = this.#byTable.get(table) ?? new Map<string, Found>();
    this.#byTable.set(table, known);
    const found = known.get(name) ?? read();
    known.set(name, found);
    return found;
  }

  /** Forgets what was read of a table that is about to change; of all of them where others may change along with it. */
  forget(table?: string): void {
    if (table === undefined) this.#byTable.clear();
    else this.#byTable.delete(table);
  }
}
