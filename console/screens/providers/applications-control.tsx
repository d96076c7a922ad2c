import { Checkbox } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { RecordName } from "../../kit/picker.js";
import { Control } from "../../kit/record-form/controls.js";
import type { ControlProps, FieldControl, FormField } from "../../kit/record-form/index.js";
import { getAt, type Members, setAt } from "../../kit/record-form/merge-patch.js";
import { flatten } from "../../kit/record-form/schema.js";
import { useLabels } from "../../kit/record-form/sections.js";
import { EntryList } from "./entry-list.js";

/** Edits the settings of a provider for each application: enabled, registration of users, and overrides. */
export function applicationsControl(type: string, members: readonly string[]): FieldControl {
  return (props) => <Applications {...props} type={type} members={members} />;
}

const newEntry = { enabled: true, createRegistration: true };

interface ApplicationsProps extends ControlProps {
  readonly type: string;
  /** The members that an application can override. */
  readonly members: readonly string[];
}

function Applications({ error, field, hint, members, onChange, type, value }: ApplicationsProps) {
  const fields = flatten(field.fields.filter(({ name }) => members.includes(name)));
  return (
    <EntryList
      family="application"
      hint={hint}
      error={error}
      value={value}
      newEntry={newEntry}
      onChange={onChange}
      render={(id, entry, change) => <Entry key={id} id={id} entry={entry} fields={fields} type={type} onChange={change} />}
    />
  );
}

interface EntryProps {
  readonly id: string;
  readonly entry: Members;
  readonly fields: readonly FormField[];
  readonly type: string;
  onChange(entry: Members): void;
}

function Entry({ entry, fields, id, onChange, type }: EntryProps) {
  const t = useMessages("providers");
  const labels = useLabels("providers", type);
  return (
    <>
      <Checkbox
        checked={entry["enabled"] === true}
        label={t("offered")}
        hint={t("offeredHint")}
        onChange={(enabled) => onChange({ ...entry, enabled })}
      />
      <Checkbox
        checked={entry["createRegistration"] !== false}
        label={t("createRegistration")}
        hint={t("createRegistrationHint")}
        onChange={(createRegistration) => onChange({ ...entry, createRegistration })}
      />
      {fields.length > 0 && (
        <details class="group">
          <summary>
            {t("ownValues")} <span class="unseen">{<RecordName family="application" id={id} />}</span>
          </summary>
          <p class="hint">{t("ownValuesHint")}</p>
          {fields.map((field) => (
            <Control
              key={field.path}
              field={{ ...field, required: false }}
              label={labels.of(field)}
              hint={labels.hint(field)}
              error={undefined}
              errors={[]}
              value={getAt(entry, field.path)}
              onChange={(next) => onChange(setAt(entry, field.path, next))}
            />
          ))}
        </details>
      )}
    </>
  );
}
