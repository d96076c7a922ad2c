import { api, unwrap } from "../../app/api.js";
import { Checkbox, Field, Select, TextArea, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";

/** Previews the stored form as a front end would show it, by the API call that front ends make. */
export function FormPreview({ formId, version }: { readonly formId: string; readonly version: string | undefined }) {
  const t = useMessages("forms");
  const { error, reload, value } = useLoad(
    async (signal) => unwrap(await api.forms.describe({ formId }, { signal })),
    [formId, version],
  );
  return (
    <Panel title={t("preview")}>
      <p class="hint">{t("previewHint")}</p>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading lines={3} />}
      {value?.steps.map(({ fields, step, type }) => (
        <fieldset key={step} class="localized">
          <legend>
            {t("step", { number: step })} · {t(`step.${type}`)}
          </legend>
          {fields.map((field) => (
            <PreviewField key={field.id} field={field} />
          ))}
        </fieldset>
      ))}
    </Panel>
  );
}

interface DescribedField {
  readonly key: string;
  readonly label: string;
  readonly control?: string | undefined;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly options?: readonly { readonly text: string; readonly value: string }[] | undefined;
  readonly confirm?: { readonly label: string } | undefined;
}

const ignore = (): void => undefined;

function PreviewField({ field }: { readonly field: DescribedField }) {
  const { confirm, control, description, label, required } = field;
  if (control === "checkbox") return <Checkbox checked={false} label={label} hint={description} onChange={ignore} />;
  return (
    <>
      <Field label={label} hint={description} required={required}>
        {toInput(field)}
      </Field>
      {confirm !== undefined && (
        <Field label={confirm.label} required={required}>
          <TextInput type={control === "password" ? "password" : "text"} autocomplete="off" value="" onChange={ignore} />
        </Field>
      )}
    </>
  );
}

function toInput({ control, options = [] }: DescribedField) {
  const choices = options.map(({ text, value }) => ({ value, label: text }));
  if (control === "select" || control === "radio")
    return <Select value="" options={[{ value: "", label: "–" }, ...choices]} onChange={ignore} />;
  if (control === "textarea") return <TextArea value="" onChange={ignore} />;
  const type = control === "password" || control === "number" ? control : "text";
  return <TextInput type={type} autocomplete="off" value="" onChange={ignore} />;
}
