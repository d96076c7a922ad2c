import type { OpenIdUser } from "latchkey/types";
import type { InteractionResults } from "oidc-provider";
import type { LoginResult } from "../../interactions.js";
import { toLibrarySeconds } from "./library-time.js";

/** Returns a login as the library stores it until the authorization request goes on. */
export function toLibraryLogin(user: OpenIdUser, result: LoginResult): InteractionResults["login"] {
  const { acr, amr, authenticationType, authTime, remember = true, userId } = result;
  const by = [authenticationType ?? "PASSWORD", ...(amr?.includes("mfa") ? ["TWO_FACTOR"] : [])];
  const proof = user.proof(by, authTime && Math.round(authTime * 1_000));
  const ts = authTime && toLibrarySeconds(Math.floor(authTime));
  return { accountId: userId, acr, amr: amr && [...amr], authenticationType, proof, remember, ts };
}
