import { useState } from "preact/hooks";
import { toLocal } from "../data-list/toolbar.js";
import { Checkbox, Field, Select, TextArea, TextInput } from "../field.js";
import { translate, useMessages } from "../i18n.js";
import { Picker } from "../picker.js";
import { familyOfMember } from "./member-families.js";
import type { FormField } from "./schema.js";
import { SecretControl } from "./secret-control.js";
import type { ControlProps } from "./types.js";

/** The control of a member, by its kind. */
export function Control(props: ControlProps) {
  const { error, field, hint, label, onChange, value } = props;
  if (field.kind === "flag")
    return (
      <Checkbox
        checked={value === true}
        label={label}
        hint={hint}
        onChange={onChange}
        aria-invalid={error ? "true" : undefined}
      />
    );
  if (field.kind === "choices") return <Choices {...props} />;
  if (field.kind === "json" || field.kind === "map") return <JsonControl {...props} />;
  if (field.kind === "password") return <SecretControl {...props} />;
  return (
    <Field label={label} hint={hint} error={error} required={field.required}>
      {toInput(field, value, onChange)}
    </Field>
  );
}

function toInput({ kind, name, options, schema }: FormField, value: unknown, onChange: ControlProps["onChange"]) {
  const text = value === undefined || value === null ? "" : String(value);
  const setText = (next: string): void => onChange(next === "" ? undefined : next);
  if (kind === "choice") {
    const choices = options.map((option) => ({ value: option, label: option }));
    return (
      <Select value={text} options={[{ value: "", label: translate("console", "byDefault") }, ...choices]} onChange={setText} />
    );
  }
  if (kind === "number") {
    const setNumber = (next: string): void => onChange(next === "" ? undefined : Number(next));
    return <TextInput type="number" value={text} min={schema.minimum} max={schema.maximum} step="any" onChange={setNumber} />;
  }
  if (kind === "instant") {
    const local = typeof value === "number" ? toLocal(value) : "";
    return (
      <TextInput type="datetime-local" value={local} onChange={(next) => onChange(next ? new Date(next).getTime() : undefined)} />
    );
  }
  if (kind === "lines") {
    const lines = Array.isArray(value) ? value.join("\n") : "";
    return <TextArea rows={3} value={lines} spellcheck={false} onChange={(next) => onChange(toLines(next))} />;
  }
  const family = isId(schema) ? familyOfMember(name) : undefined;
  if (family !== undefined) return <Picker family={family} value={text} onChange={(id) => setText(id)} />;
  return <TextInput value={text} maxLength={schema.maxLength} onChange={setText} />;
}

// Some bodies declare no format for their ids. Only an id of another system declares a maximum length.
function isId({ format, maxLength }: FormField["schema"]): boolean {
  return format === "uuid" || (format === undefined && maxLength === undefined);
}

// Keeps empty lines while the person types; the service trims and drops them.
function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function Choices({ error, field, hint, label, onChange, value }: ControlProps) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (option: string): void =>
    onChange(field.options.filter((one) => (one === option ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <fieldset class={`field choices${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {field.options.map((option) => (
        <label key={option} class="menu-item">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
          <span>{option}</span>
        </label>
      ))}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

function JsonControl({ error, field, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("console");
  const [text, setText] = useState<string>();
  const shown = text ?? (value === undefined ? "" : JSON.stringify(value, undefined, 2));
  const problem = text === undefined ? undefined : problemOf(text);
  const write = (next: string): void => {
    setText(next);
    if (problemOf(next) === undefined) onChange(next.trim() === "" ? undefined : JSON.parse(next));
  };
  const rows = Math.min(16, Math.max(3, shown.split("\n").length));
  return (
    <Field label={label} hint={hint} error={error ?? (problem && t("noJson", { problem }))} required={field.required}>
      <TextArea
        class="input code"
        rows={rows}
        value={shown}
        spellcheck={false}
        onChange={write}
        onBlur={() => problem ?? setText(undefined)}
      />
    </Field>
  );
}

function problemOf(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}
