import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { identityProviderLinksTable } from "../../records/identity-provider-links/family.js";
import type { IdentityProviderLink } from "../../records/identity-provider-links/schema.js";
import type { IdentityProvider } from "../../records/identity-providers/schema.js";
import type { LinkingStrategy } from "../../records/identity-providers/types.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import { hasProof } from "../../sessions/subjects/verification-state.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { isTrustedLoginId, type LinkingType } from "./trusted-login-ids.js";

/**
 * The user of an account at a provider: a linked user, an existing one to link, a new one with these login ids, or a pending
 * link.
 */
export type Account =
  | { readonly kind: "linked"; readonly link: StoredRecord; readonly user: StoredRecord }
  | { readonly kind: "existing"; readonly user: StoredRecord }
  | { readonly kind: "new"; readonly loginIds: { readonly email?: string; readonly username?: string } }
  | { readonly kind: "pending" };

/** An account at a provider, in the tenant of the login. */
export interface AccountSearch {
  /** Whether to link an account without a link. */
  readonly isLinkable: boolean;
  readonly provider: Pick<IdentityProvider, "domains" | "id" | "linkingStrategy">;
  readonly tenant: Tenant;
  readonly who: ProviderUser;
}

/**
 * Finds the user of a provider's account (docs/reference/identity-providers.md#linking).
 * @throws IdentityError 404 when the strategy links no user, and for an inactive user; 400 `[identityProviderIncomplete]` when
 * the provider omits the login id that the strategy needs.
 */
export async function findAccount(call: OperationCall, search: AccountSearch): Promise<Account> {
  const account = (await findLinked(call, search)) ?? (await findNotLinked(call, search));
  if ("user" in account && !parseRecord<User>(account.user).active) throw generalError("notFound");
  return account;
}

async function findLinked(call: OperationCall, search: AccountSearch): Promise<Account | undefined> {
  const { provider, tenant, who } = search;
  const scope = tenantScope(tenant.id);
  const filters = [equalsFilter("identityProviderId", provider.id), equalsFilter("identityProviderUserId", who.id)];
  const [link] = await call.reader.find(scope, identityProviderLinksTable, { op: "and", filters }, { limit: 1 });
  if (link === undefined) return undefined;
  const user = await call.reader.retrieve(scope, usersTable, parseRecord<IdentityProviderLink>(link).userId);
  return user && { kind: "linked", link, user };
}

// Looks for a link again: a concurrent login may have created both the user and the link since the first look.
async function findNotLinked(call: OperationCall, search: AccountSearch): Promise<Account> {
  const account = await findUnlinked(call, search);
  return account.kind === "pending" ? ((await findLinked(call, search)) ?? account) : account;
}

async function findUnlinked(call: OperationCall, search: AccountSearch): Promise<Account> {
  if (!search.isLinkable) throw generalError("notFound");
  return strategies[search.provider.linkingStrategy](call, search);
}

type FindUser = (call: OperationCall, search: AccountSearch) => Promise<Account>;

const strategies: Readonly<Record<LinkingStrategy, FindUser>> = {
  CreatePendingLink: async () => ({ kind: "pending" }),
  Disabled: () => Promise.reject(generalError("notFound")),
  LinkAnonymously: async () => ({ kind: "new", loginIds: {} }),
  LinkByEmail: findByLoginId("email", true),
  LinkByEmailForExistingUser: findByLoginId("email", false),
  LinkByUsername: findByLoginId("username", true),
  LinkByUsernameForExistingUser: findByLoginId("username", false),
};

function findByLoginId(type: LinkingType, createsUser: boolean): FindUser {
  return async (call, search) => {
    const { tenant, who } = search;
    const loginId = who[type]?.trim() ?? "";
    if (loginId === "")
      throw generalError(
        "identityProviderIncomplete",
        `The identity provider says no ${type} of the user, by which it links users.`,
      );
    const user = await findUserByLoginId(call, tenant.id, { loginId, loginIdTypes: [type] });
    if (user !== undefined) return (await isOwn(call, search, { type, user })) ? { kind: "existing", user } : { kind: "pending" };
    if (!createsUser) throw generalError("notFound");
    return { kind: "new", loginIds: { [type]: loginId } };
  };
}

// Both sides must have verified the login id: otherwise an attacker could register it first and share the owner's account.
async function isOwn(
  call: OperationCall,
  { provider, tenant, who }: AccountSearch,
  { type, user }: { readonly type: LinkingType; readonly user: StoredRecord },
): Promise<boolean> {
  const known = parseRecord<User>(user);
  const isProvedHere = hasProof(known, type, tenant);
  // The search for names folds letters that are distinct in an address.
  const isSame = foldEmailAddress(known[type] ?? "") === foldEmailAddress(who[type] ?? "");
  return isProvedHere && isSame && isTrustedLoginId(who, type, provider.domains) && !(await isLinkedBy(call, provider.id, user));
}

/** Whether a provider has a link to a user: a second account there belongs to another person, unless the user links it. */
export async function isLinkedBy(
  call: OperationCall,
  identityProviderId: string,
  { id: userId, tenantId }: Pick<StoredRecord, "id" | "tenantId">,
): Promise<boolean> {
  const filters = [equalsFilter("identityProviderId", identityProviderId), equalsFilter("userId", userId)];
  const scope = tenantScope(tenantId ?? "");
  const found = await call.reader.find(scope, identityProviderLinksTable, { op: "and", filters }, { limit: 1 });
  return found.length > 0;
}
