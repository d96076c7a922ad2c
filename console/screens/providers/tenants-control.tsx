import { Checkbox, Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { FieldControl } from "../../kit/record-form/index.js";
import { getAt, type Members, setAt } from "../../kit/record-form/merge-patch.js";
import { EntryList } from "./entry-list.js";

/** Edits, for each tenant, the maximum number of accounts at the provider that a user can link. */
export const tenantsControl: FieldControl = ({ error, hint, onChange, value }) => (
  <EntryList
    family="tenant"
    hint={hint}
    error={error}
    value={value}
    newEntry={{ limitUserLinkCount: { enabled: true, maximumLinks: 1 } }}
    onChange={onChange}
    render={(id, entry, change) => <Limit key={id} entry={entry} onChange={change} />}
  />
);

function Limit({ entry, onChange }: { readonly entry: Members; onChange(entry: Members): void }) {
  const t = useMessages("providers");
  const most = getAt(entry, "limitUserLinkCount.maximumLinks");
  return (
    <>
      <Checkbox
        checked={getAt(entry, "limitUserLinkCount.enabled") === true}
        label={t("limitLinks")}
        onChange={(isOn) => onChange(setAt(entry, "limitUserLinkCount.enabled", isOn))}
      />
      <Field label={t("mostLinks")}>
        <TextInput
          type="number"
          min={1}
          max={1_000}
          value={typeof most === "number" ? String(most) : ""}
          onChange={(text) => onChange(setAt(entry, "limitUserLinkCount.maximumLinks", text === "" ? undefined : Number(text)))}
        />
      </Field>
    </>
  );
}
