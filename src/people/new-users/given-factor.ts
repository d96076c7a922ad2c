import { fieldErrorCodes } from "../../errors/codes.js";
import { FieldErrorList } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ParsedTwoFactor } from "../../records/factors/factor-schema.js";
import { faultsOfMethods } from "../../records/factors/faults-of-methods.js";
import { keyOfSecret } from "../../records/factors/given-secret.js";
import { digestRecoveryCode, sealKey, sealRecoveryDigests } from "../../records/factors/seal-factor.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import type { ParsedUserRequest } from "../../records/users/schema.js";

/** The hidden second factor of a user from a body; undefined for one without methods. */
export function toTwoFactorState(
  call: OperationCall,
  userId: string,
  { methods, recoveryCodeDigests, recoveryCodes }: ParsedTwoFactor,
): TwoFactorState | undefined {
  if (methods.length === 0) return undefined;
  const { newId } = call.service.runtime;
  const digests = [...recoveryCodes.map(digestRecoveryCode), ...recoveryCodeDigests];
  return {
    methods: methods.map(({ id = newId(), lastUsed, secret, secretBase32Encoded, secretBase64Encoded, ...method }) => {
      const bytes = keyOfSecret({ secret, secretBase32Encoded, secretBase64Encoded });
      const key = method.method === "authenticator" && bytes !== undefined ? sealKey(call, userId, bytes) : undefined;
      return { ...method, id, key, lastStep: 0, isLastUsed: lastUsed };
    }),
    ...(digests.length > 0 && { recoveryCodes: sealRecoveryDigests(call.service.sealer, userId, digests) }),
  };
}

/**
 * The stored second factor of a new user; undefined for none.
 * @throws IdentityError 400 for a method without its secret, address or number, for two with the same address or number, and for
 * recovery codes without a method.
 */
export function toStateOfNew(
  call: OperationCall,
  userId: string,
  { mobilePhone, twoFactor }: Pick<ParsedUserRequest["user"], "mobilePhone" | "twoFactor">,
): TwoFactorState | undefined {
  if (twoFactor === undefined || call.service.availability.behaves("legacyTwoFactor")) return undefined;
  const errors = new FieldErrorList();
  for (const { explanation = "", field, index, kind } of faultsOfMethods({ mobilePhone, twoFactor })) {
    const path = `user.twoFactor.methods[${index}].${field}`;
    errors.add(kind, path, `${fieldErrorCodes[kind].message(path)} ${explanation}`.trim());
  }
  const codes = twoFactor.recoveryCodes.length + twoFactor.recoveryCodeDigests.length;
  if (codes > 0 && twoFactor.methods.length === 0) errors.add("missing", "user.twoFactor.methods");
  errors.throwIfAny();
  return toTwoFactorState(call, userId, twoFactor);
}
