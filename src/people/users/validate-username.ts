import { findUsernameModeration } from "../../delivery/integrations/rules.js";
import { fieldError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import type { ModeratedUsername, ModerateUsername, ModerationResult } from "../../ports/event-transport.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { Username, ValidatedUsername } from "../../records/users/username-status.js";
import { requestModeration } from "./request-moderation.js";

interface UsernameOwner {
  readonly path: string;
  readonly userId: string;
  readonly applicationId?: string | undefined;
  /** The current record; undefined for a new one. */
  readonly stored?: StoredRecord | undefined;
  /** The result for the same call's username before. */
  readonly earlier?: ValidatedUsername | undefined;
}

const maxReplacementLength = 191;

const free = { usernameStatus: "ACTIVE" } as const;

/**
 * Sends a new username to moderation (docs/reference/integrations.md#moderation), before the transaction that stores it. An unchanged
 * username keeps its state. Skips dry runs, and calls where a transaction would wait. Without an answer, queues the username.
 * @throws IdentityError 400 `[moderationRejected]`.
 */
export async function validateUsername(
  call: OperationCall,
  username: string | undefined,
  owner: UsernameOwner,
): Promise<ValidatedUsername> {
  const { applicationId, earlier, stored, userId } = owner;
  const asked = username === "" ? undefined : username;
  const current = stored && parseRecord<Username>(stored);
  if (asked !== undefined && asked === current?.username)
    return { asked, username: asked, usernameStatus: current.usernameStatus, moderationId: current.moderationId };
  const moderate = asked === undefined ? undefined : await findModeration(call);
  if (asked === undefined || moderate === undefined) return { asked, username: asked, ...free };
  if (earlier?.asked === asked) return earlier;
  const moderationId = current?.moderationId ?? call.service.runtime.newId();
  const waiting = { asked, username: asked, usernameStatus: "PENDING", moderationId } as const;
  if ("tx" in call || isInsideHost(call) || call.isDryRun) return waiting;
  const isEdit = current?.moderationId !== undefined;
  const judgement = await ask(call, moderate, { username: asked, userId, applicationId, moderationId, isEdit });
  if (judgement === undefined || judgement.action === "queue") return waiting;
  if (judgement.action === "allow") return { ...waiting, ...free };
  if (judgement.action === "replace" && isUsable(judgement.replacement))
    return { ...waiting, ...free, username: judgement.replacement.trim() };
  throw fieldError("moderationRejected", owner.path);
}

// The host's own function, else the integration; undefined without both.
async function findModeration({ reader, service }: OperationCall): Promise<ModerateUsername | undefined> {
  if (service.moderateUsername !== undefined) return service.moderateUsername;
  const moderation = await findUsernameModeration(service, reader);
  return moderation && ((content) => requestModeration(service, moderation, content));
}

async function ask(
  { service }: OperationCall,
  moderate: ModerateUsername,
  content: ModeratedUsername,
): Promise<ModerationResult | undefined> {
  try {
    return await moderate(content);
  } catch (error) {
    service.runtime.logger.error(
      { err: error, moderationId: content.moderationId },
      "moderation of a username failed; it is queued",
    );
    return undefined;
  }
}

function isUsable(text: string): boolean {
  const length = text.trim().length;
  return length > 0 && length <= maxReplacementLength && text.isWellFormed() && !text.includes("\0");
}

/** The moderation fields of a username: unchanged for the same name, else the result of moderation. */
export function toUsernameFields(
  username: string | undefined,
  judged: ValidatedUsername | undefined,
  current: Username | undefined,
): Omit<Username, "username"> {
  const known = [current, judged].find((one) => one !== undefined && one.username === username);
  // It changed during moderation, so a moderator must review it.
  const { usernameStatus, moderationId } = known ?? { usernameStatus: judged === undefined ? "ACTIVE" : "PENDING" };
  return { usernameStatus, moderationId };
}
