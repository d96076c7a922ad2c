import { toHeaderText } from "../../http/schema/mail-address.js";
import type { EmailTexts } from "../../records/email-templates/schema.js";
import { createTextRenderer, localesOf, type TextError, type TextFields } from "./localized-text.js";

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

/** What renders a template as often as needed: each of its texts is parsed once. */
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
