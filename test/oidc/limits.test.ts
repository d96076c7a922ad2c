// What anybody can make the provider store, and guess, is limited by where the requests come from.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { TestClock } from "../support/world.js";
import { ada, callback, type ProviderWorld, startProvider } from "./support/provider.js";

const enabledGrants = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"];
const proxied = { trustedProxies: ["127.0.0.0/8"] };
const quarter = 15 * 60_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

/** Sends requests as a browser or a device at an address does. */
class Source {
  readonly #world: ProviderWorld;
  readonly #address: string;
  #cookies: Readonly<Record<string, string>> = {};

  constructor(world: ProviderWorld, address: string) {
    this.#world = world;
    this.#address = address;
  }

  async send(url: string, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const cookie = Object.entries(this.#cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    const headers = { "x-forwarded-for": this.#address, cookie, "content-type": "application/x-www-form-urlencoded" };
    const body = form && new URLSearchParams(form).toString();
    const answer = await this.#world.identity.inject({
      url,
      method: form ? "POST" : "GET",
      headers,
      ...(body !== undefined && { body }),
    });
    const set = [answer.headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0]?.split("=") ?? []);
    this.#cookies = { ...this.#cookies, ...Object.fromEntries(set.map(([name = "", ...value]) => [name, value.join("=")])) };
    return answer;
  }

  authorize(more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const pkce = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    const asked = {
      client_id: this.#world.applicationId,
      response_type: "code",
      redirect_uri: callback,
      scope: "openid",
      ...pkce,
    };
    return this.send(`/oauth2/authorize?${new URLSearchParams({ ...asked, ...more })}`);
  }

  async logIn(): Promise<void> {
    const started = await this.authorize();
    const page = String(started.headers.location);
    const ended = await this.send(page, { loginId: ada.email, password: ada.password });
    expect(ended.status).toBe(303);
    await this.send(new URL(String(ended.headers.location)).pathname);
  }

  startDevice(): Promise<Answer> {
    const { applicationId: client_id, clientSecret: client_secret } = this.#world;
    return this.send("/oauth2/device_authorize", { client_id, client_secret, scope: "openid" });
  }

  async enter(userCode: string): Promise<Answer> {
    const { tenantId } = this.#world;
    const page = JSON.parse((await this.send(`/${tenantId}/oauth2/device`)).body);
    return this.send(page.form.action, { ...page.form.fields, user_code: userCode });
  }
}

// A thousand logins take seconds, so by default the smaller limits below stand for it.
if (isLong)
  requirement(
    "openid.starts",
    "a source begins a thousand logins that nobody finishes, and no more in fifteen minutes",
    async () => {
      const clock = new TestClock();
      const world = await startProvider(memoryStorage(), { enabledGrants }, { ...proxied, clock: clock.now });
      const source = new Source(world, "203.0.113.1");
      for (let count = 0; count < 10; count++) await new Source(world, "203.0.113.1").logIn();
      for (let count = 0; count < 1_000; count++) expect((await source.authorize()).status).toBe(303);
      const refused = await source.authorize();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      expect(JSON.parse(refused.body)).toMatchObject({ kind: "error", error: "temporarily_unavailable" });
      const device = await source.startDevice();
      expect([device.status, JSON.parse(device.body).error]).toEqual([429, "temporarily_unavailable"]);
      expect((await new Source(world, "203.0.113.1").send(`/${world.tenantId}/oauth2/device`)).status).toBe(429);
      const other = new Source(world, "203.0.113.2");
      expect([(await other.authorize()).status, (await other.startDevice()).status]).toEqual([303, 200]);
      clock.advance(quarter);
      expect([(await source.authorize()).status, (await source.startDevice()).status]).toEqual([303, 200]);
    },
  );

requirement("openid.starts", "a start has parameters of sixteen kilobytes at most", async () => {
  const world = await startProvider(memoryStorage(), { enabledGrants });
  const source = new Source(world, "203.0.113.1");
  expect((await source.authorize({ state: "x".repeat(15_000) })).status).toBe(303);
  const refused = await source.authorize({ state: "x".repeat(17_000) });
  expect([refused.status, JSON.parse(refused.body).error]).toEqual([400, "invalid_request"]);
});

requirement("openid.user-codes", "the codes of devices are guessed fifty times from one source", async () => {
  const clock = new TestClock();
  const throttle = { twoFactor: { maxDelayMs: 0 } };
  const world = await startProvider(memoryStorage(), { enabledGrants }, { ...proxied, clock: clock.now, throttle });
  const source = new Source(world, "203.0.113.1");
  const { user_code: right } = JSON.parse((await source.startDevice()).body);
  expect(JSON.parse((await source.enter(right)).body).kind).toBe("deviceConfirm");
  const codeOf = (count: number): string =>
    `BBBB-${String(count)
      .padStart(4, "B")
      .replace(/\d/g, (digit) => "CDFGHJKLMN"[Number(digit)] ?? "")}`;
  for (let count = 0; count < 50; count++) expect(JSON.parse((await source.enter(codeOf(count))).body).error).toBe("unknown");
  for (const code of [codeOf(50), right]) expect((await source.enter(code)).status).toBe(429);
  const other = new Source(world, "203.0.113.2");
  expect(JSON.parse((await other.enter(right)).body).kind).toBe("deviceConfirm");
  for (let count = 0; count < 5; count++) await other.enter("BCDF-GHJK");
  const locked = await other.enter("BCDF GHJK");
  expect([locked.status, JSON.parse(locked.body).kind]).toEqual([429, "error"]);
});
