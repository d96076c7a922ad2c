import { fieldError, invalidOption } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { presentRecords } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import type { StoredRecord, Table } from "../../ports/storage.js";
import { registrationsTable } from "../../records/registrations/family.js";
import { usersTable } from "../../records/users/family.js";
import type { UsernameStatus } from "../../records/users/username-status.js";
import { valueAt } from "../../shared/objects.js";
import { setRegisteredUsernameStatus } from "../registrations/rules.js";
import { changeUser, users } from "../users/rules.js";

type Statuses = ReadonlyMap<string, UsernameStatus>;

const statuses: ReadonlyMap<unknown, UsernameStatus> = new Map([
  ["approved", "ACTIVE"],
  ["rejected", "REJECTED"],
]);

const maxApprovals = 1_000;

/**
 * POST: moderation reports decisions on usernames that were queued or already in use (docs/reference/integrations.md#moderation).
 * Reports on other content or by other methods change nothing. @throws IdentityError 400 for a malformed body.
 */
export async function notifyModeration(call: OperationCall): Promise<OperationResult> {
  const decided = readDecisions(call);
  if (decided.size === 0) return emptyResult;
  return call.write(async (write) => {
    await follow(write, decided);
    return emptyResult;
  });
}

function readDecisions({ body }: OperationCall): Statuses {
  const type = valueAt(body, "type");
  if (type === undefined || type === null) throw fieldError("missing", "type");
  if (typeof type !== "string") throw fieldError("invalidJSON", "type");
  if (type !== "contentApproval") return new Map();
  const approvals = valueAt(body, "approvals");
  if (approvals === undefined || approvals === null) throw fieldError("missing", "approvals");
  if (typeof approvals !== "object" || Array.isArray(approvals)) throw fieldError("invalidJSON", "approvals");
  const entries = Object.entries(approvals);
  if (entries.length > maxApprovals) throw fieldError("tooMany", "approvals");
  return new Map(entries.map(([id, decision]) => [id.toLowerCase(), toStatus(decision)]));
}

function toStatus(decision: unknown): UsernameStatus {
  const status = statuses.get(decision);
  if (status === undefined) throw invalidOption("approvals", [...statuses.keys()]);
  return status;
}

async function setUsernameStatus(call: WriteCall, stored: StoredRecord, usernameStatus: UsernameStatus): Promise<void> {
  const [before = "{}"] = await presentRecords(call, users, [stored]);
  const record = await changeUser(call, stored, { usernameStatus, lastUpdateInstant: call.service.runtime.clock() });
  const [after = "{}"] = await presentRecords(call, users, [record]);
  const fields = { user: JSON.parse(after), original: JSON.parse(before) };
  await publishEvent(call, { type: "user.update", tenantId: stored.tenantId ?? "", linkedObjectId: stored.id, fields });
}

type SetStatus = (call: WriteCall, stored: StoredRecord, status: UsernameStatus) => Promise<void>;

const followers: readonly (readonly [table: Table, setStatus: SetStatus])[] = [
  [usersTable, setUsernameStatus],
  [registrationsTable, setRegisteredUsernameStatus],
];

async function follow(call: WriteCall, decided: Statuses): Promise<void> {
  const isNamed = { op: "in", column: "moderationId", values: [...decided.keys()] } as const;
  for (const [table, setStatus] of followers)
    for (const stored of await call.tx.find(call.scope, table, isNamed)) {
      const { moderationId = "", usernameStatus } = JSON.parse(stored.json);
      const status = decided.get(moderationId);
      if (status !== undefined && status !== usernameStatus) await setStatus(call, stored, status);
    }
}
