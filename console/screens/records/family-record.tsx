import "./records.css";
import { useState } from "preact/hooks";
import { type ClientCallOptions, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { type Loaded, useLoad } from "../../kit/load.js";
import { RecordForm, type SaveOptions } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { type Tab, Tabs } from "../../kit/tabs.js";
import { useUrlState } from "../../kit/url-state.js";
import { Id } from "../../kit/values.js";
import type { AnyRecord, Content, FamilyRow } from "./family-row.js";
import { ReadRecord } from "./read-record.js";
import { RemoveButton } from "./remove-button.js";
import { TypeChoice } from "./type-choice.js";
import { UsedBy } from "./used-by.js";

interface FamilyRecordProps<Shown extends AnyRecord> {
  readonly row: FamilyRow<Shown>;
  /** The id of a record, or `new` to create one. */
  readonly id: string;
}

interface Stored<Shown> {
  readonly record: Shown;
  readonly etag: string | undefined;
}

/** The screen of one record: its settings, its references from other records, and the additions of its row. */
export function FamilyRecord<Shown extends AnyRecord>({ id, row }: FamilyRecordProps<Shown>) {
  return id === "new" ? <NewRecord row={row} /> : <StoredRecord row={row} id={id} />;
}

function NewRecord<Shown extends AnyRecord>({ row }: { readonly row: FamilyRow<Shown> }) {
  const t = useMessages(row.messages);
  const [type] = useUrlState("type");
  const { family, path, types } = row;
  const crumbs = [{ label: t(`${family}.many`), href: path }];
  if (types === undefined)
    return (
      <Screen title={t(`${family}.add`)} crumbs={crumbs}>
        <NewForm row={row} />
      </Screen>
    );
  if (!types.names.includes(type))
    return (
      <Screen title={t(`${family}.add`)} subtitle={t("type.choose")} crumbs={crumbs}>
        <TypeChoice messages={row.messages} path={`${path}/new`} names={types.names} />
      </Screen>
    );
  const all = { label: t(`${family}.add`), href: `${path}/new` };
  return (
    <Screen title={t("type.add", { type: t(`type.${type}`) })} crumbs={[...crumbs, all]}>
      {types.above?.(type, undefined)}
      <NewForm key={type} row={row} type={type} />
    </Screen>
  );
}

function NewForm<Shown extends AnyRecord>({ row, type }: { readonly row: FamilyRow<Shown>; readonly type?: string }) {
  const t = useMessages(row.messages);
  const { family, member, path } = row;
  const [values, setValues] = useState<Content>({});
  const initial = { ...row.initial, ...(type !== undefined && row.types?.formOf(type).initial) };
  const chosen = type === undefined ? undefined : { type };
  return (
    <>
      <RecordForm
        {...formOf(row, t, type)}
        draft={type === undefined ? `${family}/new` : `${family}/new/${type}`}
        watch={setValues}
        initial={initial}
        onSave={(content, options) => row.crud.create({ [member]: { ...content, ...chosen } }, toCallOptions(options))}
        onSaved={(value) => {
          const made = recordIn<Shown>(value, member);
          if (made !== undefined) go(`${path}/${made.id}`, { replace: true });
        }}
      />
      {row.beside?.(undefined, values)}
    </>
  );
}

function StoredRecord<Shown extends AnyRecord>({ id, row }: FamilyRecordProps<Shown>) {
  const t = useMessages(row.messages);
  const loaded = useLoad((signal) => read(row, id, { signal }), [row.family, id]);
  const { error, reload, value } = loaded;
  const title = value === undefined ? t(`${row.family}.one`) : row.titleOf(value.record);
  return (
    <Screen
      title={title}
      subtitle={<Id value={id} />}
      crumbs={[{ label: t(`${row.family}.many`), href: row.path }]}
      actions={value && <RemoveRecord row={row} record={value.record} />}
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && <RecordTabs row={row} id={id} stored={value} loaded={loaded} />}
    </Screen>
  );
}

function RemoveRecord<Shown extends AnyRecord>({ record, row }: { readonly row: FamilyRow<Shown>; readonly record: Shown }) {
  const t = useMessages(row.messages);
  const { remove } = row.crud;
  if (remove === undefined || row.isBuiltIn?.(record) === true || !may("DELETE", row.endpoint)) return null;
  const impact = row.removal?.(record, t);
  return (
    <RemoveButton
      name={row.titleOf(record)}
      back={row.path}
      {...(impact !== undefined && { impact })}
      remove={(options) => remove(record.id, options)}
    />
  );
}

