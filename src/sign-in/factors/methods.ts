import { fieldError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { presentUser } from "../../people/relations/present-user.js";
import { queueFlowMail } from "../../people/verification/flow-mail.js";
import type { StoredRecord } from "../../ports/storage.js";
import { presentMethod, type TwoFactorMethodState } from "../../records/factors/two-factor-state.js";
import type { UpdateTwoFactorRequest } from "../../records/two-factor/schema.js";
import { revokeTrusts } from "../../sessions/one-time-ids/trusts.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { useCode } from "./one-time-codes.js";
import { acceptCode, changeState, loadUser, stateOf } from "./user-factor.js";

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
  const sent = methodId === undefined ? undefined : useCode(call, user, { code, purpose: { kind: "removal", methodId } });
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

/** Publishes the change of methods and sends the mails about it. */
export async function publishMethods(
  call: WriteCall,
  kind: "add" | "remove",
  { methods, place, user }: MethodChange,
): Promise<void> {
  const event = { type: `user.two-factor.method.${kind}`, tenantId: user.tenantId ?? "", linkedObjectId: user.id };
  const shown: unknown = JSON.parse(await presentUser(call, user));
  const mail = kind === "add" ? "twoFactorMethodAddEmailTemplateId" : "twoFactorMethodRemoveEmailTemplateId";
  for (const method of methods.map(presentMethod)) {
    await publishEvent(call, { ...event, fields: { method, user: shown } });
    await queueFlowMail(call, { requirement: mail, place, user, variables: { method } });
  }
}

/** Renames a method. @throws IdentityError 400 `[invalid]methodId` for an unknown method. */
export async function updateMethod(call: WriteCall, userId: string, { methodId, name }: UpdateTwoFactorRequest): Promise<void> {
  const user = await loadUser(call, userId);
  const state = stateOf(user);
  if (!state.methods.some(({ id }) => id === methodId)) throw fieldError("invalid", "methodId");
  const methods = state.methods.map((method) => (method.id === methodId ? { ...method, name: name || undefined } : method));
  await changeState(call, user, { ...state, methods });
}
