import type { EmailTexts } from "../../resources/email-templates/schema.js";

/** A text of a template that is in several languages: where the default one stands, and where the others do. */
export interface TextFields {
  readonly byDefault: "defaultFromName" | "defaultHtmlTemplate" | "defaultSubject" | "defaultTextTemplate";
  readonly localized: "localizedFromNames" | "localizedHtmlTemplates" | "localizedSubjects" | "localizedTextTemplates";
}

/** A text that was chosen, and its path in the template. */
export interface SelectedText {
  readonly source: string;
  readonly path: readonly string[];
}

const tagShape = /^([A-Za-z]{2,3})((?:[_-][A-Za-z\d]{2,8})*)$/;

/** Whether a text names a language, alone or with more: `de`, `de_CH`, `zh-Hant-TW`. */
export function isLanguageTag(text: string): boolean {
  return tagShape.test(text);
}

/** The locales to look for, in their order: each language with its region, then alone. What names no language is left out. */
export function localesOf(languages: readonly string[]): readonly string[] {
  return [...new Set(languages.flatMap(toLocales))];
}

function toLocales(tag: string): readonly string[] {
  const [, language = "", rest = ""] = tagShape.exec(tag) ?? [];
  if (language === "") return [];
  const region = rest.split(/[_-]/).find((part) => /^(?:[A-Za-z]{2}|\d{3})$/.test(part));
  const name = language.toLowerCase();
  return region === undefined ? [name] : [`${name}_${region.toUpperCase()}`, name];
}

/** The text for the first locale that has one, else the default; undefined where there is none. A blank one is none. */
export function chooseText(
  template: EmailTexts,
  { byDefault, localized }: TextFields,
  locales: readonly string[],
): SelectedText | undefined {
  const texts = template[localized];
  const locale = locales.find((known) => Object.hasOwn(texts, known) && texts[known]?.trim() !== "");
  if (locale !== undefined) return { source: texts[locale] ?? "", path: ["emailTemplate", localized, locale] };
  const source = template[byDefault];
  return source === undefined || source.trim() === "" ? undefined : { source, path: ["emailTemplate", byDefault] };
}
