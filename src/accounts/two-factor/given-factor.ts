import type { OperationCall } from "../../operations/operation.js";
import type { ParsedTwoFactor } from "../../resources/users/two-factor-fields.js";
import type { TwoFactorState } from "../../resources/users/two-factor-state.js";
import { digestRecoveryCode, sealKey, sealRecoveryDigests } from "./user-factor.js";

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
