import { type ComponentChildren, cloneElement, type VNode } from "preact";
import { useId } from "preact/hooks";

/** Props of a field: its control and the texts around it. */
export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
  /** The control. It receives the id and the ARIA attributes of the field. */
  readonly children: VNode<Record<string, unknown>>;
}

/** A control with its label, hint and error. */
export function Field({ children, error, hint, label, required }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = cloneElement(children, {
    id,
    ...(describedBy && { "aria-describedby": describedBy }),
    ...(error && { "aria-invalid": "true" }),
    ...(required && { "aria-required": "true" }),
  });
  return (
    <div class={`field${error ? " invalid" : ""}`}>
      <label for={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {control}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

/** Props of a text input. Other attributes pass to the element. */
export interface TextInputProps {
  readonly value: string;
  onChange(value: string): void;
  readonly type?: string;
  readonly [attribute: string]: unknown;
}

/** A single-line text input. */
export function TextInput({ onChange, type = "text", value, ...rest }: TextInputProps) {
  return <input {...rest} class="input" type={type} value={value} onInput={(event) => onChange(event.currentTarget.value)} />;
}

/** A multi-line text input. */
export function TextArea({ onChange, value, ...rest }: TextInputProps) {
  return <textarea class="input" {...rest} value={value} onInput={(event) => onChange(event.currentTarget.value)} />;
}

/** Props of a select. Other attributes pass to the element. */
export interface SelectProps {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
  readonly [attribute: string]: unknown;
}

/** A select of one value. */
export function Select({ onChange, options, value, ...rest }: SelectProps) {
  return (
    <select {...rest} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A checkbox followed by its label. */
export function Checkbox({
  checked,
  hint,
  label,
  onChange,
  ...rest
}: {
  readonly checked: boolean;
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  onChange(checked: boolean): void;
  readonly [attribute: string]: unknown;
}) {
  const id = useId();
  return (
    <div class="field checkbox">
      <label>
        <input
          {...rest}
          type="checkbox"
          checked={checked}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
