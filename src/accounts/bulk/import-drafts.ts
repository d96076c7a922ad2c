import { toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { ParsedImportedUser, ParsedTwoFactor } from "../../resources/bulk-users/schema.js";
import { toRegistrationDraft } from "../../resources/registrations/rules.js";
import { toDraft } from "../../resources/users/rules.js";
import type { Registration, User } from "../../resources/users/schema.js";
import type { TwoFactorState } from "../../resources/users/two-factor-state.js";
import { toUserDraft } from "../../resources/users/user-draft.js";
import { sealKey, sealRecoveryCodes } from "../two-factor/user-factor.js";
import { type ImportReferences, rolesOf } from "./import-references.js";

/** Users of one tenant that are stored together. */
export interface ImportStep {
  /** Their places in the body. */
  readonly chunk: readonly number[];
  readonly hashes: readonly (string | undefined)[];
  readonly now: number;
  readonly references: ImportReferences;
  readonly tenantId: string;
  /** All users of the body. */
  readonly users: readonly (ParsedImportedUser & { readonly id: string })[];
}

/** The records of users and of their registrations. */
export function toDrafts(
  call: OperationCall,
  step: ImportStep,
): { readonly stored: readonly RecordToStore[]; readonly registrations: readonly RecordToStore[] } {
  const stored = step.chunk.map((index) => toUserRecord(call, step, index));
  const registrations = step.chunk.flatMap((index) => toRegistrations(call, step, index));
  return { stored, registrations };
}

function toUserRecord(call: OperationCall, step: ImportStep, index: number): RecordToStore {
  const { hashes, now, references, tenantId, users } = step;
  const { memberships: _memberships, registrations: _registrations, ...given } = users[index] as (typeof users)[number];
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
