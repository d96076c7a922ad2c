import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { OrderedList } from "../../kit/ordered-list.js";
import type { FieldControl } from "../../kit/record-form/index.js";

interface Step {
  readonly type: string;
  readonly fields: readonly string[];
}

const stepTypes = ["collectData", "verifyEmail", "verifyPhoneNumber"];

/** Edits the steps of a form and the order of their fields, by buttons and the keyboard instead of dragging. */
export const stepsControl: FieldControl = ({ onChange, value }) => <Steps steps={toSteps(value)} onChange={onChange} />;

interface StepsProps {
  readonly steps: readonly Step[];
  onChange(steps: readonly Step[]): void;
}

function Steps({ onChange, steps }: StepsProps) {
  const t = useMessages("forms");
  const { value: names } = useLoad(async () => {
    const { fields = [] } = unwrap(await api.formFields.list({}));
    return new Map(fields.map(({ id, key, name }) => [id, name.includes(key) ? name : `${name} (${key})`]));
  }, []);
  return (
    <div class="stack">
      {steps.map((step, place) => (
        <StepFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a step.
          key={place}
          number={place + 1}
          step={step}
          names={names ?? new Map()}
          onChange={(next) => onChange(steps.with(place, next))}
          onRemove={() => onChange(steps.toSpliced(place, 1))}
        />
      ))}
      <div class="actions">
        <button type="button" class="button" onClick={() => onChange([...steps, { type: "collectData", fields: [] }])}>
          {t("addStep")}
        </button>
      </div>
    </div>
  );
}

interface StepFieldsProps {
  readonly number: number;
  readonly step: Step;
  readonly names: ReadonlyMap<string, string>;
  onChange(step: Step): void;
  onRemove(): void;
}

function StepFields({ names, number, onChange, onRemove, step }: StepFieldsProps) {
  const t = useMessages("forms");
  const { fields } = step;
  const setType = (type: string): void => onChange({ type, fields: type === "collectData" ? fields : [] });
  return (
    <fieldset class="localized">
      <legend>{t("step", { number })}</legend>
      <Field label={t("stepType")}>
        <Select value={step.type} options={stepTypes.map((value) => ({ value, label: t(`step.${value}`) }))} onChange={setType} />
      </Field>
      {step.type === "collectData" && (
        <>
          <OrderedList
            label={t("fields")}
            ids={fields}
            nameOf={(id) => names.get(id) ?? id}
            onChange={(next) => onChange({ ...step, fields: next })}
          />
          <AddField
            left={[...names].filter(([id]) => !fields.includes(id))}
            onAdd={(id) => onChange({ ...step, fields: [...fields, id] })}
          />
        </>
      )}
      <button type="button" class="button small quiet" onClick={onRemove}>
        {t("removeStep", { number })}
      </button>
    </fieldset>
  );
}

function AddField({ left, onAdd }: { readonly left: readonly (readonly [string, string])[]; onAdd(id: string): void }) {
  const t = useMessages("forms");
  const [chosen, setChosen] = useState("");
  const add = (): void => {
    onAdd(chosen);
    setChosen("");
  };
  const options = [{ value: "", label: t("chooseField") }, ...left.map(([value, label]) => ({ value, label }))];
  return (
    <div class="inline-form">
      <Field label={t("addField")}>
        <Select value={chosen} options={options} onChange={setChosen} />
      </Field>
      <button type="button" class="button" disabled={chosen === ""} onClick={add}>
        {t("add")}
      </button>
    </div>
  );
}

function toSteps(value: unknown): readonly Step[] {
  if (!Array.isArray(value)) return [];
  return value.map((step: { readonly type?: string; readonly fields?: readonly string[] }) => ({
    type: step.type ?? "collectData",
    fields: step.fields ?? [],
  }));
}
