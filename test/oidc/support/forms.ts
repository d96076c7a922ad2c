import type { Browser } from "./browser.js";

/** A page of the built-in pages that a browser shows. */
export interface ShownPage {
  readonly response: Response;
  readonly url: URL;
}

/** A page as a user reads it, and its first form. */
export interface ReadPage {
  readonly text: string;
  readonly action: URL;
  /** The hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads a page with a form. */
export async function readPage({ response, url }: ShownPage): Promise<ReadPage> {
  const html = await response.text();
  const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
  const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
  const fields = hidden.map((input) => [/name="([^"]*)"/.exec(input)?.[1] ?? "", /value="([^"]*)"/.exec(input)?.[1] ?? ""]);
  const text = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ").replace(/\s+/g, " ");
  return { text, action: new URL(action, url), fields: Object.fromEntries(fields) };
}

/** Fills in the first form of a page, sends it and follows the redirects; returns where the browser is then. */
export async function submitPage(
  browser: Browser,
  shown: ShownPage,
  values: Readonly<Record<string, string>>,
): Promise<ShownPage> {
  const { action, fields } = await readPage(shown);
  const response = await browser.send(action, { ...fields, ...values });
  const location = response.headers.get("location");
  return location === null ? { response, url: action } : browser.follow(new URL(location, action));
}
