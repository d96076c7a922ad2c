import { formatPath } from "../../shared/text.js";
import { parseTemplate } from "../../templates/parse-template.js";
import { renderTemplate } from "../../templates/render-template.js";
import { type Template, TemplateError } from "../../templates/template-tree.js";

/** The errors of one text: its path in the template, and messages with line and column. */
export interface TextError {
  readonly kind: "parse" | "render";
  readonly path: string;
  readonly messages: readonly string[];
}

/** The languages and variables of a recipient, and the list that collects errors. */
export interface TextContext {
  readonly locales: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly problems: TextError[];
}

/** Returns a function that renders the texts of a template repeatedly and parses each once. Texts with errors are empty. */
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

/** Returns a function that parses templates, with a cache; it returns an error message for an invalid one. */
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

/** The texts of a template: the defaults, and maps of texts by locale. */
type LocalizedTexts<Default extends string, Localized extends string> = { readonly [Name in Default]?: string | undefined } & {
  readonly [Name in Localized]: Readonly<Record<string, string>>;
};

/** The members of a template for one text: the default, and the map by locale. */
export interface TextFields<Default extends string, Localized extends string> {
  readonly wrapper: string;
  readonly byDefault: Default;
  readonly localized: Localized;
}

/** A selected text, and its path in the template. */
export interface SelectedText {
  readonly source: string;
  readonly path: readonly string[];
}

const tagShape = /^([A-Za-z]{2,3})((?:[_-][A-Za-z\d]{2,8})*)$/;

/** Whether a text is a language tag: `de`, `de_CH`, `zh-Hant-TW`. */
export function isLanguageTag(text: string): boolean {
  return tagShape.test(text);
}

/** Returns the locales to try, in order: each language with its region, then alone. Skips invalid tags. */
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

/** Returns the text of the first locale that has one, else the default; undefined for none. Blank texts count as absent. */
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
