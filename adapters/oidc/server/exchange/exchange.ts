import { AsyncLocalStorage } from "node:async_hooks";
import type { ApiRequest, Random } from "latchkey/ports";
import type { OpenIdClient, OpenIdHost, OpenIdTenant, OpenIdUnit } from "latchkey/types";
import type { AuthenticationMethod } from "../../http/client-authentication.js";

/** One request to the provider, and what is known of it. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly tenant: OpenIdTenant;
  readonly core: OpenIdHost;
  readonly unit: OpenIdUnit;
  readonly random: Random;
  /** The application that asks, where the request names one of the tenant; set when the library first looks for it. */
  client?: OpenIdClient | undefined;
  /** The parameters of the query or of the form. */
  readonly params: URLSearchParams;
  /** How the client proves itself, by the methods of the library. */
  readonly authentication: AuthenticationMethod;
  /** How the user logged in: what the session, the login or the code says that the request is about. */
  authenticationType?: string | undefined;
  /** How and when the user proved who they are: what the same says. The core reads it. */
  proof?: unknown;
  /** Whether the code of a device was typed that does not exist. */
  isUnknownCode?: boolean;
  /** Why the library refused the request. */
  refusal?: string | undefined;
  /** The applications of a session that a logout ended. */
  logout?: { readonly applicationIds: readonly string[] };
}

/** Finds the exchange that code of the library runs in. */
export const exchanges: AsyncLocalStorage<Exchange> = new AsyncLocalStorage<Exchange>();

/** Returns the exchange at hand. @throws Error outside of one. */
export function currentExchange(): Exchange {
  const exchange = exchanges.getStore();
  if (exchange === undefined) throw new Error("The provider is called for requests alone.");
  return exchange;
}
