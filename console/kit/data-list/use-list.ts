import { type Loaded, useLoad } from "../load.js";
import { useUrlParams } from "../url-state.js";
import type { DataListProps, ListResult } from "./types.js";

/** The state of a list in the address, and the page loaded for it. */
export interface ListState<Row> {
  readonly query: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly orderBy: string;
  /** The index of the first row in the whole list, from 0. */
  readonly firstRow: number;
  readonly numberOfResults: number;
  readonly loaded: Loaded<ListResult<Row>>;
  setQuery(query: string): void;
  setFilter(id: string, value: string): void;
  sortBy(field: string): void;
  showNext(): void;
  showFirst(): void;
}

/** The state of a history entry that paging created. Only from such an entry does Back lead to the previous page. */
export const paged = "paged";

/** Reads the state of a list from the address, and loads its page. */
export function useList<Row>(props: DataListProps<Row>): ListState<Row> {
  const { filters: known = [], load, numberOfResults = 25, version } = props;
  const url = useUrlParams();
  const query = url.get("q");
  const orderBy = url.get("sort");
  const nextResults = url.get("after") || undefined;
  const given = known.map(({ id }) => [id, url.get(id)] as const).filter(([, value]) => value !== "");
  const filters = Object.fromEntries(given);
  const keys = [query, orderBy, nextResults, JSON.stringify(filters), numberOfResults, version];
  const loaded = useLoad(
    (signal) => load({ query, filters, orderBy: orderBy || undefined, numberOfResults, nextResults, signal }),
    keys,
  );
  const firstRow = Number(url.get("row")) || 0;
  const fromStart = { after: undefined, row: undefined };
  return {
    query,
    filters,
    orderBy,
    firstRow,
    numberOfResults,
    loaded,
    setQuery: (value) => url.set({ q: value, ...fromStart }),
    setFilter: (id, value) => url.set({ [id]: value, ...fromStart }),
    sortBy: (field) => url.set({ sort: orderBy === field ? `${field} DESC` : field, ...fromStart }),
    showNext: () =>
      url.set({ after: loaded.value?.nextResults, row: String(firstRow + (loaded.value?.rows.length ?? 0)) }, { state: paged }),
    showFirst: () => url.set(fromStart),
  };
}
