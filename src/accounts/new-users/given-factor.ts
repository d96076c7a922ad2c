import { FieldErrorList } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { missingOfMethod, type TwoFactorState } from "../../resources/users/two-factor-state.js";
import type { ParsedTwoFactor } from "../two-factor/factor-schema.js";
import { digestRecoveryCode, sealKey, sealRecoveryDigests } from "../two-factor/seal-factor.js";

/** What a user hides of the second factor that a body gives; undefined for one without methods. */
export function toTwoFactorState(
  call: OperationCall,
  userId: string,
  { methods, recoveryCodeDigests, recoveryCodes }: ParsedTwoFactor,
): TwoFactorState | undefined {
  if (methods.length === 0) return undefined;
  const { newId } = call.service.runtime;
  const digests = [...recoveryCodes.map(digestRecoveryCode), ...recoveryCodeDigests];
  return {
    methods: methods.map(({ id = newId(), lastUsed, secret = "", secretBase64Encoded, ...method }) => {
      const bytes = secretBase64Encoded === undefined ? Buffer.from(secret) : Buffer.from(secretBase64Encoded, "base64");
      const key = method.method !== "authenticator" ? undefined : sealKey(call, userId, bytes);
      return { ...method, id, key, lastStep: 0, isLastUsed: lastUsed };
    }),
    ...(digests.length > 0 && { recoveryCodes: sealRecoveryDigests(call.service.sealer, userId, digests) }),
  };
}

/**
 * The second factor of a new user as it is stored; undefined for none.
 * @throws IdentityError 400 for a method without its secret or address, and for recovery codes without a method.
 */
export function toStateOfNew(call: OperationCall, userId: string, twoFactor: ParsedTwoFactor): TwoFactorState | undefined {
  if (call.service.availability.behaves("legacyTwoFactor")) return undefined;
  const errors = new FieldErrorList();
  for (const [index, method] of twoFactor.methods.entries()) {
    const field = missingOfMethod(method);
    if (field !== undefined) errors.add("blank", `user.twoFactor.methods[${index}].${field}`);
  }
  const codes = twoFactor.recoveryCodes.length + twoFactor.recoveryCodeDigests.length;
  if (codes > 0 && twoFactor.methods.length === 0) errors.add("missing", "user.twoFactor.methods");
  errors.throwIfAny();
  return toTwoFactorState(call, userId, twoFactor);
}
