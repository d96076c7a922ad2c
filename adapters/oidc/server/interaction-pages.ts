import { IdentityError } from "latchkey";
import type { ApiRequest, ApiResponse, ProtocolHost, Random } from "latchkey/ports";
import type { OpenIdHost } from "latchkey/types";
import type { InteractionResults, KoaContextWithOIDC } from "oidc-provider";
import { readPageForm } from "../http/form.js";
import type {
  AbortedInteraction,
  AnswerName,
  ApiCall,
  EndedInteraction,
  Interaction,
  InteractionHost,
  Interactions,
  LoginResult,
  ProviderPage,
} from "../http/interactions.js";
import type { BrowserAccounts } from "./exchange/browser-accounts.js";
import { currentExchange, type Exchange } from "./exchange/exchange.js";
import { findMissingScopes, grantScopes } from "./grants/grant-scopes.js";
import {
  explainEnd,
  findInteraction,
  type InInteraction,
  type InteractionContext,
  type LibraryInteraction,
  toPrompt,
} from "./interactions/find-interaction.js";
import { findFormAnswer, saveFormAnswer } from "./interactions/form-answers.js";
import { toLibraryLogin } from "./interactions/login-result.js";
import { pageReader, toVisitor } from "./visitor.js";

/** The login pages and their operations. */
export class InteractionPages implements InteractionHost {
  readonly #host: ProtocolHost;
  readonly #interactions: Interactions;
  readonly #accounts: BrowserAccounts;
  readonly #core: OpenIdHost;
  readonly #inInteraction: InInteraction;
  /** The proof of each request's last login through {@link call}. */
  readonly #proofs = new WeakMap<ApiRequest, string>();
  readonly publicUrl: string;
  readonly basePath: string;
  readonly secrets: readonly string[];
  readonly clock: () => number;
  readonly random: Random;

  constructor(
    host: ProtocolHost,
    {
      accounts,
      core,
      interactions,
      publicUrl,
    }: {
      readonly accounts: BrowserAccounts;
      readonly core: OpenIdHost;
      readonly interactions: Interactions;
      readonly publicUrl: string;
    },
    inInteraction: InInteraction,
  ) {
    this.#host = host;
    this.#interactions = interactions;
    this.#accounts = accounts;
    this.#core = core;
    this.#inInteraction = inInteraction;
    this.publicUrl = publicUrl;
    this.secrets = host.deriveSecrets("oidc pages");
    this.clock = host.clock;
    this.random = host.random;
    this.basePath = new URL(publicUrl).pathname.replace(/\/$/, "");
  }

  get api(): InteractionHost["api"] {
    return this.#host.as(pageReader);
  }

