/** A browser without scripts or a screen: cookies by origin, redirects, pages that lead on, and forms. */

/** A page that waits for its user. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

interface Request {
  readonly url: string;
  /** What a form posts; absent for a GET. */
  readonly form?: URLSearchParams | undefined;
  /** The origin of the page that led here. */
  readonly from?: string | undefined;
}

/** One user's browser. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens a URL, and returns the first page that does not lead on by itself. Throws an Error after 30 steps. */
  async open(url: string): Promise<Page> {
    let next: Request | undefined = { url };
    for (let step = 0; step < 30; step++) {
      const [page, following] = await this.#send(next);
      if (following === undefined) return page;
      next = following;
    }
    throw new Error(`The redirects of ${url} do not end.`);
  }

  /** Fills in the first form of a page that has these fields, and submits it. Throws an Error for a page without one. */
  async submit(page: Page, values: Readonly<Record<string, string>>): Promise<Page> {
    const names = Object.keys(values);
    const form = readForms(page).find(({ fields }) => names.every((name) => fields.has(name)));
    if (form === undefined) throw new Error(`${page.url} has no form with ${names.join(", ")}: ${page.html}`);
    for (const [name, value] of Object.entries(values)) form.fields.set(name, value);
    const [next, following] = await this.#send({ url: form.action, form: form.fields, from: page.url });
    return following === undefined ? next : this.#follow(following);
  }

  async #follow({ url, form, from }: Request): Promise<Page> {
    if (form === undefined) return this.open(url);
    const [page, following] = await this.#send({ url, form, from });
    return following === undefined ? page : this.#follow(following);
  }

  async #send({ url, form, from }: Request): Promise<readonly [Page, Request | undefined]> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const fromOrigin = from === undefined ? undefined : new URL(from).origin;
    // SameSite=Lax: a form of another site brings no cookies.
    const isForeign = form !== undefined && fromOrigin !== origin;
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        accept: "text/html",
        cookie: isForeign ? "" : [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form !== undefined && fromOrigin !== undefined && { origin: fromOrigin }),
      },
      body: form ?? null,
      redirect: "manual",
    });
    for (const text of response.headers.getSetCookie()) storeCookie(jar, text);
    const page = { url, status: response.status, html: await response.text() };
    const location = response.headers.get("location");
    if (location === null) return [page, findNext(page)];
    const target = new URL(location, url).href;
    return [page, response.status === 307 ? { url: target, form, from } : { url: target }];
  }
}

function storeCookie(jar: Map<string, string>, text: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
  if (/;\s*max-age=0|;\s*expires=thu, 01 jan 1970/i.test(text)) jar.delete(name);
  else jar.set(name, value);
}

// A page leads on by a refresh, or by a form that is sent at once.
function findNext(page: Page): Request | undefined {
  const refresh = /http-equiv="refresh" content="0;\s*url=([^"]*)"/i.exec(page.html)?.[1];
  if (refresh !== undefined) return { url: new URL(decode(refresh), page.url).href };
  const form = readForms(page).find(({ isSentAtOnce }) => isSentAtOnce);
  return form && { url: form.action, form: form.fields, from: page.url };
}

interface Form {
  readonly action: string;
  readonly fields: URLSearchParams;
  readonly isSentAtOnce: boolean;
}

function readForms({ html, url }: Page): readonly Form[] {
  return [...html.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([text]) => {
    const fields = new URLSearchParams();
    for (const [input] of text.matchAll(/<input[^>]*>/g)) fields.set(attributeOf(input, "name"), attributeOf(input, "value"));
    const isSentAtOnce = /^<form[^>]*data-send="now"/.test(text) || fields.has("SAMLResponse");
    return { action: new URL(attributeOf(text, "action"), url).href, fields, isSentAtOnce };
  });
}

function attributeOf(tag: string, name: string): string {
  return decode(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

function decode(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
