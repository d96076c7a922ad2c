import type { KoaContextWithOIDC } from "oidc-provider";
import { formOf } from "./library-form.js";
import type { ProviderPages } from "./library-options.js";

/**
 * Shows own pages for a logout without a session, instead of a library page that needs a script: asks about other accounts of the
 * browser, if any, else reports that the user is signed out.
 */
export async function showSignedOut(ctx: KoaContextWithOIDC, pages: ProviderPages): Promise<void> {
  const { route, session } = ctx.oidc ?? {};
  if (route !== "end_session" || session === undefined || session.accountId !== undefined || ctx.status !== 200) return;
  if (await pages.hasAccounts()) return pages.show(ctx, { kind: "logout", form: formOf(ctx, "end_session_confirm") });
  const { postLogoutRedirectUri, state } = session.state ?? {};
  const next = typeof postLogoutRedirectUri === "string" ? new URL(postLogoutRedirectUri) : undefined;
  if (typeof state === "string") next?.searchParams.set("state", state);
  await pages.show(ctx, { kind: "loggedOut", frames: [], next: next?.href });
}
