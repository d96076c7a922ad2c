import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { assertRecordSize } from "../../operations/response-size.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { ParsedImportedUser, ParsedTwoFactor } from "../../resources/bulk-users/schema.js";
import { makeMember, toMemberRecord } from "../../resources/group-members/memberships.js";
import { toRegistrationDraft } from "../../resources/registrations/rules.js";
import { toDraft } from "../../resources/users/rules.js";
import type { Registration, User } from "../../resources/users/schema.js";
import type { TwoFactorState } from "../../resources/users/two-factor-state.js";
import { toUserDraft } from "../../resources/users/user-draft.js";
import { presentWith } from "../../resources/users/user-relations.js";
import { sealKey, sealRecoveryCodes } from "../two-factor/user-factor.js";
import { type ImportReferences, rolesOf } from "./import-references.js";
import { pathOf } from "./parse-import.js";

/** What the users of an import become records with. */
export interface ImportStep {
  readonly hashes: readonly (string | undefined)[];
  readonly now: number;
  readonly references: ImportReferences;
  readonly tenantId: string;
  /** All users of the body. */
  readonly users: readonly UserWithId[];
}

type UserWithId = ParsedImportedUser & { readonly id: string };

/** The records of a user and of what belongs to the user. */
export interface UserToStore {
  readonly record: RecordToStore;
  readonly registrations: readonly RecordToStore[];
  readonly memberships: readonly RecordToStore[];
  /** The user as the wire shows it. */
  readonly shown: string;
}

/** The records of the user at a place of the body. @throws IdentityError 400 for a record that is too large. */
export function toUserToStore(call: OperationCall, step: ImportStep, index: number): UserToStore {
  const record = toUserRecord(call, step, index);
  assertRecordSize(call.service, record, pathOf(index));
  const registrations = toRegistrations(call, step, index);
  const memberships = toMemberships(call, step, index);
  return { record, registrations, memberships, shown: presentWith(call, record, { memberships, registrations }) };
}

function toUserRecord(
  call: OperationCall,
  { hashes, now, references, tenantId, users }: ImportStep,
  index: number,
): RecordToStore {
  const { memberships: _memberships, registrations: _registrations, ...given } = users[index] as UserWithId;
  const { encryptionScheme: _scheme, factor: _factor, salt: _salt, twoFactor, passwordHash: _hash, ...fields } = given;
  const { active, id, insertInstant = now, lastLoginInstant, passwordLastUpdateInstant, verifiedInstant, ...user } = fields;
  const tenant = references.tenants[index];
  const passwordHash = hashes[index];
  const request = { user, ...(passwordHash !== undefined && { passwordHash }) };
  const draft = toDraft(call, request, { id, tenantId, tenant, now, current: undefined });
  const record: User = {
    ...draft.record,
    active,
    insertInstant,
    identities: draft.record.identities.map((identity) => ({ ...identity, insertInstant })),
    lastLoginInstant,
    ...(passwordHash !== undefined && { passwordLastUpdateInstant: passwordLastUpdateInstant ?? now }),
    ...(draft.record.verified && { verifiedInstant: verifiedInstant ?? now }),
  };
  const hidden = { ...draft.hidden, ...(twoFactor && { twoFactor: toState(call, id, twoFactor) }) };
  return toRecordToStore(toUserDraft(record, hidden), tenantId, 1);
}

function toState(call: OperationCall, userId: string, { methods, recoveryCodes }: ParsedTwoFactor): TwoFactorState | undefined {
  if (methods.length === 0) return undefined;
  const { newId } = call.service.runtime;
  return {
    methods: methods.map(({ id = newId(), lastUsed, secret, ...method }) => {
      const key = method.method !== "authenticator" ? undefined : sealKey(call, userId, Buffer.from(secret ?? ""));
      return { ...method, id, key, lastStep: 0, isLastUsed: lastUsed };
    }),
    ...(recoveryCodes.length > 0 && { recoveryCodes: sealRecoveryCodes(call.service.sealer, userId, recoveryCodes) }),
  };
}

function toRegistrations(call: OperationCall, step: ImportStep, index: number): readonly RecordToStore[] {
  const { now, references, tenantId, users } = step;
  const user = users[index];
  return (user?.registrations ?? []).map((registration) => {
    const { verified: asked, insertInstant = user?.insertInstant ?? now, ...fields } = registration;
    const verified = asked ?? references.applications.get(registration.applicationId)?.asksVerification !== true;
    const record: Registration = {
      ...fields,
      id: call.service.runtime.newId(),
      insertInstant,
      lastUpdateInstant: now,
      roles: rolesOf(references.applications, registration) ?? [],
      tokens: {},
      usernameStatus: "ACTIVE",
      verified,
      verifiedInstant: verified ? now : undefined,
    };
    return toRecordToStore(toRegistrationDraft(record, user?.id ?? ""), tenantId, 1);
  });
}

function toMemberships(call: OperationCall, { now, references, users }: ImportStep, index: number): readonly RecordToStore[] {
  const user = users[index];
  return (user?.memberships ?? []).flatMap((membership) => {
    const group = references.groups.get(membership.groupId);
    if (group === undefined) return [];
    return toMemberRecord(call, group, makeMember(call, group, { ...membership, userId: user?.id ?? "" }, now));
  });
}
