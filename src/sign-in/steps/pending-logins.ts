import { generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { globalScope, tenantScope } from "../../ports/storage.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import { pendingLoginsTable } from "../../records/two-factor/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { apiKeyIdOf } from "../../sessions/validity/artifact-source.js";
import { findEnding } from "../../sessions/validity/check-artifact.js";
import { type NewSession, proofOfSession } from "./new-session.js";

/** Members of a pending login besides those of its session. */
export interface PendingFactor {
  /** Members for the result of a login that the host started. */
  readonly started?: { readonly state?: unknown; readonly trustChallenge?: string | undefined } | undefined;
  /** The record of the device's existing trust, for another application. */
  readonly trustRecordId?: string | undefined;
}

/** A login with a correct first factor that waits for its second. */
export interface PendingLogin extends Omit<NewSession, "user">, PendingFactor {
  readonly id: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly proof: Proof;
}

interface HiddenLogin extends Omit<NewSession, "user">, PendingFactor {
  readonly userId: string;
  readonly expirationInstant: number;
  /** The API key that started it. */
  readonly keyId?: string | undefined;
}

/** The ids of a new pending login: the caller's, and that of its record. */
export interface PendingLoginIds {
  readonly twoFactorId: string;
  readonly recordId: string;
}

/** Stores a login that waits for its second factor, with a lifetime in seconds. */
export async function savePendingLogin(
  call: WriteCall,
  session: NewSession & PendingFactor,
  lifetimeSeconds: number,
): Promise<PendingLoginIds> {
  const { user, ...rest } = session;
  const tenantId = user.tenantId ?? "";
  const { clock, newId, random } = call.service.runtime;
  const now = clock();
  const twoFactorId = Buffer.from(random(32)).toString("base64url");
  const recordId = newId();
  const expirationInstant = now + lifetimeSeconds * 1_000;
  const keyId = rest.started && apiKeyIdOf(call);
  const hidden: HiddenLogin = { ...rest, expirationInstant, keyId, proof: proofOfSession(session), userId: user.id };
  const record = {
    id: recordId,
    tenantId,
    version: 1,
    insertInstant: now,
    lastUpdateInstant: now,
    json: "{}",
    hidden: toCanonicalJson(hidden),
    columns: { digest: digestSecret(twoFactorId), expirationInstant, userId: user.id },
  };
  await call.tx.insert(tenantScope(tenantId), pendingLoginsTable, [record]);
  return { twoFactorId, recordId };
}

/**
 * Finds a pending login. @throws IdentityError 404 for an id that is unknown, another tenant's, used, expired, or of an ended
 * login.
 */
export async function loadPendingLogin(call: OperationCall, twoFactorId: string): Promise<PendingLogin> {
  const byDigest = equalsFilter("digest", digestSecret(twoFactorId));
  const [stored] = await call.reader.find(call.scope, pendingLoginsTable, byDigest, { limit: 1 });
  const hidden = stored && parseHidden<HiddenLogin>(stored);
  const { proof } = hidden ?? {};
  if (stored === undefined || hidden === undefined || proof === undefined) throw generalError("notFound");
  const { expirationInstant, keyId, ...login } = hidden;
  if (expirationInstant <= call.service.runtime.clock()) throw generalError("notFound");
  const pending = { ...login, proof, id: stored.id, tenantId: stored.tenantId ?? "" };
  const { applicationId, tenantId, userId } = pending;
  const ending = await findEnding(call, { kind: "twoFactorLogin", tenantId, userId, applicationId, keyId, proof });
  // For these, the login throws its errors after a correct second factor.
  if (ending !== undefined && ending !== "action" && ending !== "expiry") throw generalError("notFound");
  return pending;
}

/** Removes a pending login, which invalidates its id. */
export async function removePendingLogin(call: WriteCall, { id }: PendingLogin): Promise<void> {
  await call.tx.remove(globalScope, pendingLoginsTable, equalsFilter("id", id));
}
