import type { Filter, Table, TenantScope } from "latchkey";
import type { Fragment, Query } from "./fragment.js";

/** What a database keeps beside its tables so that texts inside of texts are found at once. */
export interface SearchAid {
  /** How to look for what passes a filter; undefined when nothing is better than looking through the table. */
  plan(scope: TenantScope, table: Table, filter: Filter): SearchPlan | undefined;
  /** A number that is another one after each commit of anybody; undefined when there is none. */
  dataVersion(): number | undefined;
}

/**
 * `few`: what passes is among few records, which are looked at one by one. `many`: a page is best looked for in its order, and `total`
 * answers sooner how many records there are; with `candidates`, a page of nearly all of them is better looked for among those.
 */
export type SearchPlan =
  | { readonly kind: "few"; readonly candidates: Candidates }
  | { readonly kind: "many"; readonly total: Query; readonly candidates?: Candidates };

/** Among which records those are that pass a filter: the ids of both together are all there are. */
export interface Candidates {
  /** Ids whose records have to be looked at. */
  readonly ids: Fragment;
  /** Columns kept in a second place, which is narrower: what the filter and the order may name there, and the rows (alias `t`). */
  readonly narrow?: { readonly columns: ReadonlySet<string>; readonly from: Fragment; readonly ids: Fragment };
}
