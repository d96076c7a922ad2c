import type { MessageTexts } from "../../records/message-templates/schema.js";
import { createTextRenderer, localesOf, type TextError } from "../mail/localized-text.js";

/** The text of a message; empty if it has an error. */
export interface RenderedMessage {
  readonly text: string;
  readonly problems: readonly TextError[];
}

const field = { wrapper: "messageTemplate", byDefault: "defaultTemplate", localized: "localizedTemplates" } as const;

/** Renders a message template in the first available language. */
export function renderMessage(
  template: MessageTexts,
  languages: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): RenderedMessage {
  const problems: TextError[] = [];
  const render = createTextRenderer<"defaultTemplate", "localizedTemplates">(template);
  const text = render(field, { locales: localesOf(languages), variables, problems });
  return { text, problems };
}
