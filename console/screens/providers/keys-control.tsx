import { useState } from "preact/hooks";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";
import { toEntries } from "./entries.js";

/** Edits keys by their name in tokens. */
export const keysControl: FieldControl = (props) => <Keys {...props} />;

function Keys({ error, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("providers");
  const [name, setName] = useState("");
  const keys = toEntries<string>(value);
  const add = (): void => {
    onChange({ ...keys, [name.trim()]: keys[name.trim()] ?? "" });
    setName("");
  };
  const remove = (gone: string): void => onChange(Object.fromEntries(Object.entries(keys).filter(([one]) => one !== gone)));
  return (
    <fieldset class={`field localized${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {Object.entries(keys).map(([one, keyId]) => (
        <div key={one} class="inline-form">
          <Field label={t("keyNamed", { name: one })}>
            <Picker family="key" value={keyId} onChange={(id) => onChange({ ...keys, [one]: id })} />
          </Field>
          <button type="button" class="button small quiet" onClick={() => remove(one)} aria-label={t("removeKey", { name: one })}>
            {t("takeOut")}
          </button>
        </div>
      ))}
      <div class="inline-form">
        <Field label={t("keyName")}>
          <TextInput value={name} onChange={setName} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="button" class="button" disabled={name.trim() === ""} onClick={add}>
          {t("addKey")}
        </button>
      </div>
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}
