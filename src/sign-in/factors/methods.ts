import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { presentUser } from "../../people/relations/present-user.js";
import { queueFlowMail } from "../../people/verification/flow-mail.js";
import type { StoredRecord } from "../../ports/storage.js";
import { findStep } from "../../records/factors/totp.js";
import { presentMethod, type TwoFactorMethodState, type TwoFactorState } from "../../records/factors/two-factor-state.js";
import { revokeTrusts } from "../../sessions/one-time-ids/trusts.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { useCode } from "./one-time-codes.js";
import {
  acceptCode,
  changeState,
  createRecoveryCodes,
  loadUser,
  openKey,
  sealKey,
  sealRecoveryCodes,
  stateOf,
} from "./user-factor.js";

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
export function assertAllowed({ service }: OperationCall, { methods }: TwoFactorState, wanted: NewMethod): void {
  const isLegacy = service.availability.behaves("legacyTwoFactor");
  if (isLegacy && methods.length > 0) throw fieldError("configured", "user.twoFactorEnabled");
  if (methods.length >= maxMethods) throw fieldError("tooMany", "method");
  for (const path of ["email", "mobilePhone"] as const)
    if (wanted[path] !== undefined && methods.some((method) => method[path] === wanted[path]))
      throw fieldError("duplicate", path);
}

interface AddedMethod {
  /** Absent before 1.26.0; empty for a user with earlier codes. */
  readonly recoveryCodes?: readonly string[];
}

/** Adds a method to a user, publishes the event and sends the mail about it. Undefined for a wrong code. */
export async function addMethod(call: WriteCall, userId: string, newMethod: NewMethod): Promise<AddedMethod | undefined> {
  const user = await loadUser(call, userId);
  assertAllowed(call, stateOf(user), newMethod);
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
    const state = useCode(call, user, { kind: "method", method, to }, code);
    return state && { lastStep: -1, state };
  }
  const state = stateOf(user);
  const key = newMethod.key ?? (state.offeredKey && openKey(call, user.id, state.offeredKey));
  if (!key) throw new FieldErrorList().add("blank", "secret").add("blank", "secretBase32Encoded").toError();
  const lastStep = await findStep(key, code, call.service.runtime.clock());
  if (lastStep === undefined) return undefined;
  return { key: sealKey(call, user.id, key), lastStep, state: { ...state, offeredKey: undefined } };
}

/** The methods to remove: all of them without an id, as before 1.26.0. */
export interface MethodRemoval {
  readonly code: string;
  readonly methodId: string | undefined;
  readonly place: LoginScope;
}

/**
 * Removes a method of a user, revokes the trust in the user's devices, publishes the event and sends the mail about it. Undefined
 * for a wrong code.
 */
export async function removeMethods(
  call: WriteCall,
  userId: string,
  { code, methodId, place }: MethodRemoval,
): Promise<StoredRecord | undefined> {
  const user = await loadUser(call, userId);
  // A code of another method, which the thief of a token may have added, must not remove this one.
  const isRemoved = ({ id }: TwoFactorMethodState): boolean => methodId === undefined || id === methodId;
  const sent = methodId === undefined ? undefined : useCode(call, user, { kind: "removal", methodId }, code);
  const state = sent ?? (await acceptCode(call, user, code, isRemoved));
  if (state === undefined) return undefined;
  const methods = state.methods.filter((method) => !isRemoved(method));
  const recoveryCodes = methods.length === 0 ? undefined : state.recoveryCodes;
  // Pending codes may belong to the removed method.
  const changed = await changeState(call, user, { ...state, codes: undefined, methods, recoveryCodes });
  await revokeTrusts(call, { id: userId, tenantId: user.tenantId ?? "" });
  await publishMethods(call, "remove", { place, user: changed, methods: state.methods.filter(isRemoved) });
  return changed;
}

interface MethodChange {
  readonly methods: readonly TwoFactorMethodState[];
  readonly place: LoginScope;
  readonly user: StoredRecord;
}

async function publishMethods(call: WriteCall, kind: "add" | "remove", { methods, place, user }: MethodChange): Promise<void> {
  const event = { type: `user.two-factor.method.${kind}`, tenantId: user.tenantId ?? "", linkedObjectId: user.id };
  const shown: unknown = JSON.parse(await presentUser(call, user));
  const mail = kind === "add" ? "twoFactorMethodAddEmailTemplateId" : "twoFactorMethodRemoveEmailTemplateId";
  for (const method of methods.map(presentMethod)) {
    await publishEvent(call, { ...event, fields: { method, user: shown } });
    await queueFlowMail(call, { requirement: mail, place, user, variables: { method } });
  }
}

/** Renames a method. @throws IdentityError 400 `[invalid]methodId` for an unknown method. */
export async function updateMethod(call: WriteCall, userId: string, methodId: string, name: string | undefined): Promise<void> {
  const user = await loadUser(call, userId);
  const state = stateOf(user);
  if (!state.methods.some(({ id }) => id === methodId)) throw fieldError("invalid", "methodId");
  const methods = state.methods.map((method) => (method.id === methodId ? { ...method, name: name || undefined } : method));
  await changeState(call, user, { ...state, methods });
}
