import { Browser } from "../oidc/support/browser.ts";
import { user } from "./stage.ts";

/** A person with a browser, who fills in the pages of sign-in. */
export class Person {
  readonly browser = new Browser();

  /** Opens a URL, logs in where a page asks for it, and returns the URL that the browser is led to elsewhere. */
  async logIn(start: string | URL): Promise<URL> {
    return this.#through(start, { loginId: user.email, password: user.password });
  }

  /** The same for a page that asks whether to log out. */
  async logOut(start: string | URL): Promise<URL> {
    return this.#through(start, { logout: "yes" });
  }

  /** Opens a page, and returns its HTML. */
  async read(start: string | URL): Promise<string> {
    return (await this.browser.follow(start)).response.text();
  }

  /** Logs in, and returns the page at the end: one whose form goes elsewhere. */
  async logInTo(start: string | URL): Promise<string> {
    const { origin } = new URL(start);
    let shown = await this.browser.follow(start);
    for (let page = 0; page < 5; page++) {
      const html = await shown.response.text();
      const form = readForm(html, shown.url);
      if (form === undefined || form.action.origin !== origin) return html;
      const response = await this.browser.send(form.action, { ...form.fields, loginId: user.email, password: user.password });
      shown = await this.#next(response, form.action);
    }
    throw new Error(`Too many pages, the last one at ${shown.url}.`);
  }

  // Follows redirects up to the one that leads to the relying party.
  async #next(response: Response, url: URL): Promise<{ readonly response: Response; readonly url: URL }> {
    const location = response.headers.get("location");
    if (location === null) return { response, url };
    const target = new URL(location, url);
    return target.origin === url.origin ? this.browser.follow(target) : { response, url: target };
  }

  async #through(start: string | URL, values: Readonly<Record<string, string>>): Promise<URL> {
    let shown = await this.browser.follow(start);
    for (let page = 0; page < 5; page++) {
      if (shown.response.status >= 300 && shown.response.status < 400) return shown.url;
      const form = readForm(await shown.response.text(), shown.url);
      if (form === undefined) return shown.url;
      const response = await this.browser.send(form.action, { ...form.fields, ...values });
      shown = await this.#next(response, form.action);
    }
    throw new Error(`Too many pages, the last one at ${shown.url}.`);
  }
}

/** The first form of a page, with its hidden fields. */
export function readForm(html: string, url: string | URL) {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) return undefined;
  const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
    decode(/name="([^"]*)"/.exec(input)?.[1] ?? ""),
    decode(/value="([^"]*)"/.exec(input)?.[1] ?? ""),
  ]);
  return { action: new URL(decode(action), url), fields: Object.fromEntries(hidden) as Record<string, string> };
}

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
