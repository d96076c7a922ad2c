import type { ApiResponse } from "latchkey";
import type { Exchange } from "./exchange.js";
import { pollSeconds } from "./grants/device-polls.js";
import type { FoundRoute } from "./routes.js";

/**
 * Returns the answer to a device with how long it waits between two polls, and with the page of its application in place of that of the service,
 * where the settings name one.
 */
export function describeDevice({ name }: FoundRoute, { client }: Pick<Exchange, "client">, response: ApiResponse): ApiResponse {
  if (name !== "device_authorization" || response.status !== 200) return response;
  const answer: { readonly user_code: string } = JSON.parse(response.body);
  return { ...response, body: JSON.stringify({ ...answer, ...pageOf(client, answer.user_code), interval: pollSeconds }) };
}

function pageOf(client: Exchange["client"], userCode: string): object {
  const page = client?.settings.deviceVerificationURL;
  if (!page) return {};
  const complete = new URL(page);
  complete.searchParams.set("user_code", userCode);
  return { verification_uri: page, verification_uri_complete: complete.href };
}
