import { useId } from "preact/hooks";
import { useMessages } from "../../kit/i18n.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";

/** Selects the linking strategy, by which a login finds its user. Explains each option. */
export const strategyControl: FieldControl = (props) => <Strategies {...props} />;

function Strategies({ error, field, label, onChange, value }: ControlProps) {
  const t = useMessages("providers");
  const id = useId();
  const options = ["", ...field.options];
  return (
    <fieldset class={`field${error ? " invalid" : ""}`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} class="choice tall">
          <input
            type="radio"
            name={id}
            checked={(value ?? "") === option}
            onChange={() => onChange(option === "" ? undefined : option)}
          />
          <span>
            {t(`strategy.${option || "default"}`)}
            <span class="hint">{t(`strategy.${option || "default"}.text`)}</span>
          </span>
        </label>
      ))}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}
