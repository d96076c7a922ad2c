import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { findId, type OneTimeId, type Purpose, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { isObject } from "../../shared/objects.js";

/** The purpose of a challenge. */
export type ChallengePurpose = Extract<Purpose, `passkey${string}`>;

/** A used challenge. */
export type UsedChallenge = OneTimeId & { readonly challenge: string };

/**
 * Finds the challenge of an authenticator's response and marks it as used. Of two concurrent calls with one challenge, in any
 * process, one succeeds.
 * @throws IdentityError 404 for a challenge that is unknown, another tenant's, for another purpose, used or expired.
 */
export async function useChallenge(
  call: OperationCall,
  purpose: ChallengePurpose,
  clientDataJSON: string,
): Promise<UsedChallenge> {
  const challenge = readChallenge(clientDataJSON);
  const found = challenge === undefined ? undefined : await findId(call, purpose, challenge);
  if (found === undefined || challenge === undefined) throw generalError("notFound");
  await call.write((write) => useId(write, found));
  return { ...found, challenge };
}

// The library verifies the complete client data later.
function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return isObject(data) && typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}
