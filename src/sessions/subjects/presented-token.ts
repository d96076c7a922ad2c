import { generalError } from "../../errors/identity-error.js";
import { refreshTokenCookie } from "../../http/authenticate/cookies.js";
import { findCookie } from "../../http/authenticate/read-credential.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { isGiven } from "../../shared/text.js";

/** A presented refresh token, and its record. */
export interface PresentedToken {
  readonly value: string;
  readonly stored: StoredRecord;
  readonly token: RefreshToken;
  readonly hidden: HiddenRefreshToken;
}

/**
 * The value of a cookie.
 * @throws IdentityError 401 when another site made the browser send it.
 */
export function readCookie({ request, service }: OperationCall, name: string): string | undefined {
  const value = request && findCookie(request.headers.cookie, name);
  if (request !== undefined && value !== undefined && service.isCrossSite(request)) throw generalError("unauthorized");
  return value;
}

/** The refresh token with this value or, without one, from the cookie; undefined for an unknown or expired one. */
export async function findPresented(call: OperationCall, value: string | undefined): Promise<PresentedToken | undefined> {
  const presented = isGiven(value) ? value : readCookie(call, refreshTokenCookie);
  if (presented === undefined) return undefined;
  const isAlive = { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() } as const;
  const filters = [equalsFilter("digest", digestSecret(presented)), isAlive];
  const [stored] = await call.reader.find(call.scope, refreshTokensTable, { op: "and", filters }, { limit: 1 });
  if (stored === undefined) return undefined;
  return {
    value: presented,
    stored,
    token: parseRecord<RefreshToken>(stored),
    hidden: parseHidden<HiddenRefreshToken>(stored) ?? {},
  };
}

/** The key that binds a token (RFC 9449, 6.1), as in the claim `cnf`. */
interface Binding {
  /** The thumbprint of the key (RFC 7638). */
  readonly jkt: string;
}

/**
 * The key to bind a new token to, proved by the header `DPoP`; undefined without the header, and in versions without DPoP.
 * Records the proof as used in its own transaction: call it once per request, and not inside of `call.write`.
 * @throws IdentityError 400 `[invalidDPoPProof]` for a wrong or used proof; 400 `[notLicensed]DPoP` when the plan does not
 * include bound tokens.
 */
export async function bindingOf({ request, service }: OperationCall): Promise<Binding | undefined> {
  if (request?.headers.dpop === undefined || !service.availability.behaves("boundTokens")) return undefined;
  service.availability.assertLicensed("DPoP");
  const jkt = await service.verifyProof(request);
  if (jkt === undefined) throw generalError("invalidDPoPProof");
  return { jkt };
}

/** Whether the caller is a front door that may renew its visitors' sessions, such as the console. */
export function canRefreshSessions({ principal }: OperationCall): boolean {
  return principal?.kind === "visitor" && principal.grants.get("/api/jwt/refresh")?.has("POST") === true;
}
