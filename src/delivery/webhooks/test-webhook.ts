import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { requireId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { webhooksTable } from "../../records/webhooks/family.js";
import { valueAt } from "../../shared/objects.js";
import { createWebhookCaller } from "./call-webhook.js";

const defaultMessage = "A test of this webhook.";
const maxMessageLength = 10_000;

/**
 * POST: sends the event `test` to a webhook at once, and returns the result. It is not logged
 * (docs/reference/events.md#event-log). A dry run sends nothing, so its result is unknown. @throws IdentityError 404 for an
 * unknown webhook; 400 for an invalid message.
 */
export async function testWebhook(call: OperationCall): Promise<OperationResult> {
  const webhookId = requireId(call, "webhookId");
  const message = readMessage(call);
  const { clock, newId } = call.service.runtime;
  const [id, startInstant] = [newId(), clock()];
  const event = { createInstant: startInstant, id, message, type: "test" };
  if ((await call.reader.retrieve(globalScope, webhooksTable, webhookId)) === undefined) throw generalError("notFound");
  const result = call.isDryRun
    ? undefined
    : await createWebhookCaller(call.service)(webhookId, { id, body: toCanonicalJson({ event }) });
  const { exception, isDelivered, statusCode, url } = result ?? {};
  const webhookAttemptLog = {
    attemptResult: isDelivered === undefined ? "Unknown" : isDelivered ? "Success" : "Failure",
    data: {},
    endInstant: clock(),
    startInstant,
    webhookCallResponse: { exception, statusCode, url },
    webhookId,
  };
  return { status: 200, json: toCanonicalJson({ webhookAttemptLog }) };
}

function readMessage({ body }: OperationCall): string {
  const message = valueAt(body, "message") ?? defaultMessage;
  if (typeof message !== "string") throw fieldError("invalidJSON", "message");
  if (message.length > maxMessageLength) throw fieldError("tooLong", "message");
  return message;
}
