import type { OperationCall } from "../operations/operation.js";
import type { OperationResult } from "../transport/write-response.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { keepPendingLogin } from "./pending-logins.js";
import { loadTenant } from "./sign-token.js";
import type { SessionWish } from "./start-session.js";
import { tellSecondFactor } from "./tell-second-factor.js";
import { toShownMethod } from "./two-factor-state.js";
import { stateOf } from "./user-factor.js";

/**
 * The answer that asks for a second factor (facts.md 10.10: 242), once the password was right; undefined when the user has none. The
 * `twoFactorId` in it stands for this login until it is finished or the tenant's `twoFactorIdTimeToLiveInSeconds` are over.
 */
export async function findSecondFactor(call: OperationCall, wish: SessionWish): Promise<OperationResult | undefined> {
  const { methods } = stateOf(wish.user);
  if (methods.length === 0) return undefined;
  const tenant = await loadTenant(call, wish.user.tenantId ?? "");
  const { clock, random } = call.service.runtime;
  const expirationInstant = clock() + tenant.externalIdentifierConfiguration.twoFactorIdTimeToLiveInSeconds * 1_000;
  const twoFactorId = Buffer.from(random(32)).toString("base64url");
  await call.write(async (write) => {
    await keepPendingLogin(write, wish, { twoFactorId, expirationInstant });
    await tellSecondFactor(write, "challenge", wish);
  });
  const isLegacy = call.service.availability.behaves("legacyTwoFactor");
  const json = toCanonicalJson(isLegacy ? { twoFactorId } : { methods: methods.map(toShownMethod), twoFactorId });
  return { status: 242, json };
}
