import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { EndedInteraction } from "../../http/interactions.js";
import { findStartUrl, isRegistered } from "../../http/urls.js";
import { currentExchange, type Exchange } from "../exchange/exchange.js";
import type { InteractionContext } from "../exchange/interaction-context.js";

/** The model of final responses of interactions, by interaction id. */
export const endedModel = "EndedInteraction";

/** How long a browser may see the result of its login again, in seconds. */
const keptSeconds = 3_600;

interface EndedContent {
  readonly answer: ApiResponse;
  readonly applicationId?: string | undefined;
  readonly code: string;
  readonly redirectUri: string;
}

/** Returns the id of the interaction that a request returns from; undefined for any other request. */
export function findPendingId({ path }: { readonly path: string }): string | undefined {
  return /^(?:\/[\da-fA-F-]{36})?\/oauth2\/(?:authorize|device)\/([\w-]+)$/.exec(path)?.[1];
}

/**
 * Stores the final response of an interaction, so that a browser that repeats its last form gets it again. A canceled request,
 * such as after a second click, thus leads to the same result.
 */
export async function saveEndedInteraction(
  { client, request, unit }: Exchange,
  { body, headers, status }: ApiResponse,
): Promise<void> {
  const uid = findPendingId(request);
  const location = String(headers.location ?? "");
  const [, code] = /[?&#]code=([\w-]+)/.exec(location) ?? [];
  if (uid === undefined || code === undefined || status !== 303) return;
  const content: EndedContent = {
    answer: { status, headers, body },
    applicationId: client?.id,
    code,
    redirectUri: String((await unit.find("AuthorizationCode", code))?.redirectUri),
  };
  unit.upsert(endedModel, uid, { ...content }, keptSeconds);
}

/**
 * Returns the end of an interaction for the browser that proves with a cookie that it started it; undefined for any other. The
 * response is included while its code is unused: a second use of the code would revoke its tokens.
 */
export async function findEnded(
  { incoming, outgoing, provider, uid }: InteractionContext,
  cookie: "interaction" | "resume",
): Promise<EndedInteraction | undefined> {
  const { core, unit } = currentExchange();
  const { cookies } = provider.createContext(incoming, outgoing);
  if (cookies.get(provider.cookieName(cookie), { signed: true }) !== uid) return findWithoutCookie(uid);
  const ended = (await unit.find(endedModel, uid)) as EndedContent | undefined;
  if (ended === undefined) return undefined;
  const { answer, applicationId, code, redirectUri } = ended;
  const settings = applicationId === undefined ? undefined : (await core.findClient(applicationId))?.settings;
  const { authorizedRedirectURLs: known = [], authorizedURLValidationPolicy: policy = "ExactMatch" } = settings ?? {};
  // The application may have been removed or changed since.
  if (!isRegistered(known, policy, redirectUri))
    return { reason: "finished", applicationId, startUrl: undefined, answer: undefined };
  const found = await unit.find("AuthorizationCode", code);
  const isOpen = found !== undefined && found.consumed === undefined && Number(found.exp) * 1_000 > core.clock();
  // The redirect page itself needs another code, so link to the application's start page.
  return { reason: "finished", applicationId, startUrl: findStartUrl([redirectUri]), answer: isOpen ? answer : undefined };
}

// Another browser gets no information; a browser without cookies gets the reason.
async function findWithoutCookie(uid: string): Promise<EndedInteraction | undefined> {
  const { core, unit } = currentExchange();
  const open = await unit.find("Interaction", uid);
  const isOpen = open !== undefined && Number(open.exp) * 1_000 > core.clock();
  return isOpen ? { reason: "cookieMissing", applicationId: undefined, startUrl: undefined, answer: undefined } : undefined;
}

/** Returns the stored response for a repeated return from an interaction; undefined for any other request. */
export async function findStoredAnswer(
  request: ApiRequest,
  toContext: (uid: string) => InteractionContext,
): Promise<ApiResponse | undefined> {
  const uid = findPendingId(request);
  if (uid === undefined || (await currentExchange().unit.find("Interaction", uid)) !== undefined) return undefined;
  return (await findEnded(toContext(uid), "resume"))?.answer;
}
