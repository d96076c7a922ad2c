import type { ApiRequest, ApiResponse, ProtocolHandler, ProtocolHost } from "latchkey/ports";
import { StaleVersion, UniqueViolation } from "latchkey/ports";
import type { OpenIdHost, OpenIdTenant } from "latchkey/types";
import { type PresentedClient, readPresentedClient } from "../http/client-authentication.js";
import { CookieRules } from "../http/cookies.js";
import { addCorsHeaders, writePreflight } from "../http/cors.js";
import { type RequestForm, readForm, toQuery } from "../http/form.js";
import type { Interactions } from "../http/interactions.js";
import { runListener, toIncoming, toServerResponse } from "../http/node-request.js";
import { readDelay, writeOAuthError } from "../http/refusals.js";
import { type FoundRoute, findRoute, routes } from "../http/routes.js";
import { audienceOf, clientOfToken } from "../http/unverified-tokens.js";
import { allowsPages } from "./configuration.js";
import { BrowserAccounts } from "./exchange/browser-accounts.js";
import { type Exchange, exchanges } from "./exchange/exchange.js";
import type { InteractionContext } from "./exchange/interaction-context.js";
import { recordRefusal } from "./exchange/refusal-log.js";
import { answerPoll } from "./grants/device-polls.js";
import { answerRefresh } from "./grants/refresh-answers.js";
import { stateLifetime } from "./grants/token-lifetimes.js";
import { InteractionPages } from "./interaction-pages.js";
import { describeDevice, findDeviceFormId, findDeviceLogin, saveDeviceLogin } from "./interactions/devices.js";
import { endedModel, findStoredAnswer, saveEndedInteraction } from "./interactions/ended-interactions.js";
import { rememberStart } from "./interactions/interaction-starts.js";
import { addCookies, endStaleLogins, resumeLogin } from "./interactions/pending-login.js";
import { answerLogout, chooseLogout } from "./logouts.js";
import { toLibraryParameters } from "./parameters.js";
import { Providers } from "./providers.js";
import { isTooLong, type Refusal, tooLong, tooMany, unknownClient } from "./request-refusals.js";
import { RootTenant } from "./root-tenant.js";
import { TokenEndpoints } from "./token-endpoints.js";

/** Returns the handler of requests to the OpenID provider. @throws TypeError without the option `publicUrl`. */
export async function createOidcServer(host: ProtocolHost, interactions: Interactions): Promise<ProtocolHandler> {
  const { publicUrl } = host;
  if (publicUrl === undefined) throw new TypeError("latchkey/oidc needs the option publicUrl.");
  const server = new OidcServer(host, await host.openId(), { interactions, publicUrl });
  return (request, principal) => server.handle(request, principal);
}

/** The most attempts of a request that conflicts with another one. */
const maxRounds = 5;

class OidcServer {
  readonly #host: ProtocolHost;
  readonly #core: OpenIdHost;
  readonly #publicUrl: URL;
  readonly #cookies: CookieRules;
  readonly #providers: Providers;
  readonly #pages: InteractionPages;
  readonly #endpoints: TokenEndpoints;
  readonly #root: RootTenant;
  readonly #accounts: BrowserAccounts;

