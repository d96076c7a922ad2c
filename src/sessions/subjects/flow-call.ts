import { fieldError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { findTenant } from "../../operations/references/references.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { parseTenant } from "../../records/tenants/family.js";
import { loginIdFilter, usersTable } from "../../records/users/family.js";
import type { LoginIdType, User } from "../../records/users/schema.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { loadTenant } from "../tokens/sign-token.js";
import type { LoginScope } from "./token-subject.js";

/** The application of a request. @throws IdentityError 400 `[invalid]applicationId` for an unknown or inactive one. */
export async function findActiveApplication(call: OperationCall, id: string | undefined): Promise<Application | undefined> {
  if (id === undefined) return undefined;
  const stored = await call.reader.retrieve(call.scope, applicationsTable, id);
  const application = stored && parseRecord<Application>(stored);
  if (application?.active !== true) throw fieldError("invalid", "applicationId");
  return application;
}

/**
 * The tenant and application of a flow: from the request, the API key or the header, else the only tenant.
 * @throws IdentityError 400 `[invalid]applicationId`, `[TenantIdRequired]`.
 */
export async function findFlowScope(call: OperationCall, applicationId: string | undefined): Promise<LoginScope> {
  const application = await findActiveApplication(call, applicationId);
  const named = application && { tenantId: application.tenantId, path: "applicationId" };
  return { application, tenant: parseTenant(await findTenant(call, named)) };
}

/** As {@link findFlowScope}, for a known user. @throws IdentityError 400 `[invalid]applicationId`. */
export async function findUserScope(
  call: OperationCall,
  user: StoredRecord,
  applicationId: string | undefined,
): Promise<LoginScope> {
  const tenantId = user.tenantId ?? "";
  const application = await findActiveApplication({ ...call, scope: tenantScope(tenantId) }, applicationId);
  return { application, tenant: await loadTenant(call, tenantId) };
}

/** A login id as the caller typed it. */
export interface LoginIdInput {
  readonly loginId: string;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
}

/**
 * The user with a login id in a tenant; undefined for none. If it is one user's name and another's email address, the address
 * wins.
 */
export async function findUserByLoginId(
  call: OperationCall,
  tenantId: string,
  { loginId, loginIdTypes = ["email", "username"] }: LoginIdInput,
): Promise<StoredRecord | undefined> {
  const folded = foldEmailAddress(loginId);
  const filters = loginIdTypes.map((type) => loginIdFilter(type, loginId));
  const found = await call.reader.find(tenantScope(tenantId), usersTable, { op: "or", filters }, { limit: 2 });
  return found.find((user) => foldEmailAddress(parseRecord<User>(user).email ?? "") === folded) ?? found[0];
}
