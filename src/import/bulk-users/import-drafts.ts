import { toRecordToStore } from "../../operations/family/record-steps.js";
import { assertRecordSize } from "../../operations/family/response-size.js";
import type { OperationCall } from "../../operations/operation.js";
import { makeMember, toMemberRecord } from "../../people/group-members/memberships.js";
import { toTwoFactorState } from "../../people/new-users/given-factor.js";
import { toRegistrationDraft } from "../../people/registrations/rules.js";
import { presentWith } from "../../people/relations/user-relations.js";
import { toDraft } from "../../people/users/rules.js";
import { toUserDraft } from "../../people/users/user-draft.js";
import type { RecordToStore, StoredRecord } from "../../ports/storage.js";
import type { ImportedIdentity, ParsedImportedUser } from "../../records/bulk-users/schema.js";
import { toPasskeyPem } from "../../records/passkeys/public-key.js";
import type { Registration, User } from "../../records/users/schema.js";
import type { VerifiedReason } from "../../records/users/verified-reason.js";
import { isVerifiedBy } from "../../sessions/subjects/verification-state.js";
import { toPasskeyDraft } from "../../sign-in/web-authn/passkey-draft.js";
import { type ImportReferences, rolesOf } from "./import-references.js";

/** Context for converting users of one tenant to records. */
export interface ImportStep {
  readonly now: number;
  readonly references: ImportReferences;
  readonly tenant: StoredRecord;
}

/** A user to store. */
export interface UserToImport {
  readonly user: ParsedImportedUser & { readonly id: string };
  readonly hash: string | undefined;
}

/** The records of a user, with those of related tables. */
export interface UserToStore {
  readonly record: RecordToStore;
  readonly registrations: readonly RecordToStore[];
  readonly memberships: readonly RecordToStore[];
  readonly consents: readonly RecordToStore[];
  readonly passkeys: readonly RecordToStore[];
  /** The user as in the API. */
  readonly shown: string;
}

/**
 * Returns the records of a user. @throws IdentityError 400 at `path` for a record that is too large, `[notLicensed]credential`
 * for passkeys.
 */
export function toUserToStore(call: OperationCall, step: ImportStep, given: UserToImport, path: string): UserToStore {
  const record = toUserRecord(call, step, given);
  assertRecordSize(call.service, record, path);
  const registrations = toRegistrations(call, step, given);
  const memberships = toMemberships(call, step, given);
  const consents = toConsents(call, step, given);
  const passkeys = toPasskeys(call, step, given);
  const shown = presentWith(call, record, { memberships, registrations });
  return { record, registrations, memberships, consents, passkeys, shown };
}

function toUserRecord(
  call: OperationCall,
  { now, tenant }: ImportStep,
  { hash: passwordHash, user: all }: UserToImport,
): RecordToStore {
  const { consents: _consents, memberships: _memberships, passkeys: _passkeys, ...own } = all;
  const { registrations: _registrations, ...given } = own;
  const { encryptionScheme: _scheme, factor: _factor, salt: _salt, twoFactor, passwordHash: _hash, ...fields } = given;
  const { active, id, insertInstant = now, lastLoginInstant, passwordLastUpdateInstant, verifiedInstant, ...rest } = fields;
  const { earlierPasswordHashes, identities = [], moderationId, usernameStatus, ...user } = rest;
  const vouched = { reason: "Import", loginIds: user.verified === true ? [user.email] : [] } as const;
  const request = { user, vouched, earlierPasswordHashes, ...(passwordHash !== undefined && { passwordHash }) };
  const draft = toDraft(call, request, { id, tenantId: tenant.id, tenant, now, current: undefined });
  const record: User = {
    ...draft.record,
    active,
    insertInstant,
    identities: draft.record.identities.map((identity) => {
      const declared = identities.find(({ type }) => type === identity.type);
      return { ...identity, insertInstant, ...(declared && importedState(declared)) };
    }),
    moderationId,
    usernameStatus: usernameStatus ?? draft.record.usernameStatus,
    lastLoginInstant,
    ...(passwordHash !== undefined && { passwordLastUpdateInstant: passwordLastUpdateInstant ?? now }),
    ...(draft.record.verified && { verifiedInstant: verifiedInstant ?? now }),
  };
  const hidden = { ...draft.hidden, ...(twoFactor && { twoFactor: toTwoFactorState(call, id, twoFactor) }) };
  return toRecordToStore(toUserDraft(record, hidden), tenant.id, 1);
}

