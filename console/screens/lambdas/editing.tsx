import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { lambdaTypes } from "../../../src/lambdas/types/lambda-types.js";
import { CodeField } from "../../kit/code-field/code-field.js";
import type { CodeProblem } from "../../kit/code-field/editor.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { FieldControl } from "../../kit/record-form/index.js";
import { completionsOf, emptyBody } from "./completions.js";

/** The lambda in the form, for the run beside it. */
export const edited = signal<{ readonly type: string; readonly body: string }>({ type: "JWTPopulate", body: "" });

/** Where the last run failed. */
export const problems = signal<readonly CodeProblem[]>([]);

/** Runs what is in the form. */
export const runner = signal<(now: { readonly body?: string }) => void>(() => undefined);

/** The kind of a new lambda; a body that was not begun follows it. */
export const typeControl: FieldControl = ({ onChange, value }) => <TypeField value={String(value ?? "")} onChange={onChange} />;

function TypeField({ onChange, value }: { readonly value: string; onChange(value: string): void }) {
  const t = useMessages("lambdas");
  useEffect(() => {
    if (value !== "") edited.value = { ...edited.peek(), type: value };
  }, [value]);
  const options = Object.keys(lambdaTypes).map((type) => ({ value: type, label: type }));
  return (
    <Field label={t("type")} required>
      <Select value={value} options={options} onChange={onChange} />
    </Field>
  );
}

/** The body, in the editor. */
export const bodyControl: FieldControl = ({ onChange, value }) => <BodyField value={String(value ?? "")} onChange={onChange} />;

function BodyField({ onChange, value }: { readonly value: string; onChange(value: string): void }) {
  const t = useMessages("lambdas");
  const { type } = edited.value;
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
        onRun={(now) => runner.value({ body: now })}
      />
      {value === "" && (
        <button type="button" class="button wrap" onClick={() => onChange(emptyBody(type))}>
          {t("beginBody")}
        </button>
      )}
      <p class="hint">{t("editorHint")}</p>
    </>
  );
}
