import type { EmailTexts } from "../../resources/email-templates/schema.js";
import { formatPath } from "../../shared/text.js";
import { parseTemplate } from "../../templates/parse-template.js";
import { renderTemplate } from "../../templates/render-template.js";
import { type Template, TemplateError } from "../../templates/template-tree.js";
import { toHeaderText } from "./mail-address.js";

/** What is wrong with one text: its path in the template, and sentences with line and column. */
export interface TextError {
  readonly kind: "parse" | "render";
  readonly path: string;
  readonly messages: readonly string[];
}

/** The texts of a mail; empty where they have a problem or the template has none. */
export interface RenderedEmail {
  readonly fromName: string;
  readonly html: string;
  readonly subject: string;
  readonly text: string;
  readonly problems: readonly TextError[];
}

/** Renders a template for somebody: in the first of the languages that it has, with what is known of them. */
export type RenderEmail = (languages: readonly string[], variables: Readonly<Record<string, unknown>>) => RenderedEmail;

const fields: Readonly<Record<Exclude<keyof RenderedEmail, "problems">, TextFields>> = {
  fromName: { byDefault: "defaultFromName", localized: "localizedFromNames" },
  html: { byDefault: "defaultHtmlTemplate", localized: "localizedHtmlTemplates" },
  subject: { byDefault: "defaultSubject", localized: "localizedSubjects" },
  text: { byDefault: "defaultTextTemplate", localized: "localizedTextTemplates" },
};

/** What renders a template as often as needed: each of its texts is parsed once. */
export function createEmailRenderer(template: EmailTexts): RenderEmail {
  const parse = createParser();
  return (languages, variables) => {
    const locales = localesOf(languages);
    const problems: TextError[] = [];
    const show = (field: TextFields): string => {
      const chosen = chooseText(template, field, locales);
      if (chosen === undefined) return "";
      const path = formatPath(chosen.path);
      const parsed = parse(chosen.source);
      if (typeof parsed === "string") problems.push({ kind: "parse", path, messages: [parsed] });
      if (typeof parsed === "string") return "";
      const { text, problems: messages } = renderTemplate(chosen.source, parsed, variables);
      if (messages.length > 0) problems.push({ kind: "render", path, messages });
      return text;
    };
    const [fromName, html, subject, text] = [show(fields.fromName), show(fields.html), show(fields.subject), show(fields.text)];
    return { fromName: toHeaderText(fromName), html, subject: toHeaderText(subject), text, problems };
  };
}

/** Answers a template, or the sentence that says why a text is none. */
function createParser(): (source: string) => Template | string {
  const known = new Map<string, Template | string>();
  return (source) => {
    const parsed = known.get(source) ?? tryParse(source);
    known.set(source, parsed);
    return parsed;
  };
}

function tryParse(source: string): Template | string {
  try {
    return parseTemplate(source);
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

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
