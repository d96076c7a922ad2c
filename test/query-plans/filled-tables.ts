// Tables with as many rows as a test wants.
import type { Table } from "latchkey/ports";
import { toSqlName } from "../../adapters/kysely/sql/table-sql.js";

/** The prefix of our tables. */
export const prefix = "latchkey_";

/** The name of a table in SQL. */
export const sqlTable = ({ name }: Pick<Table, "name">): string => `${prefix}${toSqlName(name)}`;

/** How much work a statement is: the rows that it looks at, and those that it answers or changes. */
export interface Steps {
  readonly visited: number;
  readonly returned: number;
}

/** How many rows tables have. */
export const few = 1_000;

const many = Number(process.env.LATCHKEY_PLAN_ROWS ?? 100_000);

/** How many rows a table grows to: 1,000,000 before a release, by `npm run bench:plans`. */
export const rowCounts: { readonly many: number; readonly manyInConfiguration: number } = {
  many,
  manyInConfiguration: many / 10,
};

/** How many rows more a statement visits than it returns, on a table that grew from {@link few} rows to `count`: undefined if that is well. */
export function findGrowth(before: Steps, after: Steps, count: number, slack: number): string | undefined {
  const allowed = Math.max(0, before.visited - before.returned) * (Math.log(count) / Math.log(few)) + slack;
  if (after.visited - after.returned <= allowed) return undefined;
  return `visits ${before.visited} rows of ${few} and ${after.visited} of ${count}, for ${after.returned}`;
}

/**
 * The columns of a table and SQL for their values in row `n`: of one tenant, with other values in each row. `toId` returns SQL for a text of
 * eight digits of `n` and a suffix.
 */
export function fillers(
  table: Table,
  tenantId: string,
  toId: (suffix: string) => string,
): { readonly columns: string; readonly values: string } {
  const number = Buffer.from(table.name).toString("hex").slice(-12).padStart(12, "0");
  const id = toId(`0000-7000-8000-${number}`);
  const valuesOf = { id, text: "'x' || n", integer: "n", boolean: "n % 2 = 0" };
  const tenant = table.name === "tenants" ? id : table.tenancy === "global" ? "null" : `'${tenantId}'`;
  const standard = { id, tenantId: tenant, version: "1", insertInstant: "n", lastUpdateInstant: "n", json: "'{}'" };
  const own = Object.entries(table.columns).map(([name, { type }]) => [name, valuesOf[type]] as const);
  const all = [...Object.entries(standard), ...own];
  return {
    columns: all.map(([name]) => `"${toSqlName(name)}"`).join(", "),
    values: all.map(([, value]) => value).join(", "),
  };
}
