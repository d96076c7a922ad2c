import { useState } from "preact/hooks";
import { CodeField } from "../../kit/code-field/code-field.js";
import type { CodeLanguage } from "../../kit/code-field/editor.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import type { FieldControl } from "../../kit/record-form/index.js";

/** Creates a control that edits a text of a template in the code editor. */
export function codeControl(language: CodeLanguage): FieldControl {
  return ({ field, onChange, value }) => (
    <TemplateText path={field.path} language={language} value={String(value ?? "")} onChange={onChange} />
  );
}

interface TemplateTextProps {
  readonly path: string;
  readonly language: CodeLanguage;
  readonly value: string;
  onChange(value: string): void;
}

function TemplateText({ language, onChange, path, value }: TemplateTextProps) {
  const t = useMessages("templates");
  return <CodeField label={t(`field.${path}`)} language={language} value={value} onChange={onChange} />;
}

/** Creates a control that edits texts by locale: a field for each locale, and a way to add one. */
export function localizedControl(language: CodeLanguage | "line"): FieldControl {
  return ({ field, onChange, value }) => (
    <LocalizedTexts path={field.path} language={language} value={toTexts(value)} onChange={onChange} />
  );
}

type Texts = Readonly<Record<string, string>>;

interface LocalizedProps {
  readonly path: string;
  readonly language: CodeLanguage | "line";
  readonly value: Texts;
  onChange(value: Texts): void;
}

function LocalizedTexts({ language, onChange, path, value }: LocalizedProps) {
  const t = useMessages("templates");
  const [locale, setLocale] = useState("");
  const add = (): void => {
    if (/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(locale) && !(locale in value)) onChange({ ...value, [locale]: "" });
    setLocale("");
  };
  const remove = (gone: string): void => onChange(Object.fromEntries(Object.entries(value).filter(([name]) => name !== gone)));
  return (
    <fieldset class="field localized">
      <legend>{t(`field.${path}`)}</legend>
      {Object.entries(value).map(([name, text]) => (
        <div key={name} class="localized-text">
          <LocalizedText
            label={nameOf(name)}
            language={language}
            value={text}
            onChange={(next) => onChange({ ...value, [name]: next })}
          />
          <button type="button" class="button small quiet" onClick={() => remove(name)}>
            {t("removeLocale", { locale: name })}
          </button>
        </div>
      ))}
      <div class="inline-form">
        <Field label={t("addLocale")} hint={t("localeHint")}>
          <TextInput value={locale} onChange={setLocale} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="button" class="button" disabled={locale === ""} onClick={add}>
          {t("add")}
        </button>
      </div>
    </fieldset>
  );
}

function LocalizedText({
  label,
  language,
  onChange,
  value,
}: {
  readonly label: string;
  readonly language: CodeLanguage | "line";
  readonly value: string;
  onChange(value: string): void;
}) {
  if (language !== "line") return <CodeField label={label} language={language} value={value} onChange={onChange} />;
  return (
    <Field label={label}>
      <TextInput value={value} onChange={onChange} />
    </Field>
  );
}

function toTexts(value: unknown): Texts {
  if (typeof value !== "object" || value === null) return {};
  // Null marks a locale that the merge patch removes.
  return Object.fromEntries(Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])));
}

/** Returns a locale with its name, such as `de_CH (German, Switzerland)`. */
function nameOf(locale: string): string {
  try {
    return `${locale} (${new Intl.DisplayNames(document.documentElement.lang || "en", { type: "language" }).of(locale.replace("_", "-"))})`;
  } catch {
    return locale;
  }
}
