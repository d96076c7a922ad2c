import { findTablesWithoutIndexes } from "../../families/plan-indexes.js";
import type { ServiceContext } from "../../operations/service-context.js";

/** Says in the log, in one line, which large tables lack indexes. An administrator need not know of `latchkey doctor` to learn it. */
export async function warnOfMissingIndexes(service: ServiceContext): Promise<void> {
  const tables = await findTablesWithoutIndexes(service);
  if (tables.length === 0) return;
  const message = `Searches of ${tables.join(", ")} lack indexes, and take longer. Run latchkey indexes: it creates them while services run.`;
  service.runtime.logger.warn({ tables }, message);
}
