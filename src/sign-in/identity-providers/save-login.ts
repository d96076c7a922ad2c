import { generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import { toRecordToStore } from "../../operations/family/record-steps.js";
import { openRecord, sealFields } from "../../operations/family/wire-records.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { createRecord } from "../../operations/verbs/create.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { identityProviderLinks } from "../../people/identity-provider-links/rules.js";
import { registrations } from "../../people/registrations/rules.js";
import { makeUser, prepare as prepareUser, users } from "../../people/users/rules.js";
import { followNewRegistration } from "../../people/verification/follow-user.js";
import type { ProviderUser } from "../../ports/sign-in.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { identityProviderLinksTable } from "../../records/identity-provider-links/family.js";
import type { IdentityProviderLink } from "../../records/identity-provider-links/schema.js";
import type { ParsedRegistrationRequest } from "../../records/registrations/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { ParsedUserRequest, Registration } from "../../records/users/schema.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { isLinkedBy } from "./find-account.js";
import type { LoginContext } from "./find-provider.js";
import type { ReconciledLogin } from "./reconcile.js";

/** A login with a user, registration and link to store. */
export interface LoginToSave extends ReconciledLogin {
  readonly context: LoginContext;
  readonly who: ProviderUser;
}

/** Thrown when the user changed after the lambda ran: the login starts again. */
export class LoginConflict extends Error {}

/**
 * Stores the results of a login in one transaction with its events: a new user, the registration, the link.
 * @throws IdentityError 400 `[duplicate]…` for records that another login created meanwhile; LoginConflict.
 */
export async function saveLogin(call: OperationCall, login: LoginToSave): Promise<StoredRecord> {
  const { place } = login.context;
  const params = { userId: login.userId, applicationId: place.application?.id };
  const within: OperationCall = { ...call, params, scope: tenantScope(place.tenant.id) };
  const request = login.user && (await prepareRequestOf(within, login, login.user));
  const registration = login.registration && (await prepareRegistration(within, login.registration));
  return call.write(async (write) => {
    const own: WriteCall = { ...write, params, scope: within.scope };
    await saveUser(own, login, request);
    if (registration !== undefined) await saveRegistration(own, login, registration);
    await saveLink(own, login);
    const user = await own.reader.retrieve(own.scope, usersTable, login.userId);
    if (user === undefined) throw generalError("notFound");
    return user;
  });
}

function prepareRequestOf(call: OperationCall, { account, context, userId, who }: LoginToSave, request: ParsedUserRequest) {
  const tenantId = context.place.tenant.id;
  const isTrustedLoginId = account.kind === "new" && who.isEmailVerified;
  const vouched = { reason: "Trusted", loginIds: isTrustedLoginId ? [foldEmailAddress(who.email ?? "")] : [] } as const;
  const stored = account.kind === "new" ? undefined : account.user;
  const applicationId = context.place.application?.id;
  const given = { ...request, applicationId, user: { ...request.user, tenantId }, vouched };
  return prepareUser(call, given, { id: userId, stored });
}

interface RegistrationToSave {
  readonly request: ParsedRegistrationRequest;
  readonly stored: StoredRecord | undefined;
}

async function prepareRegistration(call: OperationCall, { request, stored }: RegistrationToSave): Promise<RegistrationToSave> {
  const context = { id: stored?.id ?? "", stored };
  return { stored, request: (await registrations.rules.prepare?.(call, request, context)) ?? request };
}

async function saveUser(
  call: WriteCall,
  { account, userId }: LoginToSave,
  request: ParsedUserRequest | undefined,
): Promise<void> {
  if (account.kind === "new") {
    if (request !== undefined) await makeUser(call, request, userId);
    return;
  }
  const fresh = await call.reader.retrieve(call.scope, usersTable, userId);
  if (fresh === undefined) throw generalError("notFound");
  if (request === undefined) return;
  if (fresh.version !== account.user.version) throw new LoginConflict();
  await changeRecord(call, users, fresh, request);
}

async function saveRegistration(
  call: WriteCall,
  { userId }: LoginToSave,
  { request, stored }: RegistrationToSave,
): Promise<void> {
  if (stored !== undefined) {
    const fresh = await call.reader.retrieve(call.scope, registrations.table, stored.id);
    if (fresh?.version !== stored.version) throw new LoginConflict();
    await changeRecord(call, registrations, fresh, request);
    return;
  }
  const { record } = await createRecord(call, registrations, request, call.service.runtime.newId());
  if (parseRecord<Registration>(record).verified) return;
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user !== undefined) await followNewRegistration(call, user, record);
}

async function saveLink(call: WriteCall, { account, context, userId, who }: LoginToSave): Promise<void> {
  const lastLoginInstant = call.service.runtime.clock();
  const { displayName, id: identityProviderUserId, token } = who;
  const said = { ...(displayName !== undefined && { displayName }), ...(token !== undefined && { token }), lastLoginInstant };
  if (account.kind === "linked") return changeLink(call, account.link.id, said);
  // Of two concurrent accounts, the second does not get the user.
  if (account.kind === "existing" && (await isLinkedBy(call, context.provider.id, account.user))) throw new LoginConflict();
  const fields = { ...said, data: {}, identityProviderId: context.provider.id, identityProviderUserId, userId };
  await createRecord(call, identityProviderLinks, { identityProviderLink: fields }, call.service.runtime.newId());
}

// Without audit log entry or event: a login is no change of the link.
async function changeLink(call: WriteCall, id: string, said: Partial<IdentityProviderLink>): Promise<void> {
  const fresh = await call.reader.retrieve(call.scope, identityProviderLinksTable, id);
  if (fresh === undefined) throw new LoginConflict();
  const { sealer } = call.service;
  const record = { ...openRecord<IdentityProviderLink>(sealer, identityProviderLinks, fresh), ...said };
  const { identityProviderId, identityProviderUserId, userId } = record;
  const columns = { identityProviderId, identityProviderUserId, userId };
  const draft = sealFields(sealer, identityProviderLinks, { record, columns });
  const changed = toRecordToStore(draft, fresh.tenantId, fresh.version + 1);
  await call.tx.update(call.scope, identityProviderLinksTable, changed);
}
