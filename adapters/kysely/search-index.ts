import type { Filter, Table, TenantScope } from "latchkey/storage";
import type { CompileContext } from "./compile-filter.js";
import type { Fragment, Query } from "./fragment.js";

/** What a database keeps beside its tables so that texts inside of texts are found at once. */
export interface SearchIndex {
  /** How to look for what passes a filter; undefined when nothing is better than looking through the table. */
  plan(scope: TenantScope, table: Table, filter: Filter | undefined): SearchPlan | undefined;
  /** A number that is another one after each commit of anybody; undefined when there is none. */
  dataVersion(): number | undefined;
}

/**
 * Candidates that are looked at one by one, unless there turn out to be too many: then a page is best looked for in its order, and `total`
 * counts sooner than the table does.
 */
export interface SearchPlan {
  readonly candidates: Candidates;
  readonly total?: Query | undefined;
}

/** Among which records those are that pass a filter: the ids of both together are all there are. */
export interface Candidates {
  /** Rows that the other parts call `found`, looked up once; more than `most` are too many. */
  readonly found: { readonly rows: Fragment; readonly most: number };
  /** Ids whose records have to be looked at. */
  readonly ids: Fragment;
  /** Columns kept in a second place, which is narrower: what the filter and the order may name there, and the rows (alias `t`). */
  readonly narrow: { readonly columns: ReadonlySet<string>; readonly from: Fragment; readonly ids: Fragment };
}

/** Makes what helps searches, from what their filters are compiled with. */
export type CreateSearchIndex = (context: CompileContext) => SearchIndex;
