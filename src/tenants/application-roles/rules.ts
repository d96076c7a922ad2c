import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule, IdInput } from "../../operations/family/family-row.js";
import { assertPrecondition, optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { followRole } from "../../people/registrations/rules.js";
import type { Filter, StoredRecord } from "../../ports/storage.js";
import { applicationRoleFamily, applicationRolesTable } from "../../records/application-roles/family.js";
import type { ApplicationRole, ParsedRoleRequest, RoleFields, RoleRequest } from "../../records/application-roles/schema.js";
import { applicationsTable } from "../../records/applications/family.js";
import { equalsFilter, foldedFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";

/** The family of an application's roles (docs/reference/tenants.md#applications). */
export const applicationRoles: Family<ApplicationRole, ParsedRoleRequest> = {
  ...applicationRoleFamily,
  locate,
  rules: { tenantOf, toDraft, afterWrite, afterRemove },
};

function locate(call: OperationCall): Filter {
  const filters = [
    equalsFilter("id", requireId(call, "roleId")),
    equalsFilter("applicationId", requireId(call, "applicationId")),
  ];
  return { op: "and", filters };
}

// A role belongs to its application's tenant. An application outside of the scope is not found
// (docs/reference/authentication.md#tenant-header).
async function tenantOf(call: WriteCall): Promise<string | undefined> {
  const application = await findApplication(call);
  return application.tenantId ?? undefined;
}

async function findApplication(call: OperationCall): Promise<StoredRecord> {
  const application = await call.reader.retrieve(call.scope, applicationsTable, requireId(call, "applicationId"));
  if (application === undefined) throw generalError("notFound");
  return application;
}

function toDraft(call: WriteCall, request: ParsedRoleRequest, context: DraftContext<ApplicationRole>): Draft<ApplicationRole> {
  return toRoleDraft(request.role, requireId(call, "applicationId"), context);
}

/** Returns the draft of a role. */
export function toRoleDraft(
  fields: RoleFields,
  applicationId: string,
  context: Pick<DraftContext<ApplicationRole>, "id" | "now" | "current">,
): Draft<ApplicationRole> {
  return {
    record: { ...fields, ...toBaseRecord(context) },
    hidden: { applicationId },
    columns: { applicationId, nameFolded: foldText(fields.name) },
  };
}

async function afterWrite(call: WriteCall, { draft, original }: Change<ApplicationRole, ParsedRoleRequest>): Promise<void> {
  const { name } = draft.record;
  if (original !== undefined && original.name !== name)
    await followRole(call, requireId(call, "applicationId"), { name: original.name, newName: name });
}

async function afterRemove(call: WriteCall, role: ApplicationRole): Promise<void> {
  await followRole(call, requireId(call, "applicationId"), role);
}

/** DELETE by id, or by name with `?name=`. Groups lose the role too. */
async function removeRole(call: OperationCall): Promise<OperationResult> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await findRole(write);
    await assertPrecondition(write, applicationRoles, stored);
    await removeRecord(write, applicationRoles, stored, noteCount);
    return emptyResult;
  });
}

async function findRole(call: WriteCall): Promise<StoredRecord> {
  const application = await findApplication(call);
  const id = optionalId(call, "roleId");
  const { name } = call.params;
  if (id === undefined && (name === undefined || name === "")) throw fieldError("missing", "roleId");
  const which = id === undefined ? foldedFilter("nameFolded", name ?? "") : equalsFilter("id", id);
  const filters = [equalsFilter("applicationId", application.id), which];
  const [role] = await call.reader.find(call.scope, applicationRolesTable, { op: "and", filters }, { limit: 1 });
  if (role === undefined) throw generalError("notFound");
  return role;
}

/** Groups stored roles by application, and keeps their order. */
export function groupByApplication(roles: readonly StoredRecord[]): ReadonlyMap<string, readonly ApplicationRole[]> {
  const grouped = new Map<string, ApplicationRole[]>();
  for (const role of roles) {
    const { applicationId } = JSON.parse(role.hidden ?? "{}") as { readonly applicationId: string };
    grouped.set(applicationId, [...(grouped.get(applicationId) ?? []), parseRecord<ApplicationRole>(role)]);
  }
  return grouped;
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { remove: removeRole };

export const example: FamilyExample<RoleRequest & IdInput<"applicationId">> = async ({ idAt, number }) => ({
  applicationId: await idAt("applicationId", "applications"),
  role: { name: `Role ${number}` },
});
