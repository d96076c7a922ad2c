import type { ComponentChildren } from "preact";

/** What a list asks for: a page of a search. */
export interface ListPage {
  /** What was typed into the search. */
  readonly query: string;
  /** What was chosen in filters, by their id; without empty ones. */
  readonly filters: Readonly<Record<string, string>>;
  /** `field` or `field DESC`; undefined for the default order. */
  readonly orderBy: string | undefined;
  readonly numberOfResults: number;
  /** The token of the page before. */
  readonly nextResults: string | undefined;
  readonly signal: AbortSignal;
}

/** A page as it came. */
export interface ListResult<Row> {
  readonly rows: readonly Row[];
  /** How many rows the search finds in all. */
  readonly total?: number | undefined;
  /** The token of the next page; none on the last one. */
  readonly nextResults?: string | undefined;
}

/** A column of a list. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  cell(row: Row): ComponentChildren;
  /** The field of `orderBy`; without it the column does not sort. */
  readonly sort?: string;
  /** Whether it is shown only when the person chooses it. */
  readonly hidden?: boolean;
  readonly align?: "start" | "end";
}

/** A filter above a list: a choice, a text or an instant. */
export interface Filter {
  readonly id: string;
  readonly label: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly kind?: "choice" | "text" | "instant";
  /** A control of its own, such as a picker. */
  render?(value: string, onChange: (value: string) => void): ComponentChildren;
}

/** What is selected in a list. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  /** Whether everything that the search finds is meant, not only `rows`. */
  readonly isAll: boolean;
  readonly count: number;
  readonly query: string;
  readonly filters: Readonly<Record<string, string>>;
  clear(): void;
}

/** A list that the server searches and pages. */
export interface DataListProps<Row> {
  /** Names the list: what columns a person chose is kept under it. */
  readonly name: string;
  /** What the table is, for readers of screens. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  load(page: ListPage): Promise<ListResult<Row>>;
  rowKey(row: Row): string;
  /** Where the first column of a row leads. */
  rowHref?(row: Row): string;
  /** The words in the search field; without them there is no search. */
  readonly searchLabel?: string;
  /** How to search, behind a button. */
  readonly searchHelp?: ComponentChildren;
  readonly filters?: readonly Filter[];
  /** Buttons beside the filters. */
  readonly toolbar?: (state: { readonly query: string; readonly filters: Readonly<Record<string, string>> }) => ComponentChildren;
  /** What to show where nothing is found and nothing was searched for. */
  readonly empty?: ComponentChildren;
  /** Makes rows selectable; what can be done with them. */
  readonly selection?: (selection: Selection<Row>) => ComponentChildren;
  /** A change loads the list again. */
  readonly version?: unknown;
  readonly numberOfResults?: number;
}
