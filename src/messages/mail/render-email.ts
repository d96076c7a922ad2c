import { toHeaderText } from "../../http/schema/mail-address.js";
import type { EmailTexts } from "../../records/email-templates/schema.js";
import { createTextRenderer, localesOf, type TextError, type TextFields } from "./localized-text.js";

/** The texts of a mail; empty if they have errors or the template has none. */
export interface RenderedEmail {
  readonly fromName: string;
  readonly html: string;
  readonly subject: string;
  readonly text: string;
  readonly problems: readonly TextError[];
}

/** Renders a template in the first available language, with the variables of a recipient. */
export type RenderEmail = (languages: readonly string[], variables: Readonly<Record<string, unknown>>) => RenderedEmail;

type DefaultName = "defaultFromName" | "defaultHtmlTemplate" | "defaultSubject" | "defaultTextTemplate";
type LocalizedName = "localizedFromNames" | "localizedHtmlTemplates" | "localizedSubjects" | "localizedTextTemplates";
type EmailFields = TextFields<DefaultName, LocalizedName>;

const wrapper = "emailTemplate";

const fields: Readonly<Record<Exclude<keyof RenderedEmail, "problems">, EmailFields>> = {
  fromName: { wrapper, byDefault: "defaultFromName", localized: "localizedFromNames" },
  html: { wrapper, byDefault: "defaultHtmlTemplate", localized: "localizedHtmlTemplates" },
  subject: { wrapper, byDefault: "defaultSubject", localized: "localizedSubjects" },
  text: { wrapper, byDefault: "defaultTextTemplate", localized: "localizedTextTemplates" },
};

/** Returns a function that renders a template repeatedly and parses each text once. */
export function createEmailRenderer(template: EmailTexts): RenderEmail {
  const render = createTextRenderer<DefaultName, LocalizedName>(template);
  return (languages, variables) => {
    const problems: TextError[] = [];
    const context = { locales: localesOf(languages), variables, problems };
    const show = (field: EmailFields): string => render(field, context);
    const [fromName, html, subject, text] = [show(fields.fromName), show(fields.html), show(fields.subject), show(fields.text)];
    return { fromName: toHeaderText(fromName), html, subject: toHeaderText(subject), text, problems };
  };
}
