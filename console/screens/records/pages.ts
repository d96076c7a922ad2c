import { type Result, unwrap } from "../../app/api.js";
import type { ListPage, ListResult } from "../../kit/data-list/index.js";

interface Found {
  readonly total?: number;
  readonly nextResults?: string | undefined;
}

/** Builds the criteria of a search: the page, and all filters that are not empty. */
export function toCriteria(
  page: ListPage,
  criteria: Readonly<Record<string, unknown>> = {},
): { readonly [name: string]: unknown } {
  const { nextResults, numberOfResults, orderBy } = page;
  const given = Object.entries({ ...criteria, ...page.filters, nextResults, orderBy }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return { ...Object.fromEntries(given), numberOfResults };
}

/** Converts the response of a search to a page of rows. */
export async function searched<Page extends Found, Row>(
  call: Promise<Result<Page>>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<ListResult<Row>> {
  const page = unwrap(await call);
  return { rows: rowsOf(page), total: page.total, nextResults: page.nextResults };
}

/** Pages through a family that the API returns as a whole. Keeps the rows that contain the query, in their original order. */
export function listed<Row>(all: readonly Row[], { nextResults, numberOfResults, query }: ListPage): ListResult<Row> {
  const wanted = query.toLowerCase();
  const rows = wanted === "" ? all : all.filter((row) => JSON.stringify(row).toLowerCase().includes(wanted));
  const start = Number(nextResults ?? 0);
  const end = start + numberOfResults;
  return { rows: rows.slice(start, end), total: rows.length, ...(end < rows.length && { nextResults: String(end) }) };
}
