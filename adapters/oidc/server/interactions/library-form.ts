import type { KoaContextWithOIDC } from "oidc-provider";
import type { ProviderForm } from "../../http/interactions.js";

/** Returns a form of the library, with its anti-forgery token. */
export function formOf(ctx: KoaContextWithOIDC, route: string, fields: Readonly<Record<string, string>> = {}): ProviderForm {
  const { pathname } = new URL(ctx.oidc.urlFor(route));
  const { secret } = ctx.oidc.session?.state ?? {};
  return { action: pathname, fields: { ...fields, xsrf: String(secret) } };
}
