import { generalError } from "../../errors/identity-error.js";
import type { UserPrincipal } from "../../http/authenticate/principal.js";
import type { OperationCall } from "../../operations/operation.js";
import { type Filter, globalScope, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import { parseTenant, tenantsTable } from "../../records/tenants/family.js";
import { findEnding } from "../../sessions/validity/check-artifact.js";
import { findProof } from "../../sessions/validity/check-token.js";
import { readProof } from "../../sessions/validity/proof-header.js";
import { findPasskeys } from "../web-authn/stored-passkeys.js";
import { loadUser, stateOf } from "./user-factor.js";

const recentMs = 900_000;

/**
 * Refuses callers that may not add a factor or a passkey. A user's token must come from a login of the last 15 minutes, and the
 * proof of a visitor of the pages must still be valid. Both must include a factor if the user has one: a stolen token or a
 * password alone must not add a way to log in later. Other callers pass.
 * @throws IdentityError 400 `[recentLoginRequired]`, `[factorRequired]`; 401 for a visitor with an ended login.
 */
export async function assertCanAddFactor(call: OperationCall, userId: string): Promise<void> {
  const { principal, service } = call;
  if (principal?.kind === "visitor") return assertVisitor(call, userId);
  if (principal?.kind !== "user") return;
  if (!isRecent(principal, service.runtime.clock())) throw generalError("recentLoginRequired");
  if (!(await hasSecondFactor(call, principal))) return;
  const { by = [] } = (await findProof(service, principal)) ?? {};
  if (!(await showsFactor(call, principal.tenantId, by))) throw generalError("factorRequired");
}

async function assertVisitor(call: OperationCall, userId: string): Promise<void> {
  const user = await loadUser(call, userId);
  const tenantId = user.tenantId ?? "";
  const proof = readProof(call, userId);
  if (proof === undefined) throw generalError("unauthorized");
  const ending = await findEnding(call, { kind: "heldLogin", tenantId, userId, proof }, { user });
  if (ending !== undefined) throw generalError("unauthorized");
  if (!(await hasSecondFactor(call, { tenantId, userId })) || (await showsFactor(call, tenantId, proof.by))) return;
  throw generalError("factorRequired");
}

/**
 * Refuses a user's token that may not remove a passkey: if the user has a second factor, the conditions of
 * {@link assertCanAddFactor} apply.
 * @throws IdentityError 400 `[recentLoginRequired]`, `[factorRequired]`.
 */
export async function assertCanRemovePasskey(call: OperationCall): Promise<void> {
  const { principal } = call;
  if (principal?.kind === "user" && (await hasSecondFactor(call, principal))) await assertCanAddFactor(call, principal.userId);
}

function isRecent({ claims: { auth_time: loginAt, iat } }: UserPrincipal, now: number): boolean {
  const at = loginAt ?? iat;
  return typeof at === "number" && at * 1_000 + recentMs >= now;
}

type Owner = Pick<UserPrincipal, "tenantId" | "userId">;

// A method, or a passkey if some application accepts it as a second factor, even when the current login's application does not.
async function hasSecondFactor(given: OperationCall, { tenantId, userId }: Owner): Promise<boolean> {
  const call = { ...given, scope: tenantScope(tenantId) };
  if (stateOf(await loadUser(call, userId)).methods.length > 0) return true;
  if ((await findPasskeys(call, userId)).length === 0) return false;
  const { enabled, secondFactorWorkflow } = await passkeySettingsOf(call, tenantId);
  if (!enabled || secondFactorWorkflow.enabled) return enabled;
  // One application suffices: a tenant may have very many.
  return (await call.reader.find(call.scope, applicationsTable, takesPasskeys, { limit: 1 })).length > 0;
}

const takesPasskeys: Filter = {
  op: "and",
  filters: ["enabled", "secondFactorWorkflow.enabled"].map((name) => ({
    op: "equals",
    column: `webAuthnConfiguration.${name}`,
    value: "true",
  })),
};

// Tokens without a stored session do not record user verification by a passkey: then the settings decide.
async function showsFactor(call: OperationCall, tenantId: string, by: readonly string[]): Promise<boolean> {
  if (by.includes("TWO_FACTOR") || by.includes(verifiedUser)) return true;
  if (!by.includes("WEBAUTHN")) return false;
  const { bootstrapWorkflow, reauthenticationWorkflow } = await passkeySettingsOf(call, tenantId);
  return [bootstrapWorkflow, reauthenticationWorkflow].every((one) => one.userVerificationRequirement === "required");
}

/** A type in a proof: the passkey's authenticator verified the user. */
export const verifiedUser = "USER_VERIFIED";

async function passkeySettingsOf({ reader }: OperationCall, tenantId: string) {
  const stored = await reader.retrieve(globalScope, tenantsTable, tenantId);
  return accountSettingsOf(stored ? parseTenant(stored) : {}).webAuthnConfiguration;
}
