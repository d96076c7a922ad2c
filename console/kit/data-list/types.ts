import type { ComponentChildren } from "preact";

/** A request of a list: one page of a search. */
export interface ListPage {
  /** The text of the search field. */
  readonly query: string;
  /** The chosen filter values by filter id, without empty ones. */
  readonly filters: Readonly<Record<string, string>>;
  /** `field` or `field DESC`; undefined for the default order. */
  readonly orderBy: string | undefined;
  readonly numberOfResults: number;
  /** The `nextResults` token of the previous page. */
  readonly nextResults: string | undefined;
  readonly signal: AbortSignal;
}

/** A loaded page of a list. */
export interface ListResult<Row> {
  readonly rows: readonly Row[];
  /** The number of all rows that match the search. */
  readonly total?: number | undefined;
  /** The token of the next page; undefined on the last one. */
  readonly nextResults?: string | undefined;
}

/** A column of a list. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  cell(row: Row): ComponentChildren;
  /** The field of `orderBy`. Without it, the column is not sortable. */
  readonly sort?: string;
  /** Whether the column is hidden until the person chooses it. */
  readonly hidden?: boolean;
  readonly align?: "start" | "end";
}

/** A filter above a list: a choice, a text or an instant. */
export interface Filter {
  readonly id: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly kind?: "choice" | "text" | "instant";
  /** A custom control, such as a picker. */
  render?(value: string, onChange: (value: string) => void): ComponentChildren;
}

/** The selected rows of a list. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  /** Whether the selection covers every match of the search, not only `rows`. */
  readonly isAll: boolean;
  readonly count: number;
  readonly query: string;
  readonly filters: Readonly<Record<string, string>>;
  clear(): void;
}

/** Props of a list that the server searches and pages. */
export interface DataListProps<Row> {
  /** Identifies the list in the browser's storage of chosen columns. */
  readonly name: string;
  /** The label of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  load(page: ListPage): Promise<ListResult<Row>>;
  rowKey(row: Row): string;
  /** The link of the first column of a row. */
  rowHref?(row: Row): string;
  /** The label of the search field. Without it, the list has no search. */
  readonly searchLabel?: string;
  /** Help on the search syntax, behind a button. */
  readonly searchHelp?: ComponentChildren;
  readonly filters?: readonly Filter[];
  /** Buttons beside the filters. */
  readonly toolbar?: (state: { readonly query: string; readonly filters: Readonly<Record<string, string>> }) => ComponentChildren;
  /** Shown if the list has no rows without a search or a filter. */
  readonly empty?: ComponentChildren;
  /** Makes rows selectable, and renders the actions on the selection. */
  readonly selection?: (selection: Selection<Row>) => ComponentChildren;
  /** A new value reloads the list. */
  readonly version?: unknown;
  readonly numberOfResults?: number;
}
