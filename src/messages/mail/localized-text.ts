import { formatPath } from "../../shared/text.js";
import { parseTemplate } from "../../templates/parse-template.js";
import { renderTemplate } from "../../templates/render-template.js";
import { type Template, TemplateError } from "../../templates/template-tree.js";

/** What is wrong with one text: its path in the template, and sentences with line and column. */
export interface TextError {
  readonly kind: "parse" | "render";
  readonly path: string;
  readonly messages: readonly string[];
}

/** For whom a text is rendered, and where what is wrong with it goes. */
export interface TextContext {
  readonly locales: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly problems: TextError[];
}

/** Renders the texts of a template as often as needed; each is parsed once. A text with a problem is empty. */
export function createTextRenderer<Default extends string, Localized extends string>(
  template: LocalizedTexts<Default, Localized>,
): (field: TextFields<Default, Localized>, context: TextContext) => string {
  const parse = createParser();
  return (field, { locales, problems, variables }) => {
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

/** The texts of a template: the default ones, and maps of others by locale. */
type LocalizedTexts<Default extends string, Localized extends string> = { readonly [Name in Default]?: string | undefined } & {
  readonly [Name in Localized]: Readonly<Record<string, string>>;
};

/** A text of a template that is in several languages: where the default one stands, and where the others do. */
export interface TextFields<Default extends string, Localized extends string> {
  readonly wrapper: string;
  readonly byDefault: Default;
  readonly localized: Localized;
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
export function chooseText<Default extends string, Localized extends string>(
  template: LocalizedTexts<Default, Localized>,
  { byDefault, localized, wrapper }: TextFields<Default, Localized>,
  locales: readonly string[],
): SelectedText | undefined {
  const texts: Readonly<Record<string, string>> = template[localized];
  const locale = locales.find((known) => Object.hasOwn(texts, known) && texts[known]?.trim() !== "");
  if (locale !== undefined) return { source: texts[locale] ?? "", path: [wrapper, localized, locale] };
  const source: string | undefined = template[byDefault];
  return source === undefined || source.trim() === "" ? undefined : { source, path: [wrapper, byDefault] };
}
