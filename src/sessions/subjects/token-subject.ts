import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { registrationsTable } from "../../records/registrations/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { loadTenant } from "../tokens/sign-token.js";
import { hasProof } from "./verification-state.js";

/** The tenant and application of a login. */
export interface LoginScope {
  readonly tenant: Tenant;
  /** Undefined for a login without an application. */
  readonly application: Application | undefined;
}

/** The subject of a token. */
export interface TokenSubject extends LoginScope {
  readonly user: User;
  readonly stored: StoredRecord;
  /** Undefined for a user without a registration to the application. */
  readonly registration: StoredRecord | undefined;
}

/** The claim that says whether the user proved a login id; undefined if the user has none of this type. */
export function verifiedClaimOf(
  { tenant, user }: Pick<TokenSubject, "tenant" | "user">,
  loginIdType: "email" | "phoneNumber",
): boolean | undefined {
  return user[loginIdType] === undefined ? undefined : hasProof(user, loginIdType, tenant);
}

/** Reads the tenant and application of a login. */
export async function findLoginScope(
  call: OperationCall,
  tenantId: string,
  applicationId: string | undefined,
): Promise<LoginScope> {
  const tenant = await loadTenant(call, tenantId);
  if (applicationId === undefined) return { tenant, application: undefined };
  const application = await call.reader.retrieve(tenantScope(tenantId), applicationsTable, applicationId);
  return { tenant, application: application && parseRecord<Application>(application) };
}

/** Reads the subject of a user's tokens. */
export async function findTokenSubject(call: OperationCall, stored: StoredRecord, place: LoginScope): Promise<TokenSubject> {
  const user = parseRecord<User>(stored);
  const registration = place.application && (await findRegistration(call, user, place.application.id));
  return { ...place, user, stored, registration };
}

/** Returns the registration of a user for an application; undefined without one. */
export async function findRegistration(
  call: OperationCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  applicationId: string,
): Promise<StoredRecord | undefined> {
  const filters = [equalsFilter("userId", id), equalsFilter("applicationId", applicationId)];
  const [found] = await call.reader.find(tenantScope(tenantId), registrationsTable, { op: "and", filters }, { limit: 1 });
  return found;
}
