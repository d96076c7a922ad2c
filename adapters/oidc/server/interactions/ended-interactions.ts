import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { EndedInteraction } from "../../http/interactions.js";
import { findStartUrl, isRegistered } from "../../http/urls.js";
import { currentExchange, type Exchange } from "../exchange/exchange.js";
import type { InteractionContext } from "../exchange/interaction-context.js";

/** The model of the answers that ended interactions, by the ids of these. */
export const endedModel = "EndedInteraction";

/** So long a browser that goes back learns what its login led to, in seconds. */
const keptSeconds = 3_600;

interface EndedContent {
  readonly answer: ApiResponse;
  readonly applicationId?: string | undefined;
  /** The code in the answer. */
  readonly code: string;
  /** Where the answer leads, as the client asked. */
  readonly redirectUri: string;
}

/** Returns the id of the interaction that a request comes back from; undefined for another request. */
export function findPendingId({ path }: { readonly path: string }): string | undefined {
  return /^(?:\/[\da-fA-F-]{36})?\/oauth2\/(?:authorize|device)\/([\w-]+)$/.exec(path)?.[1];
}

/**
 * Stores the answer that ends an interaction: a browser that sends its last form twice gets it again. So one that was canceled, such as by a
 * second click, leads nowhere else.
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
 * Returns what ended an interaction of the browser of a request, which proves by a cookie that it is the one; undefined for nothing. The
 * answer is there while its code can be redeemed: what a code gave would be revoked with its second use.
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
  // The application may be gone since, or lead elsewhere.
  if (!isRegistered(known, policy, redirectUri))
    return { reason: "finished", applicationId, startUrl: undefined, answer: undefined };
  const found = await unit.find("AuthorizationCode", code);
  const isOpen = found !== undefined && found.consumed === undefined && Number(found.exp) * 1_000 > core.clock();
  // The page that a login leads back to cannot be opened again without another code.
  return { reason: "finished", applicationId, startUrl: findStartUrl([redirectUri]), answer: isOpen ? answer : undefined };
}

// Another browser learns nothing of the interaction, and one that refuses cookies learns why it gets no further.
async function findWithoutCookie(uid: string): Promise<EndedInteraction | undefined> {
  const { core, unit } = currentExchange();
  const open = await unit.find("Interaction", uid);
  const isOpen = open !== undefined && Number(open.exp) * 1_000 > core.clock();
  return isOpen ? { reason: "cookieMissing", applicationId: undefined, startUrl: undefined, answer: undefined } : undefined;
}

/** Returns the answer to a browser that comes back from an interaction once more; undefined for another request. */
export async function findStoredAnswer(
  request: ApiRequest,
  toContext: (uid: string) => InteractionContext,
): Promise<ApiResponse | undefined> {
  const uid = findPendingId(request);
  if (uid === undefined || (await currentExchange().unit.find("Interaction", uid)) !== undefined) return undefined;
  return (await findEnded(toContext(uid), "resume"))?.answer;
}
