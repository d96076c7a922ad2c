import { assertKnownOptions } from "latchkey";
import { findPackage, type Protocol } from "latchkey/ports";
import { lazily } from "../internal/async.js";
import type { Interactions } from "./http/interactions.js";
import { createPages } from "./pages/create-pages.js";

export type {
  AbortedInteraction,
  AnswerName,
  ApiCall,
  BrowserAccount,
  EndedInteraction,
  Interaction,
  InteractionHost,
  Interactions,
  LoginResult,
  ProviderForm,
  ProviderPage,
} from "./http/interactions.js";
export { type OpenIdConnectLoginOptions, openIdConnectLogins, type ProviderEndpoints } from "./logins/open-id-connect-logins.js";
export * from "./pages/index.js";

const loadServer = lazily(() => import("./server/create-server.js"));

/** Options of {@link oidc}. */
export interface OidcOptions {
  /** The login pages: your own, or `createPages({ theme })`. Default: the built-in pages. */
  readonly interactions?: Interactions | undefined;
}

/**
 * An OpenID provider and OAuth 2.0 authorization server, with one issuer per tenant and its applications as clients:
 * `createIdentityService({ storage, publicUrl, protocols: [oidc()] })`. It serves `/oauth2` and the discovery paths, and needs
 * the option `publicUrl` and the package `oidc-provider`. It loads at its first request.
 * @throws TypeError when an option is wrong.
 */
export function oidc(options: OidcOptions = {}): Protocol {
  assertKnownOptions("", options, { interactions: ["handle", "show"] });
  const { interactions = createPages() } = options;
  const wellKnown = ["openid-configuration", "oauth-authorization-server"].map((name) => `/.well-known/${name}`);
  const own = ["/oauth2", ...wellKnown].flatMap((path) => [path, `/:tenantId${path}`]);
  own.push("/.well-known/jwks.json");
  const roots = new Set([...own, ...(interactions.paths ?? [])]);
  return {
    name: "oidc",
    path: [...roots],
    needsPublicUrl: true,
    signsIdTokens: true,
    prepare,
    start: async (host) => (await loadServer()).createOidcServer(host, interactions),
  };
}

// A bundle may contain the package, which only an import can find.
async function prepare(): Promise<void> {
  try {
    findPackage(import.meta.url, "oidc-provider", "oidc()");
  } catch (error) {
    await loadServer().catch(() => {
      throw error;
    });
  }
}