  /** Handles a request outside of the provider's routes. */
  handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    return this.#interactions.handle(request, this);
  }

  readonly render = (page: ProviderPage, request: ApiRequest): Promise<ApiResponse> =>
    this.#interactions.show(page, request, this);

  /** Shows a page instead of a library page. */
  async show(ctx: KoaContextWithOIDC, page: ProviderPage): Promise<void> {
    const { request, tenant } = currentExchange();
    const { client, params } = ctx.oidc;
    const uiLocales = typeof params?.ui_locales === "string" ? params.ui_locales : undefined;
    const shown = await this.render({ ...page, tenantId: tenant.id, applicationId: client?.clientId, uiLocales }, request);
    ctx.status = shown.status;
    for (const [name, value] of Object.entries(shown.headers)) ctx.set(name, value);
    ctx.body = shown.body;
  }

  /** Whether the current browser has sessions beside the current one. */
  hasAccounts(): Promise<boolean> {
    return this.#accounts.hasOthers(currentExchange());
  }

  /** Returns the response to a logout; if sessions of applications must end first, a page that does so. */
  async finishLogout(exchange: Exchange, answer: ApiResponse): Promise<ApiResponse> {
    const { core, logout, request, tenant } = exchange;
    if (logout === undefined || answer.status !== 303) return answer;
    const { applicationIds, response } = await this.#accounts.endOthers(exchange, answer);
    const ended = new Set([...logout.applicationIds, ...applicationIds]);
    const clients = await Promise.all([...ended].map((id) => core.findClient(id)));
    const frames = clients.flatMap((client) =>
      client?.settings.logoutURL && client.settings.logoutBehavior === "AllApplications" ? [client.settings.logoutURL] : [],
    );
    if (frames.length === 0) return response;
    const { location, ...headers } = response.headers;
    const next = String(location ?? "");
    const isOwn = next.startsWith(this.publicUrl);
    const page = await this.render({ kind: "loggedOut", tenantId: tenant.id, frames, next: isOwn ? undefined : next }, request);
    return { ...page, headers: { ...headers, ...page.headers } };
  }

  async call(
    request: ApiRequest,
    { body, isPublic = false, method, proof = this.#proofs.get(request), url }: ApiCall,
    tenantId?: string,
  ): Promise<ApiResponse> {
    const [path = "", query = ""] = url.split("?");
    const { cookie, "user-agent": userAgent, "accept-language": language } = request.headers;
    const device = /(?:^|;\s*)(device=[^;]*)/.exec(String(cookie ?? ""))?.[1];
    const tenantHeader = tenantId === undefined ? {} : { [this.#host.tenantHeaderName.toLowerCase()]: tenantId };
    const headers = {
      ...forwarded(request),
      ...tenantHeader,
      "accept-language": language,
      "user-agent": userAgent,
      cookie: device,
      "latchkey-proof": proof,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const { basePath, isEncrypted, remoteAddress } = request;
    const text = body === undefined ? undefined : ({ kind: "text", text: JSON.stringify(body) } as const);
    const sent: ApiRequest = { method, path, query, headers, basePath, isEncrypted, remoteAddress, body: text };
    const answer = await this.#host.serve(sent, isPublic ? undefined : toVisitor(tenantId));
    const proven = answer?.headers["latchkey-proof"];
    if (typeof proven === "string") this.#proofs.set(request, proven);
    return answer ?? { status: 404, headers: {}, body: "" };
  }

  readForm(request: ApiRequest): Promise<URLSearchParams> {
    return readPageForm(this.#host, request);
  }

  find(request: ApiRequest): Promise<Interaction | undefined> {
    return this.#inInteraction(request, async ({ tenant }, known) => {
      const found = await findInteraction(known);
      if (found === undefined) return undefined;
      const accounts = found.prompt.name === "select_account" ? await this.#accounts.list(known) : [];
      return { ...toInteraction(found, tenant.id), accounts };
    });
  }

  findEnded(request: ApiRequest): Promise<EndedInteraction | undefined> {
    return explainEnd(request, this.#inInteraction, {
      core: this.#core,
      publicUrl: new URL(this.publicUrl),
      sealer: this,
    });
  }

  findAnswer(request: ApiRequest, { name, tenantId }: AnswerName): Promise<ApiResponse | undefined> {
    return findFormAnswer(this.#core.begin(tenantId, request), name, this.clock());
  }

  saveAnswer(request: ApiRequest, { name, tenantId }: AnswerName, answer: ApiResponse): Promise<void> {
    return saveFormAnswer(this.#core.begin(tenantId, request), name, { answer, now: this.clock() });
  }

  login(request: ApiRequest, result: LoginResult): Promise<ApiResponse> {
    const { userId } = result;
    return this.#finish(request, ["login", "select_account"], async (found) => {
      const { core, tenant, unit } = currentExchange();
      const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId: undefined });
      if (user === undefined) throw notFound();
      // The browser may have another session meanwhile, or none.
      found.session = undefined;
      return { login: toLibraryLogin(user, { proof: this.#proofs.get(request), ...result }), select_account: {} };
    });
  }

  select(request: ApiRequest, userId: string): Promise<ApiResponse> {
    return this.#finish(request, ["select_account"], async (found, known) => {
      if (!(await this.#accounts.select(known, found, userId))) throw notFound();
      return { select_account: {} };
    });
  }

  consent(request: ApiRequest, scopes?: readonly string[]): Promise<ApiResponse> {
    return this.#finish(request, ["consent"], (found, { provider }) => grantScopes(provider, found, scopes));
  }

  abort(request: ApiRequest, reason: AbortedInteraction = {}): Promise<ApiResponse> {
    const { error = "access_denied", error_description = "the user ended the login" } = reason;
    return this.#finish(request, undefined, async (found) => {
      found.session = undefined;
      return { error, error_description };
    });
  }

  async #finish(
    request: ApiRequest,
    prompts: readonly Interaction["prompt"][] | undefined,
    toResult: (found: LibraryInteraction, known: InteractionContext) => Promise<InteractionResults>,
  ): Promise<ApiResponse> {
    const headers = await this.#inInteraction(request, async (_exchange, known) => {
      const found = await findInteraction(known);
      if (found === undefined || prompts?.includes(toPrompt(found)) === false) return undefined;
      const result = await toResult(found, known);
      found.result = "error" in result ? result : { ...found.lastSubmission, ...result };
      await found.persist();
      const location = found.returnTo;
      const cookies = [known.outgoing.getHeader("set-cookie") ?? []].flat().map(String);
      return { location, ...(cookies.length > 0 && { "set-cookie": cookies }) };
    });
    if (headers === undefined) {
      const { answer } = (await this.findEnded(request)) ?? {};
      if (answer === undefined) throw notFound();
      return answer;
    }
    return { status: 303, headers: { "cache-control": "no-store", ...headers }, body: "" };
  }
}

function toInteraction(found: LibraryInteraction, tenantId: string): Omit<Interaction, "accounts"> {
  const { params, prompt, session, uid } = found;
  const texts = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const amr = session !== undefined && "amr" in session && Array.isArray(session.amr) ? session.amr.map(String) : [];
  return {
    uid,
    prompt: toPrompt(found),
    reasons: prompt.reasons,
    tenantId,
    applicationId: String(params.client_id),
    params: Object.fromEntries(texts),
    session: session && { userId: session.accountId, amr },
    missingScopes: findMissingScopes(found),
  };
}

// The address of a browser behind the host's trusted proxies.
function forwarded({ headers }: ApiRequest): ApiRequest["headers"] {
  return { host: headers.host, "x-forwarded-for": headers["x-forwarded-for"] };
}

function notFound(): IdentityError {
  return new IdentityError(404, {});
}
