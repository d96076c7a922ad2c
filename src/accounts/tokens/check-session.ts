import { findEffectiveRoles } from "../../directory/stored-directory.js";
import { IdentityError } from "../../errors/identity-error.js";
import type { ClientPrincipal, UserPrincipal } from "../../http/authenticate/principal.js";
import { parseHidden } from "../../operations/family/family.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { tenantScope } from "../../ports/storage.js";
import { entitiesTable } from "../../resources/entities/family.js";
import { refreshTokensTable } from "../../resources/refresh-tokens/family.js";
import { usersTable } from "../../resources/users/family.js";
import type { HiddenUser } from "../../resources/users/rules.js";
import { checkPrevented } from "../actions/prevented-logins.js";

/** Whether the entity that a token stands for is still there. */
export async function isCurrentClient({ storage }: ServiceContext, { entityId, tenantId }: ClientPrincipal): Promise<boolean> {
  return (await storage.retrieve(tenantScope(tenantId), entitiesTable, entityId)) !== undefined;
}

/**
 * The roles that the user of a token has now in the application of the token; undefined when the user, the registration or the session is
 * not good any more.
 */
export async function findCurrentRoles(
  service: ServiceContext,
  principal: UserPrincipal,
): Promise<readonly string[] | undefined> {
  const { claims, tenantId, userId } = principal;
  const context = { scope: tenantScope(tenantId), reader: service.storage };
  const [user] = await service.directory.findUsers(context, [userId]);
  if (user?.tenantId !== tenantId || user.active === false || !isInTime(service, user, claims.iat)) return undefined;
  if (!(await hasSession(service, principal)) || (await isPrevented(service, principal))) return undefined;
  const { applicationId } = claims;
  if (typeof applicationId !== "string") return [];
  const registrations = await service.directory.findRegistrations(context, [userId]);
  if (!registrations.some((registration) => registration.applicationId === applicationId)) return undefined;
  return findEffectiveRoles(service.directory, context, userId, applicationId);
}

// A token from before the last change of the password is one of a session that has ended.
function isInTime(
  { runtime }: ServiceContext,
  { expiry, passwordLastUpdateInstant }: Readonly<Record<string, unknown>>,
  issued: unknown,
): boolean {
  const isOver = typeof expiry === "number" && expiry <= runtime.clock();
  const isOld = typeof passwordLastUpdateInstant === "number" && (Number(issued) + 1) * 1_000 <= passwordLastUpdateInstant;
  return !isOver && !isOld;
}

// Sessions without a refresh token are recorded nowhere.
async function hasSession({ storage }: ServiceContext, { claims, tenantId }: UserPrincipal): Promise<boolean> {
  const { scope, sid } = claims;
  if (typeof sid !== "string" || !String(scope).split(" ").includes("offline_access")) return true;
  return (await storage.retrieve(tenantScope(tenantId), refreshTokensTable, sid)) !== undefined;
}

async function isPrevented(service: ServiceContext, { claims, tenantId, userId }: UserPrincipal): Promise<boolean> {
  const stored = await service.storage.retrieve(tenantScope(tenantId), usersTable, userId);
  const { loginPreventedUntil = 0 } = (stored && parseHidden<HiddenUser>(stored)) ?? {};
  if (loginPreventedUntil <= service.runtime.clock()) return false;
  const check = checkPrevented({ service, reader: service.storage }, userId, String(claims.aud));
  return check.then(
    () => false,
    (error: unknown) => {
      if (error instanceof IdentityError) return true;
      throw error;
    },
  );
}
