import type { ApiRequest, ApiResponse } from "latchkey";
import { StaleVersion, UniqueViolation } from "latchkey/ports";
import type { EndedInteraction } from "../interactions.js";
import { currentExchange, type Exchange } from "./exchange.js";
import type { InteractionContext } from "./interaction-context.js";

/** The model of the answers that ended interactions, by the ids of these. */
export const endedModel = "EndedInteraction";

/** So long a browser that goes back learns what its login led to, in seconds. */
const keptSeconds = 3_600;

interface EndedContent {
  readonly answer: ApiResponse;
  readonly applicationId?: string | undefined;
  /** The code in the answer. */
  readonly code: string;
  readonly startUrl?: string | undefined;
}

/** The id of the interaction that a request comes back from; undefined for another request. */
function findResumedId({ path }: { readonly path: string }): string | undefined {
  return /^(?:\/[\da-fA-F-]{36})?\/oauth2\/authorize\/([\w-]+)$/.exec(path)?.[1];
}

/**
 * Stores the answer that ends an interaction: a browser that sends its last form twice gets it again. So one that was canceled, such as by a
 * second click, leads nowhere else.
 */
export function saveEndedInteraction({ client, request, unit }: Exchange, { body, headers, status }: ApiResponse): void {
  const uid = findResumedId(request);
  const location = String(headers.location ?? "");
  const [, code] = /[?&#]code=([\w-]+)/.exec(location) ?? [];
  if (uid === undefined || code === undefined || status !== 303) return;
  const content: EndedContent = {
    answer: { status, headers, body },
    applicationId: client?.id,
    code,
    startUrl: startOf(location),
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
  if (cookies.get(provider.cookieName(cookie), { signed: true }) !== uid) return undefined;
  const ended = (await unit.find(endedModel, uid)) as EndedContent | undefined;
  if (ended === undefined) return undefined;
  const { answer, applicationId, code, startUrl } = ended;
  const found = await unit.find("AuthorizationCode", code);
  const isOpen = found !== undefined && found.consumed === undefined && Number(found.exp) * 1_000 > core.clock();
  return { applicationId, startUrl, answer: isOpen ? answer : undefined };
}

/** Returns the answer to a browser that comes back from an interaction once more; undefined for another request. */
export async function findStoredAnswer(
  request: ApiRequest,
  toContext: (uid: string) => InteractionContext,
): Promise<ApiResponse | undefined> {
  const uid = findResumedId(request);
  if (uid === undefined || (await currentExchange().unit.find("Interaction", uid)) !== undefined) return undefined;
  return (await findEnded(toContext(uid), "resume"))?.answer;
}

// The page that a login leads back to cannot be opened again without another code.
function startOf(location: string): string | undefined {
  const { origin, protocol } = new URL(location);
  return protocol === "https:" || protocol === "http:" ? `${origin}/` : undefined;
}

/** The model of the answers to forms of pages. */
const formAnswerModel = "FormAnswer";

/** So long a form that is sent again gets the same answer, in seconds. */
const formAnswerSeconds = 60;

/** Returns the answer that a form got; undefined after a minute. */
export async function findFormAnswer(unit: Exchange["unit"], name: string, now: number): Promise<ApiResponse | undefined> {
  const found = await unit.find(formAnswerModel, name);
  return Number(found?.until) > now ? (found?.answer as ApiResponse) : undefined;
}

/** Stores the answer to a form for a minute. */
export async function saveFormAnswer(
  unit: Exchange["unit"],
  name: string,
  { answer, now }: { readonly answer: ApiResponse; readonly now: number },
): Promise<void> {
  unit.upsert(formAnswerModel, name, { answer, until: now + formAnswerSeconds * 1_000 }, formAnswerSeconds);
  await unit.commit().catch((error: unknown) => {
    // Another process answered the same form at the same time.
    if (!(error instanceof StaleVersion || error instanceof UniqueViolation)) throw error;
  });
}