  constructor(host: ProtocolHost, core: OpenIdHost, given: { readonly interactions: Interactions; readonly publicUrl: string }) {
    this.#host = host;
    this.#core = core;
    this.#publicUrl = new URL(given.publicUrl);
    this.#cookies = new CookieRules(given.publicUrl);
    this.#accounts = new BrowserAccounts({
      publicUrl: this.#publicUrl,
      sealer: { secrets: host.deriveSecrets("oidc accounts"), clock: host.clock, random: host.random },
      cookies: this.#cookies,
    });
    this.#pages = new InteractionPages(host, { ...given, accounts: this.#accounts, core }, (request, work) =>
      this.#inInteraction(request, work),
    );
    this.#providers = new Providers({ host, cookies: this.#cookies, pages: this.#pages });
    this.#endpoints = new TokenEndpoints(host, core);
    this.#root = new RootTenant(host, core);
  }

  async handle(request: ApiRequest, principal: Parameters<ProtocolHandler>[1]): Promise<ApiResponse | undefined> {
    const route = findRoute(request.path);
    if (route === undefined) return this.#pages.handle(request);
    const preflight = writePreflight(request, route);
    if (preflight !== undefined) return preflight;
    if (request.method === "OPTIONS" && route.isPage)
      return { status: 204, headers: { allow: "GET, HEAD, OPTIONS, POST" }, body: "" };
    // The core serves its own tokens, those that it signs for the provider, and all keys without a tenant.
    if (route.name === "userinfo" || (route.name === "jwks" && route.tenantId === undefined)) {
      const served = await this.#host.serve({ ...request, path: routes[route.name] }, principal);
      const answered = served && { request, route, response: served };
      return answered && addCorsHeaders(answered, (origin) => this.#allows(origin, clientOfToken(request)));
    }
    const { client, response } = await this.#answer(request, route, principal);
    return addCorsHeaders({ request, route, response }, (origin) => this.#allows(origin, client.clientId));
  }

  async #allows(origin: string, clientId: string | undefined): Promise<boolean> {
    if (this.#host.allowsOrigin(origin)) return true;
    const client = clientId === undefined ? undefined : await this.#core.findClient(clientId);
    return client !== undefined && allowsPages(client.settings, origin);
  }

  async #answer(request: ApiRequest, route: FoundRoute, principal: Parameters<ProtocolHandler>[1]): Promise<ClientResponse> {
    const form = await readForm(this.#host, request);
    const client = readPresentedClient(request, form.params);
    // The browser sends its session cookies with the GET after this redirect, but not with a form of another site (OpenID Connect
    // Core, 3.1.2.1).
    if (request.method === "POST" && route.path === routes.authorization)
      return { client, response: toQuery(request, form, this.#publicUrl) };
    const answer = await this.#endpoints.answer(route, { request: form.request, form, client, principal });
    const response = "request" in answer ? await this.#run(answer.request, route, { client, form }) : answer;
    return { client, response: route.name === "revocation" ? withJsonType(response) : response };
  }

  async #run(request: ApiRequest, route: FoundRoute, given: Given): Promise<ApiResponse> {
    const tenant = await this.#findTenant(request, route, given);
    if (tenant === undefined) return (await this.#chooseLogout(request, route, given)) ?? this.#refuse(request, route);
    if (isTooLong(route, given.form)) return this.#refuse(request, route, tooLong);
    try {
      const { exchange, result } = await this.#limited(request, route, { tenant, ...given });
      const { refusal: reason } = exchange;
      if (reason !== undefined) await recordRefusal(this.#host, exchange.client, { path: route.path, reason });
      return result;
    } catch (error) {
      const delay = readDelay(error);
      if (delay === undefined) throw error;
      return this.#refuse(request, route, { ...tooMany, ...delay });
    }
  }

  // Device codes are short: guessing is slowed down, then refused.
  #limited(request: ApiRequest, route: FoundRoute, given: Given & { readonly tenant: OpenIdTenant }): Promise<Answered> {
    const run = (): Promise<Answered> => this.#runLibrary(request, route, given);
    const userCode = given.form.params.get("user_code");
    if (route.name !== "code_verification" || request.method !== "POST" || !userCode) return run();
    const asked = { tenantId: given.tenant.id, userCode };
    return this.#core.enterUserCode(request, asked, run, ({ exchange }) => exchange.isUnknownCode === true);
  }

  #runLibrary(
    request: ApiRequest,
    route: FoundRoute,
    { client, form, tenant }: Given & { readonly tenant: OpenIdTenant },
  ): Promise<Answered> {
    const run = async (exchange: Exchange): Promise<ApiResponse> => {
      const sessionName = this.#cookies.sessionName(tenant.id);
      if (route.isPage) await endStaleLogins(exchange, sessionName);
      const toContext = (uid: string): InteractionContext => this.#contextOf(request, uid);
      const logout = { route, form, publicUrl: this.#publicUrl, context: toContext("") };
      const confirmation = findDeviceFormId(exchange, route, sessionName);
      const ended = (await findStoredAnswer(request, toContext)) ?? (await findDeviceLogin(exchange, confirmation));
      const again = ended ?? (await answerLogout(request, { ...logout, render: this.#pages.render }));
      if (again !== undefined) return again;
      const resumed = await resumeLogin(request, { accounts: this.#accounts, sessionName }, toContext);
      const asked = await toLibraryParameters(route, request, form);
      const query = asked.query === "" ? "" : `?${asked.query}`;
      const response = await runListener(this.#providers.find().listener, {
        request: { ...resumed.request, query: asked.query },
        body: asked.body,
        url: route.path + query,
        mount: await this.#mountOf(route, tenant),
        publicUrl: this.#publicUrl,
        address: this.#host.addressOf(request),
      });
      const refreshed = stateLifetime(exchange, route, await answerRefresh(exchange, route, response));
      const answer = await answerPoll(exchange, route, refreshed);
      const shown = addCookies(describeDevice(route, exchange, answer), resumed.cookies);
      await saveEndedInteraction(exchange, shown);
      saveDeviceLogin(exchange, confirmation, shown);
      const started = { publicUrl: this.#publicUrl, sealer: this.#pages };
      return rememberStart(exchange, await this.#pages.finishLogout(exchange, shown), started);
    };
    return this.#inExchange(request, { tenant, params: form.params, client }, run);
  }

  #contextOf(request: ApiRequest, uid: string): InteractionContext {
    const incoming = toIncoming({
      request,
      body: undefined,
      url: request.path,
      mount: this.#publicUrl.pathname.replace(/\/$/, ""),
      publicUrl: this.#publicUrl,
      address: this.#host.addressOf(request),
    });
    return { incoming, outgoing: toServerResponse(incoming, () => undefined), uid, ...this.#providers.find() };
  }

  // Page links contain the tenant for later requests. Client endpoints stay as in discovery.
  async #mountOf(route: FoundRoute, tenant: OpenIdTenant): Promise<string> {
    const base = this.#publicUrl.pathname.replace(/\/$/, "");
    if (route.name === "device_authorization" && (await this.#root.find()).only === tenant.id) return base;
    return route.isPage ? `${base}/${tenant.id}` : base + (route.name === "discovery" ? "" : route.prefix);
  }

  async #inExchange<T>(
    request: ApiRequest,
    given: Pick<Exchange, "params" | "tenant"> & { readonly client?: PresentedClient },
    run: (exchange: Exchange) => Promise<T>,
  ): Promise<{ readonly exchange: Exchange; readonly result: T }> {
    const { client, params, tenant } = given;
    for (let round = 1; ; round++) {
      const unit = this.#core.begin(tenant.id, request);
      const { random } = this.#host;
      const authentication = client?.method ?? "none";
      const exchange: Exchange = { request, tenant, params, unit, random, core: this.#core, authentication };
      const result = await exchanges.run(exchange, () => run(exchange));
      try {
        await unit.commit();
        return { exchange, result };
      } catch (error) {
        const hasMetAnother = error instanceof StaleVersion || error instanceof UniqueViolation;
        if (!hasMetAnother || round === maxRounds) throw error;
      }
    }
  }

  // Work of a page on its interaction: the cookie proves that the browser started it.
  async #inInteraction<T>(
    request: ApiRequest,
    work: (exchange: Exchange, known: InteractionContext) => Promise<T>,
  ): Promise<T | undefined> {
    const [, uid] = /^\/oauth2\/interaction\/([\w-]+)/.exec(request.path) ?? [];
    if (uid === undefined) return undefined;
    const tenantId = (await this.#core.findTenantOf("Interaction", uid)) ?? (await this.#core.findTenantOf(endedModel, uid));
    const tenant = tenantId === undefined ? undefined : await this.#core.findTenant(tenantId);
    if (tenant === undefined) return undefined;
    const { result } = await this.#inExchange(request, { tenant, params: new URLSearchParams() }, (exchange) =>
      work(exchange, this.#contextOf(request, uid)),
    );
    return result;
  }

  async #findTenant(request: ApiRequest, route: FoundRoute, { client, form }: Given): Promise<OpenIdTenant | undefined> {
    const { params } = form;
    const hinted = client.clientId ?? audienceOf(params.get("id_token_hint"));
    const application = hinted === undefined ? undefined : await this.#core.findClient(hinted);
    const named = params.get("tenantId") ?? undefined;
    const known = route.tenantId ?? named ?? application?.tenantId ?? (await this.#findUnnamed(route));
    const found = known ?? this.#onlyTenantOf(request);
    return found === undefined ? undefined : this.#core.findTenant(found.toLowerCase());
  }

  // Users type the device URL, so it needs no tenant id when there is only one tenant.
  async #findUnnamed({ name }: FoundRoute): Promise<string | undefined> {
    if (name === "discovery") return (await this.#root.find()).root;
    return name === "code_verification" ? (await this.#root.find()).only : undefined;
  }

  #chooseLogout(request: ApiRequest, route: FoundRoute, { form }: Given): Promise<ApiResponse | undefined> {
    const tenantIds = this.#cookies.tenantsIn(request.headers.cookie);
    return chooseLogout(request, { route, form, publicUrl: this.#publicUrl, tenantIds, pages: this.#pages });
  }

  #onlyTenantOf({ headers }: ApiRequest): string | undefined {
    const [first, ...others] = this.#cookies.tenantsIn(headers.cookie);
    return others.length === 0 ? first : undefined;
  }

  async #refuse(request: ApiRequest, route: FoundRoute, refusal: Refusal = unknownClient): Promise<ApiResponse> {
    if (route.name === "discovery") return { status: 404, headers: {}, body: "" };
    const { description, error, headers } = refusal;
    const isJson = !route.isPage || route.name === "device_authorization";
    const status = isJson && refusal === unknownClient ? 401 : refusal.status;
    const response = isJson
      ? writeOAuthError(status, error, description)
      : await this.#pages.render({ kind: "error", status, error, description }, request);
    return { ...response, headers: { ...response.headers, ...headers } };
  }
}

interface Answered {
  readonly exchange: Exchange;
  readonly result: ApiResponse;
}

// Some clients parse every response by its content type, even an empty one.
function withJsonType(response: ApiResponse): ApiResponse {
  const type = { "content-type": "application/json; charset=UTF-8" };
  return response.status === 200 ? { ...response, headers: { ...response.headers, ...type } } : response;
}

interface ClientResponse {
  readonly client: PresentedClient;
  readonly response: ApiResponse;
}

interface Given {
  readonly client: PresentedClient;
  readonly form: RequestForm;
}
