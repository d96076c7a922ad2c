import { AsyncLocalStorage } from "node:async_hooks";
import type { ApiRequest, Random } from "latchkey/ports";
import type { OpenIdClient, OpenIdHost, OpenIdTenant, OpenIdUnit } from "latchkey/types";
import type { AuthenticationMethod } from "../../http/client-authentication.js";

/** One request to the provider, with its state. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly tenant: OpenIdTenant;
  readonly core: OpenIdHost;
  readonly unit: OpenIdUnit;
  readonly random: Random;
  /** The application of the request, if it belongs to the tenant; set when the library first looks for it. */
  client?: OpenIdClient | undefined;
  readonly params: URLSearchParams;
  readonly authentication: AuthenticationMethod;
  /** The login method of the session, login or code in the request. */
  authenticationType?: string | undefined;
  /** The authentication methods and instants of the same. The core reads it. */
  proof?: unknown;
  /** Whether the request has an unknown device code. */
  isUnknownCode?: boolean;
  /** The reason of the library's refusal. */
  refusal?: string | undefined;
  /** The applications of a session that a logout ended. */
  logout?: { readonly applicationIds: readonly string[] };
}

/** The exchange of the running library code. */
export const exchanges: AsyncLocalStorage<Exchange> = new AsyncLocalStorage<Exchange>();

/** Returns the current exchange. @throws Error outside of one. */
export function currentExchange(): Exchange {
  const exchange = exchanges.getStore();
  if (exchange === undefined) throw new Error("The provider is called for requests alone.");
  return exchange;
}
