import { fieldError } from "../errors/identity-error.js";
import { type Filter, globalScope, type OnRemove, type Table } from "../ports/storage.js";
import type { WriteCall } from "./operation.js";

/**
 * Removes records and, by what the tables declare, whatever refers to them: `cascade` goes along, `restrict` refuses.
 * Databases hold the same foreign keys as a second wall; this one also covers references to a host's own tables.
 * @throws IdentityError 400 `[inUse]<path>` when a record is in use.
 */
export async function removeWithReferences(call: WriteCall, table: Table, ids: readonly string[], path: string): Promise<void> {
  if (ids.length === 0) return;
  for (const holder of call.service.tables)
    for (const [column, { references }] of Object.entries(holder.columns))
      if (references?.table === table.name)
        await removeHolders(call, { holder, column, onRemove: references.onRemove }, ids, path);
  await call.tx.remove(globalScope, table, { op: "in", column: "id", values: ids });
}

/** How many records refer to one in a way that they go along with it. */
export async function countHolders(call: WriteCall, table: Table, id: string): Promise<number> {
  let count = 0;
  for (const holder of call.service.tables)
    for (const [column, { references }] of Object.entries(holder.columns)) {
      if (references?.table !== table.name || references.onRemove !== "cascade") continue;
      const filter: Filter = { op: "equals", column, value: id };
      count += (await call.reader.search(globalScope, holder, { filter, sort: [], limit: 0, offset: 0 })).total;
    }
  return count;
}

async function removeHolders(
  call: WriteCall,
  reference: { readonly holder: Table; readonly column: string; readonly onRemove: OnRemove },
  ids: readonly string[],
  path: string,
): Promise<void> {
  const { holder, column, onRemove } = reference;
  const filter: Filter = { op: "in", column, values: ids };
  if (onRemove === "restrict") {
    const users = await call.tx.find(globalScope, holder, filter, { limit: 1 });
    if (users.length > 0) throw fieldError("inUse", path);
    return;
  }
  if (!isReferenced(call, holder)) {
    await call.tx.remove(globalScope, holder, filter);
    return;
  }
  const holders = await call.tx.find(globalScope, holder, filter);
  await removeWithReferences(
    call,
    holder,
    holders.map((record) => record.id),
    path,
  );
}

function isReferenced(call: WriteCall, table: Table): boolean {
  return call.service.tables.some((other) =>
    Object.values(other.columns).some((column) => column.references?.table === table.name),
  );
}
