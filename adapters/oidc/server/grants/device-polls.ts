import type { ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "../../http/routes.js";
import type { Exchange } from "../exchange/exchange.js";
import { expiredDeviceSeconds } from "./record-adapter.js";

/** The polling interval of a device, in seconds, and its increase after each early poll (RFC 8628, 3.5). */
export const pollSeconds = 5;

/** The tolerance for early polls, in milliseconds: timers and networks are inexact. */
const toleranceMs = 1_000;

/** Answers a poll before the user's decision: `slow_down` for an early one, which also increases the interval. */
export async function answerPoll(exchange: Exchange, { name }: FoundRoute, response: ApiResponse): Promise<ApiResponse> {
  const { core, params, unit } = exchange;
  const code = params.get("device_code");
  if (name !== "token" || code === null || !isPending(response)) return response;
  const content = await unit.find("DeviceCode", code);
  if (content === undefined) return response;
  const { interval = pollSeconds, polledInstant } = content as PolledCode;
  const now = core.clock();
  const isEarly = polledInstant !== undefined && now - polledInstant < interval * 1_000 - toleranceMs;
  const next = isEarly ? interval + pollSeconds : interval;
  const polled: PolledCode = { interval: next, polledInstant: now };
  const leftSeconds = Number(content.exp) - Math.floor(now / 1_000);
  unit.upsert("DeviceCode", code, { ...content, ...polled }, leftSeconds + expiredDeviceSeconds);
  if (!isEarly) return response;
  const error_description = `wait ${next} seconds between two polls`;
  return { ...response, body: JSON.stringify({ error: "slow_down", error_description }) };
}

/** The polling state in the record of a device code. */
interface PolledCode {
  /** In seconds. */
  readonly interval?: number;
  /** The last poll, in epoch milliseconds. */
  readonly polledInstant?: number;
}

function isPending({ body, status }: ApiResponse): boolean {
  return status === 400 && (JSON.parse(body) as { readonly error?: string }).error === "authorization_pending";
}
