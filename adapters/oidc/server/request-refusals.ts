import type { RequestForm } from "../http/form.js";
import type { Delay } from "../http/refusals.js";
import type { FoundRoute } from "../http/routes.js";

/** A refusal before the library sees the request. */
export interface Refusal extends Partial<Delay> {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** A request without a known tenant. */
export const unknownClient: Refusal = { status: 400, error: "invalid_client", description: "the client is unknown" };

/** A request with too long parameters. */
export const tooLong: Refusal = { status: 400, error: "invalid_request", description: "the parameters are longer than 16 KiB" };

/** A throttled request. */
export const tooMany: Refusal = {
  status: 429,
  error: "temporarily_unavailable",
  description: "too many requests, try again later",
};

/** Anyone can start a login, so its stored size is limited. */
const maxStartLength = 16_384;

/** Whether the stored parameters of a request are too long. */
export function isTooLong({ name }: FoundRoute, { params }: RequestForm): boolean {
  return (name === "authorization" || name === "device_authorization") && params.toString().length > maxStartLength;
}
