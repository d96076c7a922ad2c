import { globalScope, type RecordToStore, type Table } from "../ports/storage.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import type { WriteCall } from "./operation.js";

/** A row of a table that only says which records belong together: the tenant it is in, and the ids in its columns. */
export interface Link {
  readonly tenantId: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** Keeps links; the JSON of each holds its ids. */
export async function insertLinks(call: WriteCall, table: Table, links: readonly Link[]): Promise<void> {
  const { clock, newId } = call.service.runtime;
  const instant = clock();
  const toRecord = ({ tenantId, ids }: Link): RecordToStore => ({
    id: newId(),
    tenantId,
    version: 1,
    insertInstant: instant,
    lastUpdateInstant: instant,
    json: toCanonicalJson({ ...ids, tenantId }),
    hidden: null,
    columns: ids,
  });
  if (links.length > 0) await call.tx.insert(globalScope, table, links.map(toRecord));
}
