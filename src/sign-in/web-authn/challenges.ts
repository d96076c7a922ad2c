import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { findId, type OneTimeId, type Purpose, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { isObject } from "../../shared/objects.js";

/** What a challenge is for. */
export type ChallengePurpose = Extract<Purpose, `passkey${string}`>;

/** A challenge that was used up. */
export type UsedChallenge = OneTimeId & { readonly challenge: string };

/**
 * The challenge that an answer of an authenticator repeats; it is used up. Of two calls with the same one, in any process, one gets it.
 * @throws IdentityError 404 for one that is unknown, another tenant's, for another purpose, used or expired.
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

// The whole of the client data is checked later, by the library.
function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return isObject(data) && typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}
