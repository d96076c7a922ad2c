import type { RequestForm } from "../http/form.js";
import type { Delay } from "../http/refusals.js";
import type { FoundRoute } from "../http/routes.js";

/** What a request is refused with that the library does not see. */
export interface Refusal extends Partial<Delay> {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** A request that leads to no tenant. */
export const unknownClient: Refusal = { status: 400, error: "invalid_client", description: "the client is unknown" };

/** A request whose parameters take too much room. */
export const tooLong: Refusal = { status: 400, error: "invalid_request", description: "the parameters are longer than 16 KiB" };

/** One of too many requests. */
export const tooMany: Refusal = {
  status: 429,
  error: "temporarily_unavailable",
  description: "too many requests, try again later",
};

/** Anybody can begin a login: what is stored of one is bounded. */
const maxStartLength = 16_384;

/** Whether the parameters of a request that is stored take too much room. */
export function isTooLong({ name }: FoundRoute, { params }: RequestForm): boolean {
  return (name === "authorization" || name === "device_authorization") && params.toString().length > maxStartLength;
}
