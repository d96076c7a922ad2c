import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { recipientOf } from "../../records/factors/faults-of-methods.js";
import { findStep } from "../../records/factors/totp.js";
import type { TwoFactorMethodState, TwoFactorState } from "../../records/factors/two-factor-state.js";
import type { User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { publishMethods } from "./methods.js";
import { useCode } from "./one-time-codes.js";
import { changeState, createRecoveryCodes, loadUser, openKey, sealKey, sealRecoveryCodes, stateOf } from "./user-factor.js";

/** A method to add. */
export interface NewMethod extends Pick<TwoFactorMethodState, "email" | "method" | "mobilePhone" | "name"> {
  readonly code: string;
  /** The key of its codes; undefined for methods that send codes, and for a key that was offered with a code. */
  readonly key?: Uint8Array | undefined;
  readonly place: LoginScope;
}

const maxMethods = 10;

/**
 * With legacy calls, a method must first be removed with its own code before another is added
 * (docs/reference/two-factor.md#legacy-calls).
 * @throws IdentityError 400 for a user at the maximum of methods, or with this method already.
 */
export function assertAllowed({ service }: OperationCall, user: StoredRecord, wanted: NewMethod): void {
  const { methods } = stateOf(user);
  const isLegacy = service.availability.behaves("legacyTwoFactor");
  if (isLegacy && methods.length > 0) throw fieldError("configured", "user.twoFactorEnabled");
  if (methods.length >= maxMethods) throw fieldError("tooMany", "method");
  const { mobilePhone } = parseRecord<User>(user);
  const recipient = recipientOf(wanted, mobilePhone);
  if (recipient !== undefined && methods.some((method) => recipientOf(method, mobilePhone)?.value === recipient.value))
    throw fieldError("duplicate", recipient.field);
}

interface AddedMethod {
  /** Absent before 1.26.0; empty for a user with earlier codes. */
  readonly recoveryCodes?: readonly string[];
}

/** Adds a method to a user, publishes the event and sends the mail about it. Undefined for a wrong code. */
export async function addMethod(call: WriteCall, userId: string, newMethod: NewMethod): Promise<AddedMethod | undefined> {
  const user = await loadUser(call, userId);
  assertAllowed(call, user, newMethod);
  const proven = await proveMethod(call, user, newMethod);
  if (proven === undefined) return undefined;
  const { key, lastStep, state } = proven;
  const { email, method: kind, mobilePhone, name, place } = newMethod;
  const id = call.service.runtime.newId();
  const method = { email, id, isLastUsed: false, key, lastStep, method: kind, mobilePhone, name };
  const hasCodes = !call.service.availability.behaves("legacyTwoFactor");
  const codes = hasCodes && state.methods.length === 0 ? createRecoveryCodes(call.service.runtime.random) : [];
  const recoveryCodes = codes.length === 0 ? state.recoveryCodes : sealRecoveryCodes(call.service.sealer, userId, codes);
  const changed = await changeState(call, user, { ...state, methods: [...state.methods, method], recoveryCodes });
  await publishMethods(call, "add", { place, user: changed, methods: [method] });
  return hasCodes ? { recoveryCodes: codes } : {};
}

interface ProvenMethod {
  readonly key?: string | undefined;
  readonly lastStep: number;
  /** The user's state without the used code. */
  readonly state: TwoFactorState;
}

async function proveMethod(call: WriteCall, user: StoredRecord, newMethod: NewMethod): Promise<ProvenMethod | undefined> {
  const { code, email, method, mobilePhone } = newMethod;
  const to = email ?? mobilePhone;
  if (method !== "authenticator" && to !== undefined) {
    const state = useCode(call, user, { code, purpose: { kind: "method", method, to } });
    return state && { lastStep: -1, state };
  }
  const state = stateOf(user);
  const key = newMethod.key ?? (state.offeredKey && openKey(call, user.id, state.offeredKey));
  if (!key) throw new FieldErrorList().add("blank", "secret").add("blank", "secretBase32Encoded").toError();
  const lastStep = await findStep(key, code, call.service.runtime.clock());
  if (lastStep === undefined) return undefined;
  return { key: sealKey(call, user.id, key), lastStep, state: { ...state, offeredKey: undefined } };
}
