import type { ApiRequest } from "latchkey/ports";
import type { EndedInteraction, Interaction } from "../../http/interactions.js";
import { findCurrentSession } from "../exchange/browser-accounts.js";
import type { Exchange } from "../exchange/exchange.js";
import type { InteractionContext, LibraryInteraction } from "../exchange/interaction-context.js";
import { findEnded } from "./ended-interactions.js";
import { findStart, type Starts } from "./interaction-starts.js";

export type { InteractionContext, LibraryInteraction } from "../exchange/interaction-context.js";

/** Runs work on the interaction of a request; undefined without one. */
export type InInteraction = <T>(
  request: ApiRequest,
  work: (exchange: Exchange, known: InteractionContext) => Promise<T>,
) => Promise<T | undefined>;

/**
 * Returns the interaction of the cookie and the path of a request. A consent must belong to the current session; a login may not,
 * since the browser may have logged in or out in another tab.
 */
export async function findInteraction(known: InteractionContext): Promise<LibraryInteraction | undefined> {
  const { incoming, outgoing, provider, uid } = known;
  const { cookies } = provider.createContext(incoming, outgoing);
  if (cookies.get(provider.cookieName("interaction"), { signed: true }) !== uid) return undefined;
  const found = await provider.Interaction.find(uid);
  if (found === undefined || toPrompt(found) !== "consent") return found;
  const session = await findCurrentSession(known);
  const isSame = session?.uid === found.session?.uid && session?.accountId === found.session?.accountId;
  return isSame ? found : undefined;
}

/** Returns why the interaction of a request has ended; undefined for an open one, and for an unknown one. */
export async function explainEnd(
  request: ApiRequest,
  inInteraction: InInteraction,
  starts: Starts,
): Promise<EndedInteraction | undefined> {
  const state = await inInteraction(
    request,
    async (_exchange, known) =>
      (await findEnded(known, "interaction")) ?? ((await findInteraction(known)) === undefined ? undefined : "open"),
  );
  if (state !== undefined) return state === "open" ? undefined : state;
  const started = await findStart(request, starts);
  return started && { reason: "expired", ...started, answer: undefined };
}

/** Returns the prompt of an interaction. */
export function toPrompt({ prompt: { name } }: LibraryInteraction): Interaction["prompt"] {
  return name === "consent" || name === "select_account" ? name : "login";
}
