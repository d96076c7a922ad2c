import { lazily } from "../../shared/async.js";
import type { RecordedEvent } from "../events/recorded-event.js";
import type { WebhookKeys, WebhookMessage } from "./webhook-message.js";

// Loaded with the first event, so that a process that only sends skips it.
const loadCheck = lazily(() => import("./check-signature.js"));

/**
 * The event that a request holds, once its signature is checked (docs/reference/webhooks.md#signature). The same event may come more than once, with the same id.
 * @throws WebhookVerificationError for a message that the service did not send recently; TypeError when no key is given.
 */
export async function verifyWebhook(message: WebhookMessage, keys: WebhookKeys): Promise<RecordedEvent> {
  if (keys.secret === undefined && keys.jwks === undefined) throw new TypeError("verifyWebhook needs a secret or jwks.");
  return (await loadCheck()).checkSignature(message, keys);
}
