/** The web application: the relying party of an OpenID provider, with one client in each tenant. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as client from "openid-client";
import { type Listening, listen } from "./listen.ts";

/** What the shop knows of a customer. */
export interface ShopCustomer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Login {
  readonly config: client.Configuration;
  readonly verifier: string;
  readonly state: string;
}

interface Session {
  readonly config: client.Configuration;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly subject: string;
}

/** A shop that people of several companies log in to. */
export class Shop {
  readonly #server: Listening;
  readonly #customers = new Map<string, ShopCustomer>();
  readonly #logins = new Map<string, Login>();
  readonly #sessions = new Map<string, Session>();

  private constructor(server: Listening) {
    this.#server = server;
    server.answer((request, response) => {
      this.#answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
    });
  }

  /** Starts a shop on a free port of this machine. */
  static async start(): Promise<Shop> {
    return new Shop(await listen());
  }

  get url(): string {
    return this.#server.url;
  }

  /** The page that logins lead back to. */
  get redirectUrl(): string {
    return `${this.url}/callback`;
  }

  /** Notes that addresses of a domain belong to a customer. */
  addCustomer(domain: string, customer: ShopCustomer): void {
    this.#customers.set(domain, customer);
  }

  /** Refreshes the tokens of a user. Returns the error of the provider, or `none`. */
  async refresh(userId: string): Promise<string> {
    const session = [...this.#sessions.values()].find((one) => one.subject === userId);
    if (session === undefined) throw new Error(`${userId} has no session.`);
    try {
      await client.refreshTokenGrant(session.config, session.refreshToken);
      return "none";
    } catch (error) {
      if (error instanceof client.ResponseBodyError) return error.error;
      throw error;
    }
  }

  close(): void {
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    const cookie = /(?:^|; )shop=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    if (url.pathname === "/login") return this.#begin(url, response);
    if (url.pathname === "/callback") return this.#finish(url, cookie, response);
    return this.#show(cookie, response);
  }

  // The domain of the address says whose tenant it is; the pages of the provider find the company by the same address.
  async #begin(url: URL, response: ServerResponse): Promise<void> {
    const email = url.searchParams.get("email") ?? "";
    const customer = this.#customers.get(email.slice(email.lastIndexOf("@") + 1));
    if (customer === undefined) return void response.writeHead(404).end("No customer has this domain.");
    const { issuer, clientId, clientSecret } = customer;
    // Plain HTTP is for this machine alone.
    const execute = [client.allowInsecureRequests];
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute });
    const [id, state, verifier] = [randomUUID(), client.randomState(), client.randomPKCECodeVerifier()];
    this.#logins.set(id, { config, state, verifier });
    const target = client.buildAuthorizationUrl(config, {
      redirect_uri: this.redirectUrl,
      scope: "openid email profile offline_access",
      login_hint: email,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    redirect(response, target.href, id);
  }

  async #finish(url: URL, cookie: string, response: ServerResponse): Promise<void> {
    const login = this.#logins.get(cookie);
    this.#logins.delete(cookie);
    if (login === undefined) return void response.writeHead(400).end("No login began in this browser.");
    const { config, state, verifier } = login;
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier, expectedState: state });
    const [id, subject] = [randomUUID(), tokens.claims()?.sub ?? ""];
    const { access_token: accessToken, refresh_token: refreshToken = "" } = tokens;
    this.#sessions.set(id, { config, accessToken, refreshToken, subject });
    redirect(response, "/", id);
  }

  // Each page asks the provider, so a session that was ended counts no more.
  async #show(cookie: string, response: ServerResponse): Promise<void> {
    const session = this.#sessions.get(cookie);
    const user =
      session && (await client.fetchUserInfo(session.config, session.accessToken, session.subject).catch(() => undefined));
    if (user === undefined) return void response.writeHead(401).end("Log in.");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(user));
  }
}

function redirect(response: ServerResponse, location: string, cookie: string): void {
  response.writeHead(303, { location, "set-cookie": `shop=${cookie}; Path=/; HttpOnly; SameSite=Lax` }).end();
}
