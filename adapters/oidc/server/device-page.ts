import type { ApiResponse } from "latchkey";
import type { Exchange } from "./exchange.js";
import type { FoundRoute } from "./routes.js";

/** Returns the answer to a device with the page of its application in place of that of the service, where the settings name one. */
export function withDevicePage({ name }: FoundRoute, { client }: Pick<Exchange, "client">, response: ApiResponse): ApiResponse {
  const page = client?.settings.deviceVerificationURL;
  if (name !== "device_authorization" || response.status !== 200 || !page) return response;
  const answer: { readonly user_code: string } = JSON.parse(response.body);
  const complete = new URL(page);
  complete.searchParams.set("user_code", answer.user_code);
  const shown = { ...answer, verification_uri: page, verification_uri_complete: complete.href };
  return { ...response, body: JSON.stringify(shown) };
}
