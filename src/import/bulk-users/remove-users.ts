import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { pagesOf, type RecordCount, runBulkWrite } from "../../operations/bulk-write.js";
import { searchWithMembers } from "../../operations/family/searchable-members.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { removeRecords } from "../../operations/verbs/remove.js";
import { setActive, users } from "../../people/users/rules.js";
import type { Filter, StoredRecord } from "../../ports/storage.js";
import type { RemoveUsersRequest } from "../../records/bulk-users/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { usersTable } from "../../records/users/family.js";
import { assertCondition, equalsFilter, parseCriteria } from "../../search/parse-criteria.js";
import { inChunks, manyItems } from "../../shared/in-steps.js";
import { isObject } from "../../shared/objects.js";

const removeUsersRequest = lazySchema("import", "removeUsersRequest");

const stepSize = 200;

/**
 * DELETE: deactivates users, or with `hardDelete` removes them with all related records: all of them in one transaction, with the
 * events of each removal. Deactivating skips users that are deactivated already.
 * @throws IdentityError 400 `[missing]userIds` without criteria; 400 `[missing]query` for a query without a condition.
 */
export async function removeUsers(call: OperationCall): Promise<OperationResult> {
  const { dryRun: isAsked = false, limit, ...wanted } = await parseWith(removeUsersRequest, withUserIds(call));
  const hardDelete = call.params.hardDelete === "true";
  const dryRun = isAsked || call.isDryRun;
  const filter = await toFilter(call, wanted, hardDelete);
  const remove = async (write: WriteCall, noteCount: RecordCount): Promise<readonly string[]> => {
    const userIds: string[] = [];
    const removeChunk = (chunk: readonly StoredRecord[]): Promise<void> =>
      hardDelete ? removeRecords(write, users, chunk, noteCount) : deactivate(write, chunk);
    const steps = { ...write.service.runtime, size: stepSize };
    for await (const page of pagesOf(write, call.scope, {
      table: usersTable,
      filter,
      column: "id",
      keyOf: ({ id }) => id,
    })) {
      const affected = page.slice(0, limit - userIds.length);
      noteCount(userIds.length + affected.length);
      if (!dryRun) await inChunks(steps, affected, removeChunk);
      for (const { id } of affected) userIds.push(id);
      if (userIds.length === limit) break;
    }
    return userIds;
  };
  const userIds = await runBulkWrite(call, remove, (wanted.userIds?.length ?? 0) > manyItems);
  return { status: 200, json: toCanonicalJson({ dryRun, hardDelete, total: userIds.length, userIds }) };
}

async function deactivate(call: WriteCall, stored: readonly StoredRecord[]): Promise<void> {
  for (const user of stored) await setActive(call, user, false);
}

// Clients of the reference may pass the ids in the query: as `userIds`, or as repeated `userId`.
function withUserIds(call: OperationCall): unknown {
  const { userIds: text = "" } = call.params;
  const body = isObject(call.body) ? call.body : {};
  const listed = text === "" ? [] : text.split(",");
  const inQuery = [...listed, ...new URLSearchParams(call.request?.query).getAll("userId")];
  if (inQuery.length === 0) return call.body;
  const inBody = body.userIds;
  const isSame = Array.isArray(inBody) && inBody.length === inQuery.length && inBody.every((id) => inQuery.includes(String(id)));
  if (inBody !== undefined && !isSame) throw fieldError("doNotMatch", "userIds");
  return { ...body, userIds: inQuery };
}

async function toFilter(
  call: OperationCall,
  { query, queryString, userIds }: RemoveUsersRequest,
  isForGood: boolean,
): Promise<Filter> {
  const named = [{ ids: userIds }, { query }, { queryString }].find((one) => Object.values(one)[0] !== undefined);
  if (named === undefined) throw fieldError("missing", "userIds");
  const definition = await searchWithMembers(call, users, named);
  const { filter } = parseCriteria(definition, named);
  // An empty criterion would select all users.
  if (filter === undefined)
    throw fieldError("missing", Object.keys(named)[0] === "ids" ? "userIds" : (Object.keys(named)[0] ?? ""));
  assertCondition(definition, named, filter);
  return isForGood ? filter : { op: "and", filters: [filter, equalsFilter("active", true)] };
}