function importedState({ type, verified, verifiedReason }: ImportedIdentity): ImportedIdentity {
  const isName = type === "username" && verified && verifiedReason === undefined;
  return { type, verified, verifiedReason: isName ? "Unverifiable" : importedReason(verified, verifiedReason) };
}

// Exports of this service include the reason, those of other systems only `verified`.
function importedReason(isVerified: boolean, said: VerifiedReason | undefined): VerifiedReason {
  if (said !== undefined && isVerifiedBy(said) === isVerified) return said;
  return isVerified ? "Import" : "Pending";
}

function toRegistrations(
  call: OperationCall,
  { now, references, tenant }: ImportStep,
  { user }: UserToImport,
): readonly RecordToStore[] {
  return user.registrations.map((registration) => {
    const {
      id = call.service.runtime.newId(),
      verified: asked,
      verifiedInstant = now,
      verifiedReason: said,
      ...given
    } = registration;
    const { insertInstant = user.insertInstant ?? now, usernameStatus = "ACTIVE", ...fields } = given;
    const isAsked = references.applications.get(registration.applicationId)?.asksVerification === true;
    const verifiedReason = asked === undefined ? (isAsked ? "Pending" : "Disabled") : importedReason(asked, said);
    const verified = isVerifiedBy(verifiedReason);
    const record: Registration = {
      ...fields,
      id,
      insertInstant,
      lastUpdateInstant: now,
      roles: rolesOf(references.applications, registration) ?? [],
      tokens: {},
      usernameStatus,
      verified,
      verifiedInstant: verified ? verifiedInstant : undefined,
      verifiedReason,
    };
    return toRecordToStore(toRegistrationDraft(record, user.id), tenant.id, 1);
  });
}

function toMemberships(call: OperationCall, { now, references }: ImportStep, { user }: UserToImport): readonly RecordToStore[] {
  return user.memberships.flatMap((membership) => {
    const group = references.groups.get(membership.groupId);
    if (group === undefined) return [];
    const { insertInstant = now, ...member } = membership;
    return toMemberRecord(call, group, makeMember(call, group, { ...member, userId: user.id }, insertInstant));
  });
}

function toConsents(call: OperationCall, { now, tenant }: ImportStep, { user }: UserToImport): readonly RecordToStore[] {
  const userId = user.id;
  return user.consents.map(({ id = call.service.runtime.newId(), insertInstant = now, ...consent }) => {
    const record = { giverUserId: userId, ...consent, id, insertInstant, lastUpdateInstant: now, userId };
    return toRecordToStore({ record, columns: { consentId: consent.consentId, userId } }, tenant.id, 1);
  });
}

function toPasskeys(call: OperationCall, { now, tenant }: ImportStep, { user }: UserToImport): readonly RecordToStore[] {
  if (user.passkeys.length > 0) call.service.availability.assertLicensed("credential");
  return user.passkeys.map(({ id = call.service.runtime.newId(), insertInstant = now, ...passkey }) => {
    const publicKey = toPasskeyPem(passkey.algorithm, passkey.publicKey) ?? "";
    const parts = { id, now: insertInstant, tenantId: tenant.id };
    return toRecordToStore(toPasskeyDraft({ ...passkey, publicKey, userId: user.id }, parts), tenant.id, 1);
  });
}
