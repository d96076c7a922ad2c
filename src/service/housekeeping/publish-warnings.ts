import { writeEventLog } from "../../audit/event-logs/rules.js";
import { parseRecord } from "../../operations/family/family.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type StorageReader, type Transaction } from "../../ports/storage.js";
import { apiKeysTable, apiKeyWarningsTable } from "../../records/api-keys/family.js";
import type { ApiKey } from "../../records/api-keys/schema.js";

const batchSize = 100;

/** Writes an event log entry for each key with a due warning, once across all processes. */
export async function publishWarnings(service: ServiceContext): Promise<void> {
  if ((await findDue(service, service.storage)).length === 0) return;
  while ((await service.storage.transaction((tx) => publishSome(service, tx))) === batchSize);
}

function findDue({ runtime }: ServiceContext, reader: Pick<StorageReader, "findIds">): Promise<readonly string[]> {
  const isDue = { op: "compare", column: "dueInstant", comparison: "<=", value: runtime.clock() } as const;
  return reader.findIds(globalScope, apiKeyWarningsTable, "keyId", isDue);
}

async function publishSome(service: ServiceContext, tx: Transaction): Promise<number> {
  const due = (await findDue(service, tx)).slice(0, batchSize);
  await tx.remove(globalScope, apiKeyWarningsTable, { op: "in", column: "keyId", values: due });
  const keys = await tx.find(globalScope, apiKeysTable, { op: "in", column: "id", values: due });
  for (const key of keys)
    await writeEventLog({ service, tx }, { type: "Information", message: toMessage(parseRecord<ApiKey>(key)) });
  return due.length;
}

function toMessage({ expirationInstant = 0, id, name, tenantId }: ApiKey): string {
  const named = name === undefined ? "" : ` (${name})`;
  const owner = tenantId === undefined ? "" : ` of the tenant ${tenantId}`;
  return `The API key ${id}${named}${owner} expires at ${new Date(expirationInstant).toISOString()}.`;
}
