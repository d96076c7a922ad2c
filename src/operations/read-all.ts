import { globalScope, type StoredRecord, type Table } from "../ports/storage.js";
import type { ServiceContext } from "./service-context.js";

const pageSize = 250;

/** All records of a table, of every tenant. They are read in pages, and other work runs in between. */
export async function* readAll({ runtime, storage }: ServiceContext, table: Table): AsyncGenerator<StoredRecord, void> {
  let after = "";
  while (true) {
    const page = await storage.find(globalScope, table, undefined, { limit: pageSize, after });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
    await runtime.timers.nextTurn();
  }
}
