import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { BrowserAccounts } from "../exchange/browser-accounts.js";
import type { Exchange } from "../exchange/exchange.js";
import type { InteractionContext } from "../exchange/interaction-context.js";
import { endStaleHeldLogin, endStaleLogin } from "../exchange/policy.js";
import { findPendingId } from "./ended-interactions.js";

/** A request for the library, and additional cookies of its response. */
interface ResumedLogin {
  readonly request: ApiRequest;
  readonly cookies: readonly string[];
}

/**
 * Hides the session of another user from a request that returns from a login; that session may have started while the page was
 * open. The library would end it with its own form, which also contains the new user's proof.
 */
export async function resumeLogin(
  request: ApiRequest,
  { accounts, sessionName }: { readonly accounts: BrowserAccounts; readonly sessionName: string },
  toContext: (uid: string) => InteractionContext,
): Promise<ResumedLogin> {
  const uid = findPendingId(request);
  const way = uid === undefined ? undefined : await accounts.makeWay(toContext(uid));
  const { cookies = [], isOther = false } = way ?? {};
  return { request: isOther ? withoutCookie(request, sessionName) : request, cookies };
}

/** Adds cookies to a response. */
export function addCookies(response: ApiResponse, cookies: readonly string[]): ApiResponse {
  if (cookies.length === 0) return response;
  const all = [response.headers["set-cookie"] ?? [], cookies].flat(2);
  return { ...response, headers: { ...response.headers, "set-cookie": all } };
}

function withoutCookie(request: ApiRequest, name: string): ApiRequest {
  const all = String(request.headers.cookie ?? "").split(/;\s*/);
  const others = all.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`));
  return { ...request, headers: { ...request.headers, cookie: others.join("; ") } };
}

/** Ends the browser's session and its pending login, if they have expired. */
export async function endStaleLogins({ request }: Exchange, sessionName: string): Promise<void> {
  const uid = findPendingId(request);
  if (uid !== undefined) await endStaleHeldLogin(uid);
  const cookies = String(request.headers.cookie ?? "").split(/;\s*/);
  const session = cookies.find((cookie) => cookie.startsWith(`${sessionName}=`))?.slice(sessionName.length + 1);
  if (session !== undefined) await endStaleLogin(session);
}