interface RecordTabsProps<Shown extends AnyRecord> extends FamilyRecordProps<Shown> {
  readonly stored: Stored<Shown>;
  readonly loaded: Loaded<Stored<Shown>>;
}

function RecordTabs<Shown extends AnyRecord>({ id, loaded, row, stored }: RecordTabsProps<Shown>) {
  const t = useMessages(row.messages);
  const r = useMessages("records");
  const {
    crud: { remove },
    hasUsers,
  } = row;
  const settings: Tab = {
    id: "settings",
    label: r("settings"),
    render: () => <Settings row={row} id={id} stored={stored} loaded={loaded} />,
  };
  const more = row.tabs?.({ ...stored, reload: loaded.reload }, t) ?? [];
  const users: readonly Tab[] =
    hasUsers && remove
      ? [{ id: "used-by", label: r("usedBy"), render: () => <UsedBy id={id} remove={(options) => remove(id, options)} /> }]
      : [];
  const tabs = [settings, ...more, ...users];
  return tabs.length === 1 ? <>{settings.render()}</> : <Tabs label={row.titleOf(stored.record)} tabs={tabs} />;
}

function Settings<Shown extends AnyRecord>({ id, loaded, row, stored }: RecordTabsProps<Shown>) {
  const t = useMessages(row.messages);
  const r = useMessages("records");
  const {
    crud: { patch },
    member,
  } = row;
  const [values, setValues] = useState<Content>({});
  if (patch === undefined || !may("PATCH", row.endpoint) || row.isBuiltIn?.(stored.record) === true)
    return <ReadRecord record={stored.record} />;
  const type = typeOf(row, stored.record);
  const form = formOf(row, t, type);
  return (
    <>
      {type !== undefined && row.types?.above?.(type, stored.record)}
      {row.fixed !== undefined && row.fixed.length > 0 && <p class="hint">{r("fixed", { members: row.fixed.join(", ") })}</p>}
      <RecordForm
        {...form}
        hide={[...(form.hide ?? []), ...(row.fixed ?? [])]}
        record={stored.record}
        etag={stored.etag}
        draft={`${row.family}/${id}`}
        watch={setValues}
        onSave={(content, options) => patch(id, { [member]: content }, toCallOptions(options))}
        onSaved={loaded.reload}
        onReload={() => read(row, id, {})}
      />
      {row.beside?.({ ...stored, reload: loaded.reload }, values)}
    </>
  );
}

function formOf<Shown extends AnyRecord>(row: FamilyRow<Shown>, t: ReturnType<typeof useMessages>, type?: string) {
  const { events, hide, member, messages, schema } = row;
  const typed = type === undefined ? undefined : row.types?.formOf(type);
  const layout = typed?.layout ?? row.layout;
  return {
    schema,
    member,
    messages,
    hide: [...(hide ?? []), ...(typed?.hide ?? []), ...(type === undefined ? [] : ["type"])],
    controls: { ...row.controls, ...typed?.controls },
    ...(events && { events }),
    ...(layout && { layout: layout(t) }),
    ...(type !== undefined && { variant: type }),
  };
}

function typeOf<Shown extends AnyRecord>({ types }: FamilyRow<Shown>, record: Shown): string | undefined {
  const type: unknown = types && Reflect.get(record, "type");
  return typeof type === "string" ? type : undefined;
}

async function read<Shown extends AnyRecord>(
  row: FamilyRow<Shown>,
  id: string,
  options: ClientCallOptions,
): Promise<Stored<Shown>> {
  const result = await row.crud.retrieve(id, options);
  const record = recordIn<Shown>(unwrap(result), row.member);
  if (record === undefined) throw new TypeError(`The answer has no ${row.member}.`);
  return { record, etag: result.ok ? result.etag : undefined };
}

/** Reads the record from a response. */
function recordIn<Shown>(answer: unknown, member: string): Shown | undefined {
  return typeof answer === "object" && answer !== null ? (Reflect.get(answer, member) as Shown | undefined) : undefined;
}

function toCallOptions({ auditReason, dryRun, ifMatch }: SaveOptions): ClientCallOptions {
  return { auditReason, dryRun, ifMatch };
}
