import { useState } from "preact/hooks";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { FieldControl } from "../../kit/record-form/index.js";

/** A secret that is written and never shown. */
export const secretControl: FieldControl = ({ field, onChange, value }) => (
  <SecretField path={field.path} value={typeof value === "string" ? value : ""} onChange={onChange} />
);

function SecretField({
  onChange,
  path,
  value,
}: {
  readonly path: string;
  readonly value: string;
  onChange(value: string | undefined): void;
}) {
  const t = useMessages("settings");
  const [isReplacing, setReplacing] = useState(value === "");
  if (!isReplacing)
    return (
      <div class="field">
        <span class="field-label">{t(`field.${path}`)}</span>
        <div class="actions">
          <span class="faint">{t("secretIsSet")}</span>
          <button
            type="button"
            class="button small"
            onClick={() => setReplacing(true)}
            aria-label={`${t("replace")}: ${t(`field.${path}`)}`}
          >
            {t("replace")}
          </button>
        </div>
      </div>
    );
  return <NewSecret path={path} onChange={onChange} />;
}

function NewSecret({ onChange, path }: { readonly path: string; onChange(value: string | undefined): void }) {
  const t = useMessages("settings");
  const [text, setText] = useState("");
  const change = (next: string): void => {
    setText(next);
    if (next !== "") onChange(next);
  };
  return (
    <Field label={t(`field.${path}`)} hint={t("secretHint")}>
      <TextInput type="password" autocomplete="new-password" value={text} onChange={change} />
    </Field>
  );
}
