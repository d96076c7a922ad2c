import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

/** What the library needs to find an interaction. */
export interface InteractionContext {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The id that the path names. */
  readonly uid: string;
  readonly provider: Provider;
}

/** An interaction as the library stores it. */
export type LibraryInteraction = Awaited<ReturnType<Provider["interactionDetails"]>>;
