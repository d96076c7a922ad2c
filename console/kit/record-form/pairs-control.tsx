import { useState } from "preact/hooks";
import { Field, TextInput } from "../field.js";
import { useMessages } from "../i18n.js";
import type { ControlProps, FieldControl } from "./types.js";

/** A control for a map of texts, such as headers. It has a field for each entry and a form to add one. */
export const pairsControl: FieldControl = (props) => <Pairs {...props} />;

function Pairs({ error, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("console");
  const [name, setName] = useState("");
  const pairs = toPairs(value);
  const add = (): void => {
    if (!(name.trim() in pairs)) onChange({ ...pairs, [name.trim()]: "" });
    setName("");
  };
  const remove = (gone: string): void => onChange(Object.fromEntries(Object.entries(pairs).filter(([one]) => one !== gone)));
  return (
    <fieldset class={`field localized${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {Object.entries(pairs).map(([one, text]) => (
        <div key={one} class="inline-form">
          <Field label={one}>
            <TextInput value={text} spellcheck={false} onChange={(next) => onChange({ ...pairs, [one]: next })} />
          </Field>
          <button
            type="button"
            class="button small quiet"
            onClick={() => remove(one)}
            aria-label={t("removePair", { name: one })}
          >
            {t("removeSecret")}
          </button>
        </div>
      ))}
      <div class="inline-form">
        <Field label={t("pairName")}>
          <TextInput value={name} onChange={setName} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="button" class="button" disabled={name.trim() === ""} onClick={add}>
          {t("addPair")}
        </button>
      </div>
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

function toPairs(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])));
}
