import { toCanonicalJson } from "../../json/canonical-json.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { ModeratedUsername, ModerationResult, OutboundOutcome, OutboundRequest } from "../../ports/event-transport.js";
import type { ModerationIntegration } from "../../records/integrations/schema.js";
import { valueAt } from "../../shared/objects.js";
import { isGiven } from "../../shared/text.js";

const connectTimeoutMs = 2_000;
const timeoutMs = 5_000;

/** Actions on a username, by the answer of moderation (docs/reference/integrations.md#moderation). */
const actions: ReadonlyMap<unknown, ModerationResult["action"]> = new Map([
  ["allow", "allow"],
  // Only its owner may see it: it is not public yet.
  ["authorOnly", "queue"],
  ["queuedForApproval", "queue"],
  ["replace", "replace"],
  ["reject", "reject"],
]);

/**
 * Asks the moderation service about a username (docs/reference/integrations.md#moderation); undefined for an invalid answer,
 * which is logged.
 */
export async function requestModeration(
  service: ServiceContext,
  moderation: ModerationIntegration,
  content: ModeratedUsername,
): Promise<ModerationResult | undefined> {
  const request = toRequest(service, moderation, content);
  const first = await service.http.send({ ...request, method: content.isEdit ? "PUT" : "POST" });
  // Moderation did not receive the earlier request.
  const isUnknown = content.isEdit && first.kind === "answered" && first.status === 404;
  const outcome = isUnknown ? await service.http.send({ ...request, method: "POST" }) : first;
  const judgement = readJudgement(outcome);
  if (judgement === undefined)
    service.runtime.logger.error(
      { moderationId: content.moderationId, reason: reasonOf(outcome) },
      "moderation returned no decision on a username; it is queued",
    );
  return judgement;
}

function toRequest(
  { runtime }: ServiceContext,
  { apiKey, url = "", usernameModeration }: ModerationIntegration,
  { moderationId, userId, username }: ModeratedUsername,
): Omit<OutboundRequest, "method"> {
  const content = {
    applicationId: usernameModeration.applicationId,
    createInstant: runtime.clock(),
    parts: [{ content: username, name: "username", type: "text" }],
    senderDisplayName: username,
    senderId: userId,
  };
  return {
    url: `${url.replace(/\/+$/, "")}/content/item/moderate/${moderationId}`,
    headers: {
      accept: "application/json",
      "content-type": "application/json; charset=utf-8",
      ...(isGiven(apiKey) && { authorization: apiKey }),
    },
    body: toCanonicalJson({ content }),
    connectTimeoutMs,
    timeoutMs,
  };
}

function readJudgement(outcome: OutboundOutcome): ModerationResult | undefined {
  if (outcome.kind === "failed" || outcome.status < 200 || outcome.status > 299) return undefined;
  const answer = parse(outcome.body);
  const action = actions.get(valueAt(answer, "contentAction"));
  if (action !== "replace") return action && { action };
  const replacement = valueAt(answer, "content.parts.0.replacement");
  return { action, replacement: typeof replacement === "string" ? replacement : "" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(outcome: OutboundOutcome): string {
  return outcome.kind === "failed" ? outcome.reason : `status ${outcome.status}`;
}
