import { useState } from "preact/hooks";
import { formatNumber, useMessages } from "../i18n.js";
import { Empty, Failed, Loading } from "../screen.js";
import { Table } from "./table.js";
import { Toolbar, useColumns } from "./toolbar.js";
import type { DataListProps, Selection } from "./types.js";
import { type ListState, paged, useList } from "./use-list.js";

export type { Column, DataListProps, Filter, ListPage, ListResult, Selection } from "./types.js";

/** A list that the server searches, sorts and pages. Its state is in the address, and the person chooses its columns. */
export function DataList<Row>(props: DataListProps<Row>) {
  const t = useMessages("console");
  const list = useList(props);
  const columns = useColumns(props.name, props.columns);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const { error, isLoading, reload, value } = list.loaded;
  const isFiltered = list.query !== "" || Object.keys(list.filters).length > 0;
  const clear = (): void => {
    setSelected(new Set());
    setAll(false);
  };
  const select = (keys: ReadonlySet<string>): void => {
    setAll(false);
    setSelected(keys);
  };
  const selection = toSelection(props, list, { selected, isAll, clear });
  return (
    <div class="list">
      <Toolbar props={props} list={list} columns={columns} />
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && isLoading && <Loading lines={8} />}
      {value !== undefined && value.rows.length === 0 && (
        <Empty title={t(isFiltered ? "nothingFound" : "nothingYet")}>{!isFiltered && props.empty}</Empty>
      )}
      {value !== undefined && value.rows.length > 0 && (
        <Table props={props} list={list} shown={columns.shown} selected={selected} onSelect={select} />
      )}
      {props.selection !== undefined && selected.size > 0 && (
        <SelectionBar selection={selection} total={value?.total} onAll={() => setAll(true)}>
          {props.selection(selection)}
        </SelectionBar>
      )}
      {value !== undefined && <Pager list={list} />}
    </div>
  );
}

function toSelection<Row>(
  { rowKey }: DataListProps<Row>,
  { filters, loaded, query }: ListState<Row>,
  { clear, isAll, selected }: { readonly selected: ReadonlySet<string>; readonly isAll: boolean; clear(): void },
): Selection<Row> {
  const rows = (loaded.value?.rows ?? []).filter((row) => selected.has(rowKey(row)));
  return { rows, isAll, count: isAll ? (loaded.value?.total ?? rows.length) : rows.length, query, filters, clear };
}

function SelectionBar<Row>({
  children,
  onAll,
  selection,
  total,
}: {
  readonly selection: Selection<Row>;
  readonly total: number | undefined;
  readonly children: preact.ComponentChildren;
  onAll(): void;
}) {
  const t = useMessages("console");
  const { clear, count, isAll } = selection;
  return (
    <section class="selection-bar" aria-label={t("selection")}>
      <span role="status">{t("selected", { count })}</span>
      {!isAll && total !== undefined && total > count && (
        <button type="button" class="button small" onClick={onAll}>
          {t("selectAll", { count: total })}
        </button>
      )}
      {children}
      <button type="button" class="button quiet small" onClick={clear}>
        {t("clear")}
      </button>
    </section>
  );
}

function Pager<Row>({ list }: { readonly list: ListState<Row> }) {
  const t = useMessages("console");
  const { firstRow, loaded, showFirst, showNext } = list;
  const { nextResults, rows, total } = loaded.value ?? { rows: [] };
  const last = firstRow + rows.length;
  const shown = rows.length === 0 ? "0" : `${formatNumber(firstRow + 1)}–${formatNumber(last)}`;
  const hasNext = nextResults !== undefined && (total === undefined || last < total);
  return (
    <div class="pager">
      <span role="status">{total === undefined ? shown : t("ofTotal", { shown, total })}</span>
      <div class="actions">
        <button type="button" class="button small" disabled={firstRow === 0} onClick={showFirst}>
          {t("firstPage")}
        </button>
        <button
          type="button"
          class="button small"
          disabled={firstRow === 0 || history.state !== paged}
          onClick={() => history.back()}
        >
          {t("previous")}
        </button>
        <button type="button" class="button small" disabled={!hasNext} onClick={showNext}>
          {t("next")}
        </button>
      </div>
    </div>
  );
}
