import { sql } from "kysely";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { lendStorages } from "./reused-storages.js";

/** Returns a storage on in-memory SQLite. */
export const openSqlite: () => Storage = lendStorages(() => {
  const storage = sqliteStorage({ filename: ":memory:" });
  let names: readonly string[] | undefined;
  const empty = (): Promise<void> =>
    storage.transaction(async ({ native }) => {
      const ask = async (statement: string): Promise<readonly string[]> =>
        (await sql.raw<{ readonly name: string }>(statement).execute(native)).rows.map(({ name }) => name);
      // Later tables refer to earlier ones. Checking for records takes a tenth of the time of emptying all.
      names ??= await ask(
        "select name from sqlite_master where type = 'table' and name not like '%schema_versions' order by rowid desc",
      );
      const full = await ask(
        names.map((name) => `select '${name}' as name where exists (select 1 from "${name}")`).join(" union all "),
      );
      for (const name of full) await sql.raw(`delete from "${name}"`).execute(native);
    });
  return { storage, empty };
});
