import { fieldError } from "../../errors/identity-error.js";
import { type Filter, globalScope, type OnRemove, type Table } from "../../ports/storage.js";
import { inChunks } from "../../shared/in-steps.js";
import type { RecordCount } from "../bulk-write.js";
import type { WriteCall } from "../operation.js";
import { publishEvents } from "../outbox/publish-event.js";

/** A removal in progress: the field that errors name, and the number of records so far. */
export class RemovalProgress {
  readonly path: string;
  readonly #noteCount: RecordCount;
  #count = 0;

  constructor(path: string, noteCount: RecordCount) {
    this.path = path;
    this.#noteCount = noteCount;
  }

  /** Adds to the number of records. Throws when the work should restart as a long transaction. */
  add(count: number): void {
    this.#count += count;
    this.#noteCount(this.#count);
  }
}

/**
 * Removes records and, as the tables declare, those that refer to them: `cascade` removes those too, `restrict` refuses. Cascaded
 * removals have their own events, without approval of receivers. Databases have the same foreign keys as a second safeguard; this
 * function also covers references to a host's own tables.
 * @throws IdentityError 400 `[inUse]<path>` when a record is in use.
 */
export async function removeWithReferences(
  call: WriteCall,
  table: Table,
  ids: readonly string[],
  progress: RemovalProgress,
): Promise<void> {
  if (ids.length === 0) return;
  if (holders.has(table.name)) call.tx.afterCommit(call.service.forgetSessions);
  for (const holder of call.service.tables)
    for (const [column, { references }] of Object.entries(holder.columns))
      if (references?.table === table.name) {
        const filter: Filter = { op: "in", column, values: ids };
        await removeHolders(call, { holder, filter, onRemove: references.onRemove, target: table }, progress);
      }
  await call.tx.remove(globalScope, table, { op: "in", column: "id", values: ids });
}

/** The tables with records that tokens stand for, or that issue them. */
const holders: ReadonlySet<string> = new Set(["entities", "registrations", "users"]);

interface Holders {
  readonly holder: Table;
  readonly filter: Filter;
  readonly onRemove: OnRemove;
  readonly target: Table;
}

async function removeHolders(
  call: WriteCall,
  { holder, filter, onRemove, target }: Holders,
  progress: RemovalProgress,
): Promise<void> {
  const { service, tx } = call;
  if (onRemove === "restrict") {
    const users = await tx.find(globalScope, holder, filter, { limit: 1 });
    if (users.length > 0) throw fieldError("inUse", progress.path);
    return;
  }
  const hasEvents = service.removing.hasEvents(holder);
  if (!hasEvents && !isReferenced(call, holder)) {
    progress.add(await tx.remove(globalScope, holder, filter));
    return;
  }
  const ids = await tx.findIds(globalScope, holder, "id", filter);
  progress.add(ids.length);
  await inChunks(call.service.runtime, ids, async (values) => {
    if (hasEvents) {
      const records = await tx.find(globalScope, holder, { op: "in", column: "id", values });
      await publishEvents({ ...call, asking: undefined }, await service.removing.describe(call, holder, records, target));
    }
    await removeWithReferences(call, holder, values, progress);
  });
}

function isReferenced(call: WriteCall, table: Table): boolean {
  return call.service.tables.some((other) =>
    Object.values(other.columns).some((column) => column.references?.table === table.name),
  );
}
