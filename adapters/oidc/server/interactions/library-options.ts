import type { ProtocolHost } from "latchkey/ports";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import type { CookieRules } from "../../http/cookies.js";
import type { ProviderPage } from "../../http/interactions.js";
import { findAccount } from "../exchange/policy.js";
import { showDeviceCode } from "./devices.js";
import { formOf } from "./library-form.js";

/** The parts of a provider that do not depend on its tenant. */
export interface ProviderParts {
  readonly host: ProtocolHost;
  readonly cookies: CookieRules;
  readonly pages: ProviderPages;
}

/** The login pages for the library. */
export interface ProviderPages {
  /** Shows a page instead of a library page. */
  readonly show: (ctx: KoaContextWithOIDC, page: ProviderPage) => Promise<void>;
  /** Whether the current browser has sessions beside the current one. */
  readonly hasAccounts: () => Promise<boolean>;
}

/** The features of the library, with the service's own pages. */
export function createLibraryOptions({ pages }: ProviderParts): Configuration["features"] {
  const on = { enabled: true };
  const off = { enabled: false };
  return {
    backchannelLogout: on,
    claimsParameter: on,
    // The core handles this grant, for entities.
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

// Only its own client may revoke a refresh token.
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
