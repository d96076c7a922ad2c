import { pagesOf } from "../../operations/bulk-write.js";
import { parseRecord } from "../../operations/family/family.js";
import { requireId, toRecordToStore } from "../../operations/family/record-steps.js";
import { invalidateClients, type WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { entityGrantsTable, type StoredGrant } from "../../records/entity-grants/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { entityOf, isApi, toGrantDraft } from "./rules.js";

/** Renames a permission of the call's entity type in the grants on its entities or, without a new name, removes it. */
export async function followPermission(call: WriteCall, name: string, newName?: string): Promise<void> {
  await invalidateClients(call);
  const ofType = equalsFilter("typeId", requireId(call, "entityTypeId"));
  const filter = { op: "exists", table: "entities", localColumn: "entityId", foreignColumn: "id", filter: ofType } as const;
  const reading = { table: entityGrantsTable, filter, column: "id", keyOf: ({ id }: StoredRecord) => id };
  for await (const page of pagesOf(call, globalScope, reading)) {
    const changed = page.flatMap((stored) => {
      const grant = parseRecord<StoredGrant>(stored);
      // The entity type of this API does not define the API's permissions.
      if (isApi(call, entityOf(stored)) || !grant.permissions.includes(name)) return [];
      const permissions = grant.permissions.flatMap((permission) => (permission === name ? (newName ?? []) : permission));
      const draft = toGrantDraft({ ...grant, permissions }, entityOf(stored));
      return [toRecordToStore(draft, stored.tenantId, stored.version + 1)];
    });
    if (changed.length > 0) await call.tx.rewrite(globalScope, entityGrantsTable, changed);
  }
}
