import { generalError } from "../../errors/identity-error.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { changeUser, type HiddenUser, saveUser } from "../../people/users/rules.js";
import type { Random } from "../../ports/runtime.js";
import type { StoredRecord } from "../../ports/storage.js";
import {
  digestRecoveryCode,
  locationOfKey,
  placeOfCodes,
  sealKey,
  sealRecoveryDigests,
} from "../../records/factors/seal-factor.js";
import { findStep, loadTotp } from "../../records/factors/totp.js";
import type { TwoFactorMethodState, TwoFactorState } from "../../records/factors/two-factor-state.js";
import { usersTable } from "../../records/users/family.js";
import type { Sealer } from "../../security/seal.js";
import { throttled } from "../../sessions/throttle/throttle.js";

export { sealKey };

const noState: TwoFactorState = Object.freeze({ methods: [] });

/** The stored second factors of a user. */
export function stateOf(user: StoredRecord): TwoFactorState {
  return parseHidden<HiddenUser>(user)?.twoFactor ?? noState;
}

/** The user, in the call's scope. @throws IdentityError 404 for an unknown user. */
export async function loadUser(call: OperationCall, userId: string): Promise<StoredRecord> {
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined) throw generalError("notFound");
  return user;
}

/** Stores the use of a user's second factor, without an audit log entry. */
export function saveTwoFactorState(call: WriteCall, user: StoredRecord, state: TwoFactorState): Promise<StoredRecord> {
  return saveUser(call, user, {}, toHidden(state));
}

/** Changes a user's second factors and writes the change to the audit log. */
export function changeState(call: WriteCall, user: StoredRecord, state: TwoFactorState): Promise<StoredRecord> {
  return changeUser(call, user, {}, toHidden(state));
}

// State without methods, offered key and codes is not stored.
function toHidden(state: TwoFactorState): Pick<HiddenUser, "twoFactor"> {
  const { codes, methods, offeredKey } = state;
  const isNone = methods.length === 0 && offeredKey === undefined && codes === undefined;
  return { twoFactor: isNone ? undefined : state };
}

/** Opens a key sealed by {@link sealKey}. */
export function openKey({ service }: OperationCall, userId: string, sealed: string): Uint8Array {
  return Buffer.from(service.sealer.open(sealed, locationOfKey(userId)), "base64url");
}

/**
 * Accepts a code of one of the methods, or a recovery code, and returns the new state for storage in the same transaction: a time
 * step or a recovery code is valid once (docs/reference/two-factor.md#totp). Undefined for a wrong code.
 */
export async function acceptCode(
  call: WriteCall,
  user: StoredRecord,
  code: string,
  isAsked: (method: TwoFactorMethodState) => boolean = () => true,
): Promise<TwoFactorState | undefined> {
  const state = stateOf(user);
  for (const method of state.methods.filter(isAsked)) {
    if (method.key === undefined) continue;
    const step = await findStep(openKey(call, user.id, method.key), code, call.service.runtime.clock(), method.lastStep);
    if (step !== undefined) return { ...state, methods: setUsed(state.methods, method.id, step) };
  }
  const { sealer } = call.service;
  const digests = openRecoveryDigests(sealer, user.id, state.recoveryCodes);
  const used = digestRecoveryCode(code);
  if (!digests.includes(used)) return undefined;
  const rest = digests.filter((digest) => digest !== used);
  return { ...state, recoveryCodes: sealRecoveryDigests(sealer, user.id, rest) };
}

/** The methods after the use of one; `lastStep` is the time step of its code, if it has steps. */
export function setUsed(
  methods: readonly TwoFactorMethodState[],
  id: string | undefined,
  lastStep?: number,
): readonly TwoFactorMethodState[] {
  return methods.map((method) =>
    method.id === id ? { ...method, lastStep: lastStep ?? method.lastStep, isLastUsed: true } : { ...method, isLastUsed: false },
  );
}

/**
 * Runs an attempt at a code in a transaction; the attempt returns undefined for a wrong code. Counts failures for the subject, a
 * user.
 * @throws IdentityError 421 for a wrong code.
 */
export async function attemptCode<T>(
  call: OperationCall,
  subjectId: string,
  attempt: (write: WriteCall) => Promise<T | undefined>,
): Promise<T> {
  await loadTotp();
  return attemptFactor(call, subjectId, () => call.write(attempt));
}

/**
 * Runs an attempt at any second factor; the attempt returns undefined for a wrong one. Counts failures like {@link attemptCode}.
 * @throws IdentityError 421 for a wrong one.
 */
export async function attemptFactor<T>(
  call: OperationCall,
  subjectId: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const isWrong = (value: T | undefined): boolean => value === undefined;
  const result = await throttled(call, { kind: "twoFactor", id: subjectId }, attempt, isWrong);
  if (result === undefined) throw generalError("wrongCode");
  return result;
}

const count = 10;
const bytes = 10;
/** Digits and letters without lookalikes (Crockford's Base32). */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Creates ten recovery codes of 80 random bits each, as `XXXX-XXXX-XXXX-XXXX`. */
export function createRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: count }, () => toText(random(bytes)));
}

function toText(value: Uint8Array): string {
  const bits = Array.from(value, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]);
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** Seals the digests of codes: neither the storage nor a secret alone is enough to guess a code. */
export function sealRecoveryCodes(sealer: Sealer, userId: string, codes: readonly string[]): string {
  return sealRecoveryDigests(sealer, userId, codes.map(digestRecoveryCode));
}

/** The number of unused recovery codes. */
export function countRecoveryCodes(sealer: Sealer, userId: string, sealed: string | undefined): number {
  return openRecoveryDigests(sealer, userId, sealed).length;
}

/** Opens digests sealed by {@link sealRecoveryDigests}; empty without any. */
export function openRecoveryDigests(sealer: Sealer, userId: string, sealed: string | undefined): readonly string[] {
  return sealed === undefined ? [] : (JSON.parse(sealer.open(sealed, placeOfCodes(userId))) as readonly string[]);
}
