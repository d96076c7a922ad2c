import { generalError } from "../../errors/identity-error.js";
import { parseHidden } from "../../operations/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { usersTable } from "../../resources/users/family.js";
import { changeUser, type HiddenUser, saveUser } from "../../resources/users/rules.js";
import type { TwoFactorMethodState, TwoFactorState } from "../../resources/users/two-factor-state.js";
import { type SealedLocation, sealedLocationOf } from "../../security/seal.js";
import { throttled } from "../throttle/throttle.js";
import { removeRecoveryCode } from "./recovery-codes.js";
import { findStep, loadTotp } from "./totp.js";

const noState: TwoFactorState = Object.freeze({ methods: [] });

/** What a user hides of a second factor. */
export function stateOf(user: StoredRecord): TwoFactorState {
  return parseHidden<HiddenUser>(user)?.twoFactor ?? noState;
}

/** The user, in the call's scope. @throws IdentityError 404 when there is none. */
export async function loadUser(call: OperationCall, userId: string): Promise<StoredRecord> {
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined) throw generalError("notFound");
  return user;
}

/** Keeps how far a user's second factor is used. */
export function saveTwoFactorState(call: WriteCall, user: StoredRecord, state: TwoFactorState): Promise<StoredRecord> {
  return saveUser(call, user, {}, toHidden(state));
}

/** Changes a user's second factor, and records it in the audit log. */
export function changeState(call: WriteCall, user: StoredRecord, state: TwoFactorState): Promise<StoredRecord> {
  return changeUser(call, user, {}, toHidden(state));
}

// One without methods, and without anything offered, is none.
function toHidden(state: TwoFactorState): Pick<HiddenUser, "twoFactor"> {
  const { methods, offeredKey, sent } = state;
  const isNone = methods.length === 0 && offeredKey === undefined && sent === undefined;
  return { twoFactor: isNone ? undefined : state };
}

/** Seals the key of codes for a user. */
export function sealKey({ service }: OperationCall, userId: string, key: Uint8Array): string {
  return service.sealer.seal(Buffer.from(key).toString("base64url"), placeOf(userId));
}

/** Opens what {@link sealKey} sealed. */
export function openKey({ service }: OperationCall, userId: string, sealed: string): Uint8Array {
  return Buffer.from(service.sealer.open(sealed, placeOf(userId)), "base64url");
}

function placeOf(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "twoFactor");
}

/**
 * The second factor after a code of one of some methods, or a recovery code, was accepted, to be stored in the same transaction: a step, or a
 * recovery code, is good for one use (docs/reference/two-factor.md#totp). Undefined for a wrong code.
 */
export async function acceptCode(
  call: WriteCall,
  user: StoredRecord,
  code: string,
  isAsked: (method: TwoFactorMethodState) => boolean = () => true,
): Promise<TwoFactorState | undefined> {
  const state = stateOf(user);
  for (const method of state.methods.filter(isAsked)) {
    const step = await findStep(openKey(call, user.id, method.key), code, call.service.runtime.clock(), method.lastStep);
    if (step !== undefined) return { ...state, methods: markUsed(state.methods, method.id, step) };
  }
  const recoveryCodes = removeRecoveryCode(call.service.sealer, user.id, state.recoveryCodes, code);
  return recoveryCodes === undefined ? undefined : { ...state, recoveryCodes };
}

function markUsed(methods: readonly TwoFactorMethodState[], id: string, lastStep: number): readonly TwoFactorMethodState[] {
  return methods.map((method) =>
    method.id === id ? { ...method, lastStep, isLastUsed: true } : { ...method, isLastUsed: false },
  );
}

/**
 * Runs an attempt at a code in a transaction; undefined from it says that the code was wrong. Failures are counted for the subject, a user.
 * @throws IdentityError 421 for a wrong code.
 */
export async function attemptCode<T>(
  call: OperationCall,
  subjectId: string,
  attempt: (write: WriteCall) => Promise<T | undefined>,
): Promise<T> {
  await loadTotp();
  const result = await throttled(
    call,
    { kind: "twoFactor", id: subjectId },
    () => call.write(attempt),
    (value) => value === undefined,
  );
  if (result === undefined) throw generalError("wrongCode");
  return result;
}
