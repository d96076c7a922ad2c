import { useState } from "preact/hooks";
import { Field, TextInput } from "../field.js";
import { useMessages } from "../i18n.js";
import type { ControlProps } from "./types.js";

/** A write-only secret. The person can replace a stored one, or remove it unless the record requires it. */
export function SecretControl(props: ControlProps) {
  const { field, label, onChange, value } = props;
  const t = useMessages("console");
  const [stored, setStored] = useState(typeof value === "string" ? value : "");
  const [isReplacing, setReplacing] = useState(stored === "");
  if (isReplacing) return <NewSecret {...props} stored={stored} />;
  const remove = (): void => {
    setStored("");
    setReplacing(true);
    onChange(undefined);
  };
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <div class="actions">
        <span class="faint">{t("secretIsSet")}</span>
        <button type="button" class="button small" onClick={() => setReplacing(true)} aria-label={`${t("replace")}: ${label}`}>
          {t("replace")}
        </button>
        {!field.required && (
          <button type="button" class="button small quiet" onClick={remove} aria-label={`${t("removeSecret")}: ${label}`}>
            {t("removeSecret")}
          </button>
        )}
      </div>
    </div>
  );
}

// If the person types no new secret, the stored one stays.
function NewSecret({ error, field, hint, label, onChange, stored }: ControlProps & { readonly stored: string }) {
  const t = useMessages("console");
  const [text, setText] = useState("");
  const change = (next: string): void => {
    setText(next);
    onChange(next === "" ? stored || undefined : next);
  };
  return (
    <Field
      label={label}
      hint={hint === undefined ? t("secretHint") : `${hint} ${t("secretHint")}`}
      error={error}
      required={field.required}
    >
      <TextInput type="password" autocomplete="new-password" value={text} onChange={change} />
    </Field>
  );
}
