import type { ProtocolHost } from "latchkey/ports";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import type { CookieRules } from "../../http/cookies.js";
import type { ProviderPage } from "../../http/interactions.js";
import { findAccount } from "../exchange/policy.js";
import { showDeviceCode } from "./devices.js";
import { formOf } from "./library-form.js";

/** What a provider needs beside its tenant. */
export interface ProviderParts {
  readonly host: ProtocolHost;
  readonly cookies: CookieRules;
  readonly pages: ProviderPages;
}

/** The pages of sign-in, as the library needs them. */
export interface ProviderPages {
  /** Shows a page in place of one of the library's. */
  readonly show: (ctx: KoaContextWithOIDC, page: ProviderPage) => Promise<void>;
  /** Whether the browser of the exchange at hand has sessions beside the one at hand. */
  readonly hasAccounts: () => Promise<boolean>;
}

/** The features of the library, with our pages. */
export function createLibraryOptions({ pages }: ProviderParts): Configuration["features"] {
  const on = { enabled: true };
  const off = { enabled: false };
  return {
    backchannelLogout: on,
    claimsParameter: on,
    // The core answers it, for entities.
    clientCredentials: on,
    dPoP: on,
    devInteractions: off,
    deviceFlow: {
      ...on,
      userCodeInputSource: (ctx, _form, _out, error) => showDeviceCode(ctx, pages, error),
      userCodeConfirmSource: (ctx, _form, _client, _device, userCode) => {
        const fields = { user_code: userCode, confirm: "yes" };
        return pages.show(ctx, { kind: "deviceConfirm", form: formOf(ctx, "code_verification", fields), userCode });
      },
      successSource: (ctx) => pages.show(ctx, { kind: "deviceDone" }),
    },
    introspection: { ...on, allowedPolicy: isLiveToken },
    pushedAuthorizationRequests: on,
    resourceIndicators: off,
    revocation: { ...on, allowedPolicy: isOwnToken },
    rpInitiatedLogout: {
      ...on,
      logoutSource: (ctx) => pages.show(ctx, { kind: "logout", form: formOf(ctx, "end_session_confirm") }),
      postLogoutSuccessSource: (ctx) => pages.show(ctx, { kind: "loggedOut", frames: [] }),
    },
    userinfo: on,
  };
}

// A refresh token is its client's alone.
function isOwnToken(
  _ctx: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId?: string | undefined },
): boolean {
  return token.clientId === client.clientId;
}

async function isLiveToken(ctx: KoaContextWithOIDC, client: { readonly clientId: string }, token: OwnedToken): Promise<boolean> {
  if (!isOwnToken(ctx, client, token)) return false;
  return token.accountId === undefined || (await findAccount(ctx, token.accountId, token)) !== undefined;
}

interface OwnedToken {
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly kind?: string | undefined;
}
