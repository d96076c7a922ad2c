import type { AuditLog } from "latchkey/types";
import type { Start, World } from "./world.js";

/** Starts a service with an audit log. */
export const auditing =
  (start: Start): Start =>
  (options) =>
    start({ auditChanges: true, ...options });

/** The entries of the audit log in order, without that of the bootstrap key. */
export async function readEntries({ identity }: World): Promise<readonly AuditLog[]> {
  const { auditLogs } = await identity.auditLogs.search({ search: { orderBy: "id", numberOfResults: 1_000 } });
  const [first, ...others] = auditLogs;
  if (first === undefined || !first.message.startsWith("Created the API key ")) throw new Error("The key has no entry.");
  return others;
}

/** The entries that an action adds. */
export async function entriesOf(world: World, work: () => Promise<unknown>): Promise<readonly AuditLog[]> {
  const last = (await readEntries(world)).at(-1)?.id ?? 0;
  await work();
  return (await readEntries(world)).filter(({ id }) => id > last);
}
