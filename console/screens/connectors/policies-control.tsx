import { Checkbox, Field, TextArea } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import type { FieldControl } from "../../kit/record-form/index.js";

interface Policy {
  readonly connectorId: string;
  readonly domains: readonly string[];
  readonly migrate: boolean;
}

/** Edits the connector policies of a tenant: a connector and its email domains, in the order of evaluation. */
export const policiesControl: FieldControl = ({ error, onChange, value }) => (
  <Policies policies={Array.isArray(value) ? value : []} error={error} onChange={onChange} />
);

interface PoliciesProps {
  readonly policies: readonly Policy[];
  readonly error: string | undefined;
  onChange(policies: readonly Policy[]): void;
}

function Policies({ error, onChange, policies }: PoliciesProps) {
  const t = useMessages("connectors");
  const move = (place: number, by: number): void => {
    const moved = policies[place];
    if (moved !== undefined) onChange(policies.toSpliced(place, 1).toSpliced(place + by, 0, moved));
  };
  return (
    <fieldset class={`field${error ? " invalid" : ""}`}>
      <legend>{t("policies")}</legend>
      <p class="hint">{t("policiesHint")}</p>
      {error && <p class="error">{error}</p>}
      <ol class="plain stack">
        {policies.map((policy, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a policy.
          <li key={place}>
            <PolicyFields
              policy={policy}
              number={place + 1}
              isLast={place === policies.length - 1}
              onMove={(by) => move(place, by)}
              onChange={(next) => onChange(policies.with(place, next))}
              onRemove={() => onChange(policies.toSpliced(place, 1))}
            />
          </li>
        ))}
      </ol>
      <div class="actions">
        <button
          type="button"
          class="button"
          onClick={() => onChange([...policies, { connectorId: "", domains: ["*"], migrate: false }])}
        >
          {t("addPolicy")}
        </button>
      </div>
    </fieldset>
  );
}

interface PolicyFieldsProps {
  readonly policy: Policy;
  readonly number: number;
  readonly isLast: boolean;
  onMove(by: number): void;
  onChange(policy: Policy): void;
  onRemove(): void;
}

function PolicyFields({ isLast, number, onChange, onMove, onRemove, policy }: PolicyFieldsProps) {
  const t = useMessages("connectors");
  const { connectorId, domains, migrate } = policy;
  const button = (label: string, act: () => void, isOff: boolean) => (
    <button type="button" class="button small" onClick={act} disabled={isOff} aria-label={t(label, { number })}>
      {t(`${label}.short`)}
    </button>
  );
  return (
    <fieldset class="localized">
      <legend>{t("policy", { number })}</legend>
      <Field label={t("connector")}>
        <Picker family="connector" value={connectorId} onChange={(id) => onChange({ ...policy, connectorId: id })} />
      </Field>
      <Field label={t("domains")} hint={t("domainsHint")}>
        <TextArea
          rows={2}
          value={domains.join("\n")}
          spellcheck={false}
          onChange={(text) => onChange({ ...policy, domains: text === "" ? [] : text.split("\n") })}
        />
      </Field>
      <Checkbox
        checked={migrate}
        label={t("migrate")}
        hint={t("migrateHint")}
        onChange={(next) => onChange({ ...policy, migrate: next })}
      />
      <div class="actions">
        {button("earlier", () => onMove(-1), number === 1)}
        {button("later", () => onMove(1), isLast)}
        {button("removePolicy", onRemove, false)}
      </div>
    </fieldset>
  );
}
