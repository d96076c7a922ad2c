import type { EventEmitter } from "node:events";
import type { RequestListener } from "node:http";
import { type KoaContextWithOIDC, Provider } from "oidc-provider";
import { formPostHeaders } from "../../internal/page-headers.js";
import { toPattern } from "../http/routes.js";
import { createConfiguration } from "./configuration.js";
import { currentExchange } from "./exchange/exchange.js";
import { noteRefusals } from "./exchange/refusal-log.js";
import { useScopePolicies } from "./grants/scopes.js";
import { useServiceTokens } from "./grants/tokens.js";
import type { ProviderParts } from "./interactions/library-options.js";
import { showSignedOut } from "./interactions/signed-out.js";

/** A provider and its request listener. */
export interface KnownProvider {
  readonly provider: Provider;
  readonly listener: RequestListener;
}

/** An error event of the library's server: exposed to the client, or a failure. */
interface HttpError {
  readonly expose: boolean;
}

/** The most cached providers. One takes some hundred kilobytes. */
const maxProviders = 500;

/** Providers by tenant, each created at its first request and reused while the tenant's issuer and keys stay the same. */
export class Providers {
  readonly #parts: ProviderParts;
  readonly #known = new Map<string, KnownProvider>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  /** Returns the provider for the tenant of the current exchange. */
  find(): KnownProvider {
    const { tenant } = currentExchange();
    // Another issuer or key needs another provider.
    const name = [tenant.id, tenant.issuer, ...tenant.keys.map(({ kid }) => kid)].join(" ");
    const known = this.#known.get(name) ?? this.#create(tenant.issuer);
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxProviders && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #create(issuer: string): KnownProvider {
    const provider = new Provider(issuer, createConfiguration(this.#parts));
    const { logger } = this.#parts.host;
    useServiceTokens(provider);
    useQueuedLogouts(provider);
    useScopePolicies(provider);
    provider.use(secureFormPost);
    provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
      await next();
      await showSignedOut(ctx, this.#parts.pages);
    });
    const logFailure = (error: unknown): void => {
      const { method, path, requestId } = currentExchange().request;
      logger.error({ err: error, method, path: toPattern(path), requestId }, "the OpenID provider failed");
    };
    provider.on("server_error", (_ctx, error) => logFailure(error));
    noteRefusals(provider);
    provider.on("end_session.success", recordLogout);
    // Refused requests are normal responses, not failures of the process.
    (provider as EventEmitter).on("error", (error: Partial<HttpError>) => {
      if (error.expose !== true) logFailure(error);
    });
    return { provider, listener: provider.callback() as RequestListener };
  }
}

// The library adds the digest of its script to an existing policy; login pages have their own policy.
const foundPolicy = "script-src form-post:";

async function secureFormPost(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  ctx.set("content-security-policy", foundPolicy);
  await next();
  const policy = String(ctx.response.get("content-security-policy"));
  if (!policy.startsWith(foundPolicy)) return;
  const [scriptSource] = /'sha256-[^']+'/.exec(policy) ?? [];
  ctx.remove("content-security-policy");
  if (scriptSource !== undefined) ctx.set(formPostHeaders(scriptSource));
}

// The service itself sends logout tokens for each ended session, with retries.
function useQueuedLogouts({ Client }: Provider): void {
  Object.defineProperty(Client.prototype, "backchannelLogout", { value: queueLogout });
}

async function queueLogout(this: { readonly clientId: string }, userId: string, sid: string | undefined): Promise<void> {
  if (sid !== undefined) currentExchange().unit.endLogin({ applicationId: this.clientId, sid, userId });
}

// The user's grants end with the session.
function recordLogout(ctx: KoaContextWithOIDC): void {
  const exchange = currentExchange();
  if (exchange.params.get("logout") === null) return;
  const { authorizations = {} } = ctx.oidc.session ?? {};
  for (const { grantId } of Object.values<{ readonly grantId?: string | undefined }>(authorizations))
    if (grantId !== undefined) exchange.unit.revokeGrant(grantId);
  exchange.logout = { applicationIds: Object.keys(authorizations) };
}
