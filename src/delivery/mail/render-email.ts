import type { EmailTexts } from "../../resources/email-templates/schema.js";
import { formatPath } from "../../shared/text/format-path.js";
import { parseTemplate } from "../../templates/parse-template.js";
import { renderTemplate } from "../../templates/render-template.js";
import { TemplateError } from "../../templates/template-error.js";
import type { Template } from "../../templates/template-tree.js";
import { chooseText, localesOf, type TextFields } from "./choose-text.js";
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
