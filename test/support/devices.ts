import { type Answer, expectOk } from "./answer.js";
import { anybody, arrangeLogin, loginBody } from "./logins.js";
import { postWebhook } from "./webhooks.js";
import type { World } from "./world.js";

/** The `User-Agent` headers of two browsers. */
export const agents: { readonly firefox: string; readonly safari: string } = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  safari:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
};

/** A browser that keeps the cookie of its device. */
export class Browser {
  readonly #world: World;
  readonly #agent: string;
  cookie: string | undefined;

  constructor(world: World, agent: string = agents.firefox, cookie?: string) {
    this.#world = world;
    this.#agent = agent;
    this.cookie = cookie;
  }

  async post(url: string, body: object): Promise<Answer> {
    const headers = { "user-agent": this.#agent, ...(this.cookie !== undefined && { cookie: this.cookie }) };
    const answer = await anybody(this.#world).post(url, body, headers);
    this.cookie = answer.cookies.find((one) => one.startsWith("device="))?.split(";")[0] ?? this.cookie;
    return answer;
  }

  /** Logs in the user of {@link arrangeLogin}. */
  logIn(fields: object = {}): Promise<Answer> {
    return this.post("/api/login", loginBody(fields));
  }
}

const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false };

/** A user, an application for browsers, and a webhook that makes the service track devices. */
export async function arrangeDevices(world: World): Promise<void> {
  await arrangeLogin(world, { application: { loginConfiguration } });
  await receiveLogins(world);
}

/** Makes a webhook of all tenants for the two device events. */
export async function receiveLogins(world: World): Promise<string> {
  const eventsEnabled = { "user.login.new-device": true, "user.login.suspicious": true };
  return expectOk(await postWebhook(world, { global: true, eventsEnabled })).textAt("webhook.id");
}
