/** A browser that keeps cookies by path, and follows redirects of one origin. */
export class Browser {
  readonly #cookies = new Map<string, { readonly path: string; readonly value: string }>();

  /** The names of the cookies. */
  get cookieNames(): readonly string[] {
    return [...this.#cookies.keys()].map((key) => key.split(" ")[0] ?? "").toSorted();
  }

  /** The values of the cookies. */
  get values(): readonly string[] {
    return [...this.#cookies.values()].map(({ value }) => value);
  }

  /** The paths that cookies are for. */
  get paths(): readonly string[] {
    return [...this.#cookies.values()].map(({ path }) => path);
  }

  /** The value of a cookie; undefined for none. */
  read(name: string): string | undefined {
    return this.#cookies.get(`${name} /`)?.value;
  }

  /** Keeps a cookie that nobody sent. */
  plant(name: string, value: string): void {
    this.#keep(`${name}=${value}; Path=/`);
  }

  /** The cookies that the browser sends to a URL. */
  cookieHeader({ pathname }: URL): string {
    const cookies = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path));
    return cookies.map(([key, { value }]) => `${key.split(" ")[0]}=${value}`).join("; ");
  }

  /** Sends a request with the cookies of its path, and keeps what the answer sets. */
  async send(url: string | URL, form?: Readonly<Record<string, string>>): Promise<Response> {
    const target = new URL(url);
    const cookie = this.cookieHeader(target);
    const body = form && new URLSearchParams(form);
    const response = await fetch(target, {
      method: form ? "POST" : "GET",
      body: body ?? null,
      redirect: "manual",
      headers: { cookie },
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    return response;
  }

  /** Follows redirects while they stay at the origin; returns the last answer, and the URL that it would lead away to. */
  async follow(url: string | URL): Promise<{ readonly response: Response; readonly url: URL }> {
    let target = new URL(url);
    const { origin } = target;
    for (let hop = 0; hop < 10; hop++) {
      const response = await this.send(target);
      const location = response.headers.get("location");
      if (location === null) return { response, url: target };
      target = new URL(location, target);
      if (target.origin !== origin || target.pathname.startsWith("/callback")) return { response, url: target };
    }
    throw new Error("Too many redirects.");
  }

  #keep(text: string): void {
    const [pair = "", ...attributes] = text.split(/;\s*/);
    const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    const key = `${name} ${path}`;
    if (value === "" || attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one))) this.#cookies.delete(key);
    else this.#cookies.set(key, { path, value });
  }
}
