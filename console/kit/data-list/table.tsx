import { Link } from "wouter-preact";
import { useMessages } from "../i18n.js";
import { Icon } from "../icons.js";
import { TableFrame } from "../table-frame.js";
import type { Column, DataListProps } from "./types.js";
import type { ListState } from "./use-list.js";

interface TableProps<Row> {
  readonly props: DataListProps<Row>;
  readonly list: ListState<Row>;
  readonly shown: readonly Column<Row>[];
  readonly selected: ReadonlySet<string>;
  onSelect(keys: ReadonlySet<string>): void;
}

/** The rows of one page of a list. */
export function Table<Row>({ list, onSelect, props, selected, shown }: TableProps<Row>) {
  const { label, selection } = props;
  const rows = list.loaded.value?.rows ?? [];
  return (
    <TableFrame label={label} isBusy={list.loaded.isLoading}>
      <table>
        <thead>
          <tr>
            {selection && <SelectAll keys={rows.map(props.rowKey)} selected={selected} onSelect={onSelect} />}
            {shown.map((column) => (
              <Head key={column.id} column={column} list={list} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={props.rowKey(row)} row={row} props={props} shown={shown} selected={selected} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Head<Row>({ column, list }: { readonly column: Column<Row>; readonly list: ListState<Row> }) {
  const { align, label, sort } = column;
  if (sort === undefined)
    return (
      <th scope="col" class={align}>
        {label}
      </th>
    );
  const state = list.orderBy === sort ? "ascending" : list.orderBy === `${sort} DESC` ? "descending" : "none";
  return (
    <th scope="col" aria-sort={state} class={align}>
      <button type="button" class="sort" onClick={() => list.sortBy(sort)}>
        {label}
        {state !== "none" && <Icon name="chevron" class={state} />}
      </button>
    </th>
  );
}

function SelectAll({
  keys,
  onSelect,
  selected,
}: {
  readonly keys: readonly string[];
  readonly selected: ReadonlySet<string>;
  onSelect(keys: ReadonlySet<string>): void;
}) {
  const t = useMessages("console");
  const isAll = keys.every((key) => selected.has(key));
  return (
    <th scope="col" class="check">
      <input type="checkbox" aria-label={t("selectPage")} checked={isAll} onChange={() => onSelect(new Set(isAll ? [] : keys))} />
    </th>
  );
}

function Row<RowType>({ onSelect, props, row, selected, shown }: Omit<TableProps<RowType>, "list"> & { readonly row: RowType }) {
  const t = useMessages("console");
  const key = props.rowKey(row);
  const toggle = (): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect(next);
  };
  return (
    <tr class={selected.has(key) ? "chosen" : ""}>
      {props.selection && (
        <td class="check">
          <input type="checkbox" aria-label={t("selectRow", { name: key })} checked={selected.has(key)} onChange={toggle} />
        </td>
      )}
      {shown.map((column, index) => (
        <td key={column.id} class={column.align}>
          {index === 0 && props.rowHref ? <Link href={props.rowHref(row)}>{column.cell(row)}</Link> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}
