import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { SendSms, SmsMessage } from "../../ports/event-transport.js";
import { trySend } from "../outbox/try-send.js";

/** Sends a text message for somebody who waits, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when it was not taken. */
export async function sendAtOnce(call: OperationCall, send: SendSms, message: SmsMessage): Promise<void> {
  if (call.isDryRun) return;
  const outcome = await trySend(send, () => message);
  if (outcome.kind === "ok") return;
  throw generalError("smsFailed", undefined, { cause: new Error(`The text message was not sent: ${outcome.reason}`) });
}
