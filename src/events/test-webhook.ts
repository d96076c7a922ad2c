import { fieldError, generalError } from "../errors/identity-error.js";
import type { OperationCall } from "../operations/operation.js";
import { requireId } from "../operations/record-steps.js";
import type { OperationResult } from "../transport/write-response.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { valueAt } from "../values/value-at.js";
import { callWebhook } from "./call-webhook.js";

const defaultMessage = "A test of this webhook.";
const maxMessageLength = 10_000;

/**
 * POST: sends the event `test` to a webhook at once, and tells what came of it. It is not logged (facts.md 3.6).
 * @throws IdentityError 404 for an unknown webhook; 400 for a message that is none, and for a dry run.
 */
export async function testWebhook(call: OperationCall): Promise<OperationResult> {
  if (call.isDryRun) throw fieldError("invalid", "dryRun", "What is sent cannot be undone.");
  const webhookId = requireId(call, "webhookId");
  const message = readMessage(call);
  const { clock, newId } = call.service.runtime;
  const [id, startInstant] = [newId(), clock()];
  const event = { createInstant: startInstant, id, message, type: "test" };
  const result = await callWebhook(call.service, webhookId, { id, event: { event } });
  if (result.isGone) throw generalError("notFound");
  const { exception, isDelivered, statusCode, url } = result;
  const webhookAttemptLog = {
    attemptResult: isDelivered ? "Success" : "Failure",
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
