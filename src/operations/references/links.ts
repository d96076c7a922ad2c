import { toCanonicalJson } from "../../json/canonical-json.js";
import { globalScope, type RecordToStore, type Table } from "../../ports/storage.js";
import type { WriteCall } from "../operation.js";

/** A record that only links others: its tenant, its columns, and its text. */
export interface Link {
  readonly tenantId: string | null;
  readonly columns: Readonly<Record<string, string>>;
  /** Default: the columns and the tenant. */
  readonly json?: string;
}

/** Keeps links. */
export async function insertLinks(call: Pick<WriteCall, "service" | "tx">, table: Table, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const { clock, newId } = call.service.runtime;
  const instant = clock();
  const toRecord = ({ tenantId, columns, json }: Link): RecordToStore => ({
    id: newId(),
    tenantId,
    version: 1,
    insertInstant: instant,
    lastUpdateInstant: instant,
    json: json ?? toCanonicalJson({ ...columns, tenantId }),
    hidden: null,
    columns,
  });
  await call.tx.insert(globalScope, table, links.map(toRecord));
}
