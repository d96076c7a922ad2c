import { useEffect, useRef, useState } from "preact/hooks";
import { useMessages } from "../i18n.js";
import { Icon } from "../icons.js";
import { useLoad } from "../load.js";
import { Failed, Loading } from "../screen.js";
import { Conflict } from "./conflict.js";
import { Preview } from "./preview.js";
import { type FormField, loadFields } from "./schema.js";
import { Sections } from "./sections.js";
import { type FormState, useFormState } from "./state.js";
import type { RecordFormProps } from "./types.js";

export type { FormField } from "./schema.js";
export type { ControlProps, FieldControl, FormSection, PartError, RecordFormProps, SaveOptions } from "./types.js";

/** A form for a record, generated from the OpenAPI document. It supports drafts, dry-run previews, conflicts, field errors and undo. */
export function RecordForm(props: RecordFormProps) {
  const member = props.member ?? props.schema.charAt(0).toLowerCase() + props.schema.slice(1);
  const { error, reload, value } = useLoad(() => loadFields(props.schema, member), [props.schema, member]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  return <Form key={props.draft} props={props} member={member} fields={shownFields(within(value, props.only), props)} />;
}

function within(fields: readonly FormField[], path: string | undefined): readonly FormField[] {
  return path === undefined ? fields : (fields.find((field) => field.path === path)?.fields ?? []);
}

// A group with a custom control is one value.
function shownFields(
  fields: readonly FormField[],
  { controls = {}, hide = [] }: Pick<RecordFormProps, "controls" | "hide">,
): readonly FormField[] {
  return fields
    .filter(({ path }) => !hide.includes(path))
    .map((field) => {
      if (field.kind !== "group") return field;
      if (controls[field.path] !== undefined) return { ...field, kind: "json", fields: [] };
      return { ...field, fields: shownFields(field.fields, { controls, hide }) };
    });
}

interface FormParts {
  readonly props: RecordFormProps;
  readonly member: string;
  readonly fields: readonly FormField[];
}

function Form({ fields, member, props }: FormParts) {
  const t = useMessages("console");
  const state = useFormState(props, fields);
  const [isPreviewing, setPreviewing] = useState(false);
  const save = (event: Event): void => {
    event.preventDefault();
    state.save();
  };
  const isNew = props.record === undefined;
  return (
    <form class="record-form" onSubmit={save} noValidate>
      <Summary state={state} member={member} />
      <Sections props={props} member={member} fields={fields} state={state} />
      <div class="save-bar">
        <span class="faint" role="status">
          {state.patch === undefined ? "" : t("unsaved")}
        </span>
        {state.patch !== undefined && (
          <button type="button" class="button quiet" onClick={state.discard}>
            {t("discard")}
          </button>
        )}
        <button type="button" class="button" disabled={state.patch === undefined} onClick={() => setPreviewing(true)}>
          {t("preview")}
        </button>
        <button type="submit" class="button primary" disabled={state.isBusy || (!isNew && state.patch === undefined)}>
          {t(isNew ? "create" : "save")}
        </button>
      </div>
      {isPreviewing && <Preview props={props} member={member} state={state} onClose={() => setPreviewing(false)} />}
      {state.theirs !== undefined && <Conflict state={state} theirs={state.theirs} />}
    </form>
  );
}

function Summary({ member, state: { failure } }: { readonly state: FormState; readonly member: string }) {
  const t = useMessages("console");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure !== undefined) box.current?.focus();
  }, [failure]);
  if (failure === undefined) return null;
  const { fieldErrors, generalErrors } = failure.errors;
  const byField = Object.entries(fieldErrors).flatMap(([path, entries]) => entries.map((entry) => ({ path, ...entry })));
  return (
    <div ref={box} class="banner bad" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div>
        <strong>{t("notSaved")}</strong>
        <ul>
          {generalErrors.map((entry) => (
            <li key={entry.code}>{entry.message}</li>
          ))}
          {byField.map(({ code, message, path }) => (
            <li key={code + path}>
              <a href={`#field-${toFieldPath(path, member)}`} onClick={focusField}>
                {message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

// Errors of list items appear in the field of the list.
function toFieldPath(path: string, member: string): string {
  return path.replace(`${member}.`, "").replace(/\[.*/, "");
}

function focusField(event: MouseEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLAnchorElement)) return;
  const id = event.currentTarget.hash.slice(1);
  // A member of a group with a custom control has no element of its own, so the group's control takes the focus.
  const place = document.getElementById(id) ?? document.getElementById(id.replace(/\.[^.]*$/, ""));
  place?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}
