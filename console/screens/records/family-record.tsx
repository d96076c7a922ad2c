import "./records.css";
import { useState } from "preact/hooks";
import { type CallOptions, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { type Loaded, useLoad } from "../../kit/load.js";
import { RecordForm, type SaveOptions } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { type Tab, Tabs } from "../../kit/tabs.js";
import { Id } from "../../kit/values.js";
import type { AnyRecord, Content, FamilyRow } from "./family-row.js";
import { ReadRecord } from "./read-record.js";
import { RemoveButton } from "./remove-button.js";
import { UsedBy } from "./used-by.js";

interface FamilyRecordProps<Shown extends AnyRecord> {
  readonly row: FamilyRow<Shown>;
  /** `new` for a record that is to be made. */
  readonly id: string;
}

interface Stored<Shown> {
  readonly record: Shown;
  readonly etag: string | undefined;
}

/** One record of a family: its settings, who uses it, and what else its row says. */
export function FamilyRecord<Shown extends AnyRecord>({ id, row }: FamilyRecordProps<Shown>) {
  return id === "new" ? <NewRecord row={row} /> : <StoredRecord row={row} id={id} />;
}

function NewRecord<Shown extends AnyRecord>({ row }: { readonly row: FamilyRow<Shown> }) {
  const t = useMessages(row.messages);
  const { family, member, path } = row;
  const [values, setValues] = useState<Content>({});
  return (
    <Screen title={t(`${family}.add`)} crumbs={[{ label: t(`${family}.many`), href: path }]}>
      <RecordForm
        {...formOf(row, t)}
        draft={`${family}/new`}
        watch={setValues}
        {...(row.initial && { initial: row.initial })}
        onSave={(content, options) => row.crud.create({ [member]: content }, toCallOptions(options))}
        onSaved={(value) => {
          const made = recordIn<Shown>(value, member);
          if (made !== undefined) go(`${path}/${made.id}`, { replace: true });
        }}
      />
      {row.beside?.(undefined, values)}
    </Screen>
  );
}

function StoredRecord<Shown extends AnyRecord>({ id, row }: FamilyRecordProps<Shown>) {
  const t = useMessages(row.messages);
  const loaded = useLoad((signal) => read(row, id, { signal }), [row.family, id]);
  const { error, reload, value } = loaded;
  const { remove } = row.crud;
  const title = value === undefined ? t(`${row.family}.one`) : row.titleOf(value.record);
  return (
    <Screen
      title={title}
      subtitle={<Id value={id} />}
      crumbs={[{ label: t(`${row.family}.many`), href: row.path }]}
      actions={
        value &&
        remove &&
        may("DELETE", row.endpoint) && <RemoveButton name={title} back={row.path} remove={(options) => remove(id, options)} />
      }
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && <RecordTabs row={row} id={id} stored={value} loaded={loaded} />}
    </Screen>
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
  if (patch === undefined || !may("PATCH", row.endpoint)) return <ReadRecord record={stored.record} />;
  return (
    <>
      {row.fixed !== undefined && row.fixed.length > 0 && <p class="hint">{r("fixed", { members: row.fixed.join(", ") })}</p>}
      <RecordForm
        {...formOf(row, t)}
        hide={[...(row.hide ?? []), ...(row.fixed ?? [])]}
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

function formOf<Shown extends AnyRecord>(row: FamilyRow<Shown>, t: ReturnType<typeof useMessages>) {
  const { controls, events, hide, layout, member, messages, schema } = row;
  return {
    schema,
    member,
    messages,
    ...(hide && { hide }),
    ...(controls && { controls }),
    ...(events && { events }),
    ...(layout && { layout: layout(t) }),
  };
}

async function read<Shown extends AnyRecord>(row: FamilyRow<Shown>, id: string, options: CallOptions): Promise<Stored<Shown>> {
  const result = await row.crud.retrieve(id, options);
  const record = recordIn<Shown>(unwrap(result), row.member);
  if (record === undefined) throw new TypeError(`The answer has no ${row.member}.`);
  return { record, etag: result.ok ? result.etag : undefined };
}

/** The record that an answer shows. */
function recordIn<Shown>(answer: unknown, member: string): Shown | undefined {
  return typeof answer === "object" && answer !== null ? (Reflect.get(answer, member) as Shown | undefined) : undefined;
}

function toCallOptions({ auditReason, dryRun, ifMatch }: SaveOptions): CallOptions {
  return { auditReason, dryRun, ifMatch };
}
