import { Field } from "../field.js";
import { Picker } from "../picker.js";
import type { FieldControl } from "./types.js";

/** A picker for lambdas of one type; the service refuses other types. */
export function lambdaControl(type: string): FieldControl {
  return ({ error, field, hint, label, onChange, value }) => (
    <Field label={label} hint={hint} error={error} required={field.required}>
      <Picker
        family="lambda"
        criteria={{ type }}
        value={typeof value === "string" ? value : ""}
        onChange={(id) => onChange(id || undefined)}
      />
    </Field>
  );
}
