import Database from "better-sqlite3";

/** Gives the tables of a SQLite file the layout that releases before rowids gave them. */
export function toEarlierLayout(filename: string): void {
  const database = new Database(filename);
  database.pragma("foreign_keys = OFF");
  database.pragma("legacy_alter_table = ON");
  const all = (sql: string): { name: string; sql: string }[] => database.prepare(sql).all() as { name: string; sql: string }[];
  const tables = all("select name, sql from sqlite_master where type = 'table' and sql like '%\"id\" text primary key%'");
  database.transaction(() => {
    for (const { name, sql } of tables) {
      const around = all(
        `select name, sql from sqlite_master where tbl_name = '${name}' and type <> 'table' and sql is not null`,
      );
      database.exec(`alter table "${name}" rename to "${name}_now"`);
      database.exec(`${sql} without rowid`);
      database.exec(`insert into "${name}" select * from "${name}_now"; drop table "${name}_now"`);
      for (const each of around) database.exec(each.sql.replace(/, "id"\)$/, ")"));
    }
  })();
  database.close();
}

/** What the schema of a file says, by name, as lower-case text without blanks that mean nothing. */
export function schemaOf(filename: string): ReadonlyMap<string, string> {
  const database = new Database(filename, { readonly: true });
  const rows = database.prepare("select name, sql from sqlite_master where sql is not null order by name").all();
  database.close();
  return new Map((rows as { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]));
}
