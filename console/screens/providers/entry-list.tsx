import type { ComponentChildren } from "preact";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { PickableFamily } from "../../kit/pickable.js";
import { Picker, RecordName } from "../../kit/picker.js";
import type { Members } from "../../kit/record-form/merge-patch.js";
import { toEntries } from "./entries.js";

interface EntryListProps {
  /** The family of records whose ids are the keys of the entries. */
  readonly family: PickableFamily & ("application" | "tenant");
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly newEntry: Members;
  onChange(value: Readonly<Record<string, Members>>): void;
  render(id: string, entry: Members, change: (entry: Members) => void): ComponentChildren;
}

/** Edits settings by record id: one box for each record, and a picker to add another. */
export function EntryList({ error, family, hint, newEntry, onChange, render, value }: EntryListProps) {
  const t = useMessages("providers");
  const entries = toEntries<Members>(value);
  const remove = (gone: string): void => onChange(Object.fromEntries(Object.entries(entries).filter(([id]) => id !== gone)));
  return (
    <div class={`field${error ? " invalid" : ""}`}>
      {hint && <p class="hint">{hint}</p>}
      {error && <p class="error">{error}</p>}
      {Object.entries(entries).map(([id, entry]) => (
        <fieldset key={id} class="localized">
          <legend>
            <RecordName family={family} id={id} />
          </legend>
          {render(id, entry, (next) => onChange({ ...entries, [id]: next }))}
          <button type="button" class="button small quiet" onClick={() => remove(id)}>
            {t("takeOut")}
            <span class="unseen">
              {" "}
              <RecordName family={family} id={id} />
            </span>
          </button>
        </fieldset>
      ))}
      <Field label={t(`add.${family}`)}>
        <Picker
          family={family}
          value=""
          onChange={(id) => id !== "" && onChange({ ...entries, [id]: entries[id] ?? newEntry })}
        />
      </Field>
    </div>
  );
}
