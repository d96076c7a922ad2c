import { signal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { CodeField } from "../../kit/code-field/code-field.js";
import type { CodeProblem } from "../../kit/code-field/editor.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { ControlProps, FieldControl } from "../../kit/record-form/index.js";
import { completionsOf, emptyBody, typeOptions } from "./completions.js";

/** The lambda in the form, shared with the test run beside it and with controls that depend on it. */
export interface EditedLambda {
  /** Undefined for a lambda that is not stored yet. */
  readonly id: string | undefined;
  readonly type: string;
  readonly body: string;
}

/** The lambda that the form edits at present. */
export const edited = signal<EditedLambda>({ id: undefined, type: "JWTPopulate", body: "" });

/** The positions at which the last run failed. */
export const problems = signal<readonly CodeProblem[]>([]);

/** Runs the lambda in the form. */
export const runner = signal<(now: { readonly body?: string }) => void>(() => undefined);

/** Selects the type of a new lambda. While the body is empty, the offered initial body follows the type. */
export const typeControl: FieldControl = (props) => <TypeField {...props} />;

function TypeField({ error, onChange, value: given }: ControlProps) {
  const t = useMessages("lambdas");
  const value = String(given ?? "");
  useEffect(() => {
    if (value !== "") edited.value = { ...edited.peek(), type: value };
  }, [value]);
  return (
    <Field label={t("type")} error={error} required>
      <Select value={value} options={typeOptions} onChange={onChange} />
    </Field>
  );
}

/** Edits the body in the code editor. */
export const bodyControl: FieldControl = (props) => <BodyField {...props} />;

function BodyField({ error, onChange, value: given }: ControlProps) {
  const t = useMessages("lambdas");
  const value = String(given ?? "");
  const { type } = edited.value;
  const errorId = useId();
  useEffect(() => {
    edited.value = { ...edited.peek(), body: value };
    problems.value = [];
  }, [value]);
  return (
    <>
      <CodeField
        label={t("body")}
        language="javascript"
        value={value}
        onChange={onChange}
        completions={completionsOf(type)}
        problems={problems.value}
        {...(error !== undefined && { describedBy: errorId })}
        onRun={(now) => runner.value({ body: now })}
      />
      {error !== undefined && (
        <p id={errorId} class="error">
          {error}
        </p>
      )}
      {value === "" && (
        <button type="button" class="button wrap" onClick={() => onChange(emptyBody(type))}>
          {t("beginBody")}
        </button>
      )}
      <p class="hint">{t("editorHint")}</p>
    </>
  );
}
