// A browser without scripts: cookies, redirects within the service, and forms as they stand in the page.
import type { IdentityService } from "latchkey";
import type { ApiResponse } from "latchkey/ports";
import { expectSecureAnswer } from "../../support/secure-page.js";

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#96;": "`",
  "&amp;": "&",
};

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|#96|amp);/g, (entity) => entities[entity] ?? entity);
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, decode(value)]));
}

/** A form of a page. */
export interface FoundForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A page as a visitor sees it. */
export class VisitedPage {
  readonly response: ApiResponse;
  readonly url: string;

  constructor(url: string, response: ApiResponse) {
    this.url = url;
    this.response = response;
  }

  get status(): number {
    return this.response.status;
  }

  get title(): string {
    return this.find(/<h1>([^<]*)<\/h1>/);
  }

  /** The text without markup. */
  get text(): string {
    const [, main = ""] = /<main>(.*)<\/main>/s.exec(this.response.body) ?? [];
    return decode(main.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).trim();
  }

  get location(): string {
    return String(this.response.headers.location ?? "");
  }

  find(pattern: RegExp): string {
    return decode(pattern.exec(this.response.body)?.[1] ?? "");
  }

  /** The path that a link with a text leads to. */
  link(text: string): string {
    const links = this.response.body.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g);
    const found = [...links].find(([, , label = ""]) => decode(label) === text);
    if (found === undefined) throw new Error(`There is no link ${text}: ${this.text}`);
    return decode(found[1] ?? "");
  }

  get forms(): readonly FoundForm[] {
    const forms = this.response.body.matchAll(/<form\s([^>]*)>(.*?)<\/form>/gs);
    return [...forms].map(([, head = "", inner = ""]) => {
      const inputs = [...inner.matchAll(/<input(\s[^>]*)>/g)].map(([, tag = ""]) => attributesOf(tag));
      const sent = inputs.filter((input) => !/^(?:checkbox|radio)$/.test(input.type ?? "") || "checked" in input);
      const areas = [...inner.matchAll(/<textarea(\s[^>]*)>([^<]*)</g)].map(([, tag = "", text = ""]) => [
        attributesOf(tag).name,
        decode(text),
      ]);
      return {
        action: attributesOf(` ${head}`).action ?? "",
        fields: Object.fromEntries([...sent.map(({ name = "", value = "" }) => [name, value]), ...areas]),
      };
    });
  }
}

/** A browser without scripts. */
export class Visitor {
  readonly identity: IdentityService;
  readonly #headers: Readonly<Record<string, string>>;
  readonly cookies: Map<string, string> = new Map<string, string>();
  page: VisitedPage = new VisitedPage("", { status: 0, headers: {}, body: "" });

  constructor(identity: IdentityService, headers: Readonly<Record<string, string>> = {}) {
    this.identity = identity;
    this.#headers = { "accept-language": "en", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0", ...headers };
  }

  async open(url: string): Promise<VisitedPage> {
    return this.#request({ method: "GET", url });
  }

  /** Fills in the first form that has all of the fields, and sends it. Answers the page that the redirects lead to. */
  async send(fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<VisitedPage> {
    const [form] = this.page.forms;
    if (form === undefined) throw new Error(`There is no form: ${this.page.text}`);
    return this.post(form.action, { ...form.fields, ...fields }, headers);
  }

  async post(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<VisitedPage> {
    const sent = {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      origin: "null",
      ...headers,
    };
    return this.#request({ method: "POST", url, headers: sent, body: new URLSearchParams(fields).toString() });
  }

  async #request(request: {
    method: string;
    url: string;
    headers?: Record<string, string>;
    body?: string;
  }): Promise<VisitedPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...this.#headers, ...(cookie !== "" && { cookie }), ...request.headers };
    const response = await this.identity.inject({ ...request, headers });
    expectSecureAnswer(response);
    for (const line of [response.headers["set-cookie"] ?? []].flat()) this.#store(line);
    this.page = new VisitedPage(request.url, response);
    const { location } = this.page;
    return response.status === 303 && location.startsWith("/") ? this.open(location) : this.page;
  }

  #store(line: string): void {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
