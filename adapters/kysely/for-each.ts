import type { SqlConnection, SqlParameters } from "./sql-connection.js";

/** Runs a statement once for each list of parameters, and has checked how many rows each changed: all at once where the connection can. */
export async function runForEach(
  connection: SqlConnection,
  sql: string,
  lists: readonly SqlParameters[],
  check: (count: number, index: number) => void | Promise<void>,
): Promise<void> {
  const counts = lists.length > 1 ? await connection.runEach?.(sql, lists) : undefined;
  for (const [index, parameters] of lists.entries()) {
    const changed = counts?.[index] ?? connection.run(sql, parameters);
    const checked = check(changed instanceof Promise ? await changed : changed, index);
    if (checked !== undefined) await checked;
  }
}
