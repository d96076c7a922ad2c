import type { OpenIdUser } from "latchkey/types";
import type { InteractionResults } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import type { LoginResult } from "../../http/interactions.js";
import { toLibrarySeconds } from "../exchange/library-time.js";

/** Returns a login in the form that the library stores until the authorization request continues. */
export function toLibraryLogin(user: OpenIdUser, result: LoginResult): NonNullable<InteractionResults["login"]> {
  const { acr, amr, authenticationType, authTime, remember = true, userId } = result;
  const by = [authenticationType ?? "PASSWORD", ...(amr?.includes("mfa") ? ["TWO_FACTOR"] : [])];
  const proof = readProof(result) ?? user.proof(by, authTime && Math.round(authTime * 1_000));
  const ts = authTime && toLibrarySeconds(Math.floor(authTime));
  return { accountId: userId, acr, amr: amr && [...amr], authenticationType, proof, remember, ts };
}

// A proof of another user is ignored.
function readProof({ proof, userId }: LoginResult): object | undefined {
  const value: unknown = proof === undefined ? undefined : JSON.parse(proof);
  if (!isObject(value) || value.userId !== userId) return undefined;
  const { userId: _of, ...rest } = value;
  return rest;
}
