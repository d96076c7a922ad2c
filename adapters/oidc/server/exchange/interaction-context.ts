import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

/** The inputs of the library for finding an interaction. */
export interface InteractionContext {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly uid: string;
  readonly provider: Provider;
}

/** An interaction as the library stores it. */
export type LibraryInteraction = Awaited<ReturnType<Provider["interactionDetails"]>>;
