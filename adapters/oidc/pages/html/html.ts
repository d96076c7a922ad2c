/** Markup that is safe to send. Only {@link html} makes it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** Joins the literal parts of a template with values, which are escaped. Call it as a tag: {@link html}. */
  static tag(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
    return new Html(parts.raw.map((part, index) => part + toMarkup(values[index])).join(""));
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template takes: texts and numbers are escaped, markup stays as it is, and what is absent or false is left out. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/**
 * Makes markup of a template, in which every value is escaped. Values stand in the text of an element or between the quotes of an attribute;
 * for optional attributes there is {@link attributes}.
 */
export const html: typeof Html.tag = Html.tag;

function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  return typeof value === "object" ? value.map(toMarkup).join("") : escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character] ?? "");
}

/** Attributes of an element: true is one without a value; absent and false ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The attributes of an element, each after a blank. @throws TypeError for a name that is none, or one that holds a script or styles. */
export function attributes(named: Attributes): readonly Html[] {
  return Object.entries(named).flatMap(([name, value]) => {
    if (!/^[a-z][a-z-]*$/.test(name) || /^(?:on|style$|srcdoc$)/.test(name))
      throw new TypeError(`${name} is no attribute of a page.`);
    if (value === undefined || value === false) return [];
    return value === true ? [html` ${name}`] : [html` ${name}="${value}"`];
  });
}
