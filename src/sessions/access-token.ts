import { findEffectiveRoles } from "../directory/effective-roles.js";
import { parseRecord } from "../operations/family.js";
import { directoryContext, type OperationCall } from "../operations/operation.js";
import { type StoredRecord, tenantScope } from "../ports/storage.js";
import type { Application } from "../resources/applications/schema.js";
import { applicationsTable } from "../resources/applications/table.js";
import { registrationsTable } from "../resources/registrations/table.js";
import type { Tenant } from "../resources/tenants/schema.js";
import type { User } from "../resources/users/schema.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { tokenSettingsOf } from "./lifetimes.js";
import { loadTenant, type SignedToken, signToken } from "./sign-token.js";

/** Whom a token is made for. */
export interface TokenSubject {
  readonly user: User;
  readonly tenant: Tenant;
  /** The application that the user wants to use; undefined for none. */
  readonly application: Application | undefined;
  /** Whether the user is registered to it. */
  readonly isRegistered: boolean;
}

/** What a token says beside its subject. */
export interface AccessTokenWish {
  readonly authenticationType: string;
  /** When the user proved who he is, in epoch seconds. */
  readonly authTime: number;
  /** The session: the id of its refresh token where it has one. */
  readonly sessionId: string;
  /** Whether a refresh token goes with it. */
  readonly isRefreshable: boolean;
  /** The thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt: string | undefined;
}

/** Finds out whom tokens for a user and an application are made for. */
export async function findTokenSubject(
  call: OperationCall,
  stored: StoredRecord,
  applicationId: string | undefined,
): Promise<TokenSubject> {
  const user = parseRecord<User>(stored);
  const tenant = await loadTenant(call, user.tenantId);
  if (applicationId === undefined) return { user, tenant, application: undefined, isRegistered: false };
  const application = await call.reader.retrieve(tenantScope(tenant.id), applicationsTable, applicationId);
  const isRegistered = (await findRegistration(call, user, applicationId)) !== undefined;
  return { user, tenant, application: application && parseRecord<Application>(application), isRegistered };
}

/** The registration of a user to an application. */
export async function findRegistration(
  call: OperationCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  applicationId: string,
): Promise<StoredRecord | undefined> {
  const filters = [equalsFilter("userId", id), equalsFilter("applicationId", applicationId)];
  const [found] = await call.reader.find(tenantScope(tenantId), registrationsTable, { op: "and", filters }, { limit: 1 });
  return found;
}

/** Signs an access token with the claims of facts.md 10.8. The roles are those that the user has at this moment. */
export async function signAccessToken(
  call: OperationCall,
  subject: TokenSubject,
  { authenticationType, authTime, sessionId, isRefreshable, jkt }: AccessTokenWish,
): Promise<SignedToken> {
  const { tenant, user, application } = subject;
  const { accessSeconds, keyId } = tokenSettingsOf(tenant, application);
  const claims = {
    ...(await applicationClaims(call, subject)),
    auth_time: authTime,
    authenticationType,
    cnf: jkt === undefined ? undefined : { jkt },
    email: user.email,
    email_verified: user.verified,
    phone_number: user.phoneNumber,
    preferred_username: user.username,
    scope: isRefreshable ? "openid offline_access" : "openid",
    sid: sessionId,
    sub: user.id,
    tty: "at",
  };
  return signToken(call, { tenant, keyId, claims, lifetimeSeconds: accessSeconds });
}

// Who is not registered has neither the application nor roles in the token; it is made for the application all the same.
async function applicationClaims(
  call: OperationCall,
  { user, tenant, application, isRegistered }: TokenSubject,
): Promise<object> {
  if (application === undefined) return {};
  if (!isRegistered) return { aud: application.id };
  const context = directoryContext(call, tenantScope(tenant.id));
  const roles = await findEffectiveRoles(call.service.directory, context, user.id, application.id);
  return { applicationId: application.id, aud: application.id, roles };
}
