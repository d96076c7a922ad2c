import { Checkbox, Field, Select, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";
import { edited } from "./editing.js";
import { errorAt, ownError } from "./part-errors.js";
import { toOptions, useVersions } from "./versions.js";

/** A staged rollout in the form. Omits parts that are not filled in. */
interface Rollout {
  readonly percent?: number | undefined;
  readonly version?: number | undefined;
}

/** Edits a rollout: the percentage of users with the newest version, and the version for the other users. */
export const rolloutControl: FieldControl = (props) => <RolloutFields {...props} />;

function RolloutFields({ errors, hint, label, onChange, value }: ControlProps) {
  const t = useMessages("lambdas");
  const { id } = edited.value;
  const versions = useVersions(id).value ?? [];
  const rollout = toRollout(value);
  const error = ownError(errors);
  const begin = (): void => onChange({ percent: 10, ...(versions[0] && { version: versions[0].version }) });
  return (
    <fieldset class={`field stack${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <Checkbox
        label={t("rollOut")}
        checked={rollout !== undefined}
        hint={id === undefined ? t("rollOutLater") : undefined}
        disabled={id === undefined && rollout === undefined}
        onChange={(isOn) => (isOn ? begin() : onChange(undefined))}
      />
      {rollout !== undefined && (
        <div class="inline-form">
          <Field label={t("percent")} error={errorAt(errors, ".percent")} required>
            <TextInput
              type="number"
              min={0}
              max={100}
              value={rollout.percent === undefined ? "" : String(rollout.percent)}
              onChange={(text) => onChange({ ...rollout, percent: text === "" ? undefined : Number(text) })}
            />
          </Field>
          <Field label={t("rolloutVersion")} error={errorAt(errors, ".version")} required>
            <Select
              value={String(rollout.version ?? "")}
              options={toOptions(versions, (version) => t("versionNumber", { number: version }), rollout.version)}
              onChange={(text) => onChange({ ...rollout, version: Number(text) })}
            />
          </Field>
        </div>
      )}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

function toRollout(value: unknown): Rollout | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}
