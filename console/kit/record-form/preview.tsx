import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Result, sayFailure } from "../../app/api.js";
import { Dialog } from "../dialog.js";
import { Field, TextInput } from "../field.js";
import { useMessages } from "../i18n.js";
import { TableFrame } from "../table-frame.js";
import { type Difference, differences, getAt } from "./merge-patch.js";
import { Receivers } from "./receivers.js";
import type { FormState } from "./state.js";
import type { RecordFormProps } from "./types.js";

const moving = /(^|\.)(lastUpdateInstant|insertInstant|id)$/;

/** A preview of a save by dry run: the changes, the affected records, and the events with their receivers. */
export function Preview({
  member,
  onClose,
  props,
  state,
}: {
  readonly props: RecordFormProps;
  readonly member: string;
  readonly state: FormState;
  onClose(): void;
}) {
  const t = useMessages("console");
  const [result, setResult] = useState<Result<unknown>>();
  const [affected, setAffected] = useState<ComponentChildren>();
  const [reason, setReason] = useState("");
  useEffect(() => {
    state.preview().then(setResult);
    props.affected?.(state.patch ?? {}).then(setAffected, () => undefined);
  }, []);
  const save = async (): Promise<void> => {
    await state.save(reason.trim() || undefined);
    onClose();
  };
  const footer = (
    <>
      <button type="button" class="button" onClick={onClose}>
        {t("cancel")}
      </button>
      <button type="button" class="button primary" disabled={!result?.ok || state.isBusy} onClick={save}>
        {t("save")}
      </button>
    </>
  );
  return (
    <Dialog title={t("previewTitle")} onClose={onClose} footer={footer} size="large">
      <div class="stack">
        {result === undefined && <p role="status">{t("loading")}</p>}
        {result?.ok === false && (
          <p class="banner bad" role="alert">
            {sayFailure(result)}
          </p>
        )}
        {result?.ok && <Differences rows={changesOf(props.record, getAt(result.value, member))} />}
        {affected !== undefined && affected !== false && <p class="banner warn">{affected}</p>}
        {props.events !== undefined && (
          <div>
            <p>{t("eventsGoOut")}</p>
            <Receivers events={props.events} />
          </div>
        )}
        <Field label={t("reason")} hint={t("reasonHint")}>
          <TextInput value={reason} onChange={setReason} maxLength={1_000} />
        </Field>
      </div>
    </Dialog>
  );
}

function changesOf(record: object | undefined, after: unknown): readonly Difference[] {
  return differences(record ?? {}, after).filter(({ path }) => !moving.test(path));
}

/** A table of members that differ, with the values before and after. */
export function Differences({ rows }: { readonly rows: readonly Difference[] }) {
  const t = useMessages("console");
  if (rows.length === 0) return <p>{t("nothingChanges")}</p>;
  return (
    <TableFrame label={t("previewTitle")}>
      <table class="differences">
        <thead>
          <tr>
            <th scope="col">{t("member")}</th>
            <th scope="col">{t("before")}</th>
            <th scope="col">{t("after")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ after, before, path }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td class="before">{toText(before)}</td>
              <td class="after">{toText(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Formats a member's value for display. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 1);
}
