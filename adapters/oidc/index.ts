import type { Protocol } from "latchkey/operations";
import type { Interactions } from "./interactions.js";

export type {
  AbortedInteraction,
  ApiCall,
  Interaction,
  InteractionHost,
  Interactions,
  LoginResult,
  ProviderForm,
  ProviderPage,
} from "./interactions.js";

/** Options of {@link oidc}. */
export interface OidcOptions {
  /** The pages of sign-in. */
  readonly interactions: Interactions;
}

/**
 * An OpenID provider and OAuth 2.0 authorization server, with one issuer for each tenant and its applications as clients:
 * `createIdentityService({ storage, publicUrl, protocols: [oidc({ interactions })] })`. It answers below `/oauth2` and the discovery paths, and needs the
 * option `publicUrl` and the package `oidc-provider`. It is loaded with its first request.
 */
export function oidc({ interactions }: OidcOptions): Protocol {
  const own = ["/oauth2", "/:tenantId/oauth2"];
  const wellKnown = ["openid-configuration", "oauth-authorization-server"].map((name) => `/.well-known/${name}`);
  return {
    name: "oidc",
    path: [...own, ...wellKnown, ...wellKnown.map((path) => `/:tenantId${path}`), ...(interactions.paths ?? [])],
    start: async (host) => (await import("./server/create-server.js")).createOidcServer(host, interactions),
  };
}
