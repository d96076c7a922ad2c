import type { ServiceContext } from "../../operations/service-context.js";
import type { Webhook } from "../../resources/webhooks/schema.js";
import { isPublicAddress, literalAddress } from "../http-client/address-guard.js";
import { HttpClientOnDemand } from "../http-client/http-client-on-demand.js";

const keyOf = ({ id }: Pick<Webhook, "id">): string => `webhook.url ${id}`;

// Before its name is looked up.
function isForbiddenUrl({ allowsPrivateNetwork, http }: ServiceContext, url: string): boolean {
  // A client of the host has rules of its own.
  if (allowsPrivateNetwork || !(http instanceof HttpClientOnDemand)) return false;
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  return address === undefined ? /(?:^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(address);
}

/** Logs that a webhook gets no events since calls may not go to its address: once in this process, until it is mended. */
export function warnOfForbiddenUrl({ warnings }: ServiceContext, webhook: Pick<Webhook, "id" | "url">): void {
  const advice = "Set a public URL, or pass allowPrivateNetwork: true (npm start: LATCHKEY_ALLOW_PRIVATE_NETWORK=1).";
  const { host } = new URL(webhook.url);
  const message = `The webhook ${webhook.id} gets no events: calls may not go to ${host}, which is this machine or a private network. ${advice}`;
  warnings.warn(keyOf(webhook), { webhookId: webhook.id }, message);
}

/** Looks at the URL of a webhook that was saved, and logs where calls may not go. */
export function reportForbiddenUrl(service: ServiceContext, webhook: Pick<Webhook, "id" | "url">): void {
  if (isForbiddenUrl(service, webhook.url)) warnOfForbiddenUrl(service, webhook);
  else service.warnings.forget(keyOf(webhook));
}
