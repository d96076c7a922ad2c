import { api, type Result, sayFailure } from "../../../app/api.js";
import { tenantId } from "../../../app/tenant.js";
import type { Selection } from "../../../kit/data-list/index.js";
import { nameOfUser } from "../../../kit/pickable.js";
import { toQueryString } from "../query.js";

/** A user on which a bulk action runs. */
export interface Target {
  readonly id: string;
  readonly name: string;
}

/** The result of a bulk action for one user. */
export interface Outcome extends Target {
  readonly isDone: boolean;
  readonly message?: string | undefined;
}

/** The actions that can run on many users. */
export type BulkAction = "deactivate" | "reactivate" | "remove" | "addToGroup" | "endSessions" | "requirePasswordChange";

/** The action and its parameters, apart from the users. */
export interface BulkSettings {
  readonly action: BulkAction;
  readonly groupId: string;
  readonly reason: string | undefined;
}

type Row = Parameters<typeof nameOfUser>[0];

/** Collects all users of a selection: the selected rows, or all results of the search, page by page. */
export async function collect(selection: Selection<Row>, onProgress: (count: number) => void): Promise<readonly Target[]> {
  if (!selection.isAll) return selection.rows.map((user) => ({ id: user.id, name: nameOfUser(user) }));
  const search = {
    queryString: toQueryString(selection.query, selection.filters),
    numberOfResults: 500,
    tenantId: tenantId.value,
  };
  const targets: Target[] = [];
  for await (const user of api.users.searchAll({ search })) {
    targets.push({ id: user.id, name: nameOfUser(user) });
    if (targets.length % 500 === 0) onProgress(targets.length);
  }
  return targets;
}

const batchSize = 50;

/** Runs the action in batches and yields the results of each. `isStopped` stops it between two batches. */
export async function* run(
  targets: readonly Target[],
  settings: BulkSettings,
  isStopped: () => boolean,
): AsyncGenerator<readonly Outcome[]> {
  for (let start = 0; start < targets.length && !isStopped(); start += batchSize)
    yield await runBatch(targets.slice(start, start + batchSize), settings);
}

async function runBatch(batch: readonly Target[], settings: BulkSettings): Promise<readonly Outcome[]> {
  const { action, groupId, reason: auditReason } = settings;
  const userIds = batch.map(({ id }) => id);
  if (action === "deactivate" || action === "remove") {
    const result = await api.bulkUsers.remove({ userIds, hardDelete: action === "remove" }, { auditReason });
    const done = new Set(result.ok ? result.value.userIds : []);
    return batch.map((target) => toOutcome(target, result, done.has(target.id)));
  }
  if (action === "addToGroup") {
    const members = { [groupId]: userIds.map((userId) => ({ userId })) };
    const result = await api.groupMembers.add({ members }, { auditReason });
    // The service refuses a batch as a whole, so retry each user alone to find the invalid ones.
    if (result.ok || batch.length === 1) return batch.map((target) => toOutcome(target, result, result.ok));
    return (await Promise.all(batch.map((target) => runBatch([target], settings)))).flat();
  }
  const outcomes: Outcome[] = [];
  for (const target of batch) {
    const result = await runOne(target.id, settings);
    outcomes.push(toOutcome(target, result, result.ok));
  }
  return outcomes;
}

function runOne(userId: string, { action, reason: auditReason }: BulkSettings): Promise<Result<unknown>> {
  if (action === "reactivate") return api.users.update({ userId, reactivate: true }, { auditReason });
  if (action === "endSessions") return api.jwt.revoke({ userId }, { auditReason });
  return api.users.patch({ userId, patch: { user: { passwordChangeRequired: true } }, mode: "merge" }, { auditReason });
}

function toOutcome(target: Target, result: Result<unknown>, isDone: boolean): Outcome {
  return { ...target, isDone, ...(!result.ok && { message: sayFailure(result) }) };
}

/** Counts the affected users: by a dry run for deactivations and removals, else all targets. */
export async function countAffected(targets: readonly Target[], { action }: BulkSettings): Promise<number> {
  if (action !== "deactivate" && action !== "remove") return targets.length;
  let count = 0;
  for (let start = 0; start < targets.length; start += 10_000) {
    const userIds = targets.slice(start, start + 10_000).map(({ id }) => id);
    const result = await api.bulkUsers.remove({ userIds, hardDelete: action === "remove", dryRun: true });
    if (!result.ok) throw new Error(sayFailure(result));
    count += result.value.total;
  }
  return count;
}
