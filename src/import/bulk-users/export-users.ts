import { generalError } from "../../errors/identity-error.js";
import { hasGrant, type RequestedCall } from "../../http/authorize/authorize-call.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { searchWithMembers } from "../../operations/family/searchable-members.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import { users } from "../../people/users/rules.js";
import type { ExportUsersRequest } from "../../records/bulk-users/export-schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { parseGivenCriteria } from "../../search/parse-criteria.js";
import { linesOfUsers } from "./user-lines.js";

const exportUsersRequest = lazySchema("import", "exportUsersRequest");

/** The grant that a caller needs to export password hashes. It is not a route. */
const hashes: RequestedCall = { method: "POST", endpoint: "/api/user/export/password-hashes", access: "tenant" };

/**
 * POST: streams users as NDJSON in the format of an import, from a snapshot.
 * @throws IdentityError 400 for invalid criteria, 401 for hashes without the grant, 503 when too many exports run.
 */
export async function exportUsers(call: OperationCall): Promise<OperationResult> {
  const { includePasswordHashes: hasSecrets, search } = await parseWith(exportUsersRequest, call.body);
  if (hasSecrets && !hasGrant(call.principal, hashes)) throw generalError("unauthorized");
  if (isInsideHost(call))
    throw new Error("An export reads one state of the storage by itself: call it outside of identity.transaction.");
  const criteria = { ...search };
  const { filter } = parseGivenCriteria(await searchWithMembers(call, users, criteria), criteria);
  const { logger } = call.service.runtime;
  let count = 0;
  const noteCount = (more: number): void => {
    count += more;
  };
  await audit(call, "Began an export of users", { includePasswordHashes: hasSecrets, search });
  const stream = await call.service.streams.start(
    call.service.storage,
    (reader) => linesOfUsers({ ...call, reader }, { filter, hasSecrets }, noteCount),
    async () => {
      try {
        await audit(call, "Exported users", { includePasswordHashes: hasSecrets, search, users: count });
      } catch (error) {
        logger.error({ err: error, users: count }, "the end of an export could not be written to the audit log");
        throw error;
      }
    },
  );
  return { status: 200, json: "", stream, headers: { "content-type": "application/x-ndjson" } };
}

async function audit(
  call: OperationCall,
  message: string,
  newValue: ExportUsersRequest & { readonly users?: number },
): Promise<void> {
  const { scope, service } = call;
  if (service.auditing?.log === undefined) return;
  const tenantId = scope.kind === "tenant" ? scope.tenantId : null;
  await call.write(async (write) => service.auditing?.write(write, [{ family: "users", tenantId, newValue, message }]));
}
