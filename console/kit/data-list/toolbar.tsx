import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { TextInput } from "../field.js";
import { useMessages } from "../i18n.js";
import { Icon } from "../icons.js";
import type { Column, DataListProps, Filter } from "./types.js";
import type { ListState } from "./use-list.js";

/** The search field, the filters and the choice of columns above a list. */
export function Toolbar<Row>({
  columns,
  list,
  props,
}: {
  readonly props: DataListProps<Row>;
  readonly list: ListState<Row>;
  readonly columns: ReturnType<typeof useColumns<Row>>;
}) {
  const { filters = [], searchHelp, searchLabel, toolbar } = props;
  return (
    <div class="toolbar">
      {searchLabel !== undefined && <Search label={searchLabel} list={list} help={searchHelp} />}
      {filters.map((filter) => (
        <FilterField
          key={filter.id}
          filter={filter}
          value={list.filters[filter.id] ?? ""}
          onChange={(value) => list.setFilter(filter.id, value)}
        />
      ))}
      <div class="toolbar-end">
        {toolbar?.({ query: list.query, filters: list.filters })}
        <ColumnChoice columns={columns} />
      </div>
    </div>
  );
}

function Search<Row>({
  help,
  label,
  list,
}: {
  readonly label: string;
  readonly list: ListState<Row>;
  readonly help: ComponentChildren;
}) {
  const t = useMessages("console");
  const [text, setText] = useState(list.query);
  useEffect(() => setText(list.query), [list.query]);
  useEffect(() => {
    if (text === list.query) return;
    const timer = setTimeout(() => list.setQuery(text.trim()), 350);
    return () => clearTimeout(timer);
  }, [text, list]);
  const submit = (event: Event): void => {
    event.preventDefault();
    list.setQuery(text.trim());
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <Icon name="search" />
        <TextInput
          type="search"
          value={text}
          onChange={setText}
          aria-label={label}
          placeholder={label}
          data-search
          spellcheck={false}
        />
        {help !== undefined && <Popover label={t("searchHelp")} button="?" body={<div class="help">{help}</div>} />}
      </form>
    </search>
  );
}

/** A button that opens a small panel below itself. */
export function Popover({
  body,
  button,
  label,
}: {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly body: ComponentChildren;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const place = (): void => {
    const box = opener.current?.getBoundingClientRect();
    if (box === undefined || panel.current === null) return;
    const width = panel.current.offsetWidth;
    panel.current.style.setProperty("top", `${box.bottom + 6}px`);
    panel.current.style.setProperty("left", `${Math.max(8, Math.min(box.right - width, innerWidth - width - 8))}px`);
  };
  return (
    <>
      <button ref={opener} type="button" class="button" popovertarget={id} aria-label={label}>
        {button}
      </button>
      <div ref={panel} id={id} popover="auto" class="popover" onToggle={place} aria-label={label} role="dialog">
        {body}
      </div>
    </>
  );
}

function FilterField({
  filter,
  onChange,
  value,
}: {
  readonly filter: Filter;
  readonly value: string;
  onChange(value: string): void;
}) {
  const t = useMessages("console");
  const { kind, label, options, render } = filter;
  if (render) return <div class="filter">{render(value, onChange)}</div>;
  if (options !== undefined)
    return (
      <select class="input" aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{t("any", { label })}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  if (kind === "instant") return <InstantFilter label={label} value={value} onChange={onChange} />;
  return (
    <input
      class="input"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}

function InstantFilter({
  label,
  onChange,
  value,
}: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}) {
  return (
    <label class="instant-filter">
      <span>{label}</span>
      <input
        class="input"
        type="datetime-local"
        value={value === "" ? "" : toLocal(Number(value))}
        onChange={(event) => onChange(event.currentTarget.value && String(new Date(event.currentTarget.value).getTime()))}
      />
    </label>
  );
}

/** Formats an instant as the value of a `datetime-local` input, in local time. */
export function toLocal(instant: number): string {
  const date = new Date(instant);
  return new Date(instant - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The columns that the person chose, stored in the browser. */
export function useColumns<Row>(
  name: string,
  all: readonly Column<Row>[],
): {
  readonly all: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  toggle(id: string): void;
} {
  const key = `columns:${name}`;
  const [chosen, setChosen] = useState<readonly string[] | undefined>(() => localStorage.getItem(key)?.split(","));
  const ids = chosen ?? all.filter(({ hidden }) => !hidden).map(({ id }) => id);
  const toggle = (id: string): void => {
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
    if (next.length === 0) return;
    localStorage.setItem(key, next.join(","));
    setChosen(next);
  };
  return { all, shown: all.filter(({ id }) => ids.includes(id)), toggle };
}

function ColumnChoice<Row>({ columns: { all, shown, toggle } }: { readonly columns: ReturnType<typeof useColumns<Row>> }) {
  const t = useMessages("console");
  const boxes = all.map((column) => (
    <label key={column.id} class="menu-item">
      <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column.id)} />
      <span>{column.label}</span>
    </label>
  ));
  return <Popover label={t("columns")} button={<Icon name="columns" />} body={<div class="menu">{boxes}</div>} />;
}
