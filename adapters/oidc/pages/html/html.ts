/** Markup that is safe to send. Only {@link html} creates it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** Joins the literal parts of a template with escaped values. Call it as a tag: {@link html}. */
  static tag(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
    return new Html(parts.raw.map((part, index) => part + toMarkup(values[index])).join(""));
  }

  toString(): string {
    return this.#markup;
  }
}

/** Template values: texts and numbers are escaped, markup is not, and undefined or false is left out. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/**
 * Creates markup from a template and escapes every value. Put values into element text or between the quotes of an attribute; for
 * optional attributes, use {@link attributes}.
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

/** Attributes of an element: true has no value; undefined and false are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes attributes, each after a space. @throws TypeError for an invalid name, or an attribute with a script or styles. */
export function attributes(named: Attributes): readonly Html[] {
  return Object.entries(named).flatMap(([name, value]) => {
    if (!/^[a-z][a-z-]*$/.test(name) || /^(?:on|style$|srcdoc$)/.test(name))
      throw new TypeError(`${name} is no attribute of a page.`);
    if (value === undefined || value === false) return [];
    return value === true ? [html` ${name}`] : [html` ${name}="${value}"`];
  });
}
