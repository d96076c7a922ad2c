import { isNeverNull, type SortTerms } from "./compile-after.js";
import { type Fragment, join, raw, sql } from "./fragment.js";
import type { SqlProfile } from "./sql-connection.js";

/** In which way an order is written. Both default to false. */
export interface OrderOptions {
  /** The other way round. */
  readonly isFromBack?: boolean;
  /** So that no index is in this order: what passes a filter is sorted then, instead of being looked for from one end of an index. */
  readonly isSorted?: boolean;
}

/** SQL of an order: nulls come first in ascending and last in descending order, and ties are broken by id. */
export function compileOrder(profile: SqlProfile, terms: SortTerms, options: OrderOptions = {}): Fragment {
  const { table, sort, expressions, id } = terms;
  const { isFromBack = false, isSorted = false } = options;
  const turn = { asc: isFromBack ? "desc" : "asc", desc: isFromBack ? "asc" : "desc" } as const;
  const fields = sort.map((field, index) => {
    const direction = turn[field.direction];
    // Databases that sort nulls last have no index with nulls first: who says so needlessly has everything sorted.
    const isTold = !profile.sortsNullsFirst && (isSorted || !isNeverNull(table, field));
    const nulls = direction === "asc" ? " nulls first" : " nulls last";
    return sql`${expressions[index]} ${raw(direction + (isTold ? nulls : ""))}`;
  });
  return sql`order by ${join([...fields, sql`${id} ${raw(turn.asc)}`])}`;
}
