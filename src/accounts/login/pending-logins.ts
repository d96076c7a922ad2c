import { generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../resources/applications/family.js";
import type { Application } from "../../resources/applications/schema.js";
import { pendingLoginsTable } from "../../resources/two-factor/family.js";
import type { User } from "../../resources/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { type NewSession, passwordDigestOf } from "./new-session.js";

/** What is known of a second factor that is awaited, beside the session that it begins. */
export interface PendingFactor {
  /** Of a login that the host started: its result holds these. */
  readonly started?: { readonly state?: unknown; readonly trustChallenge?: string | undefined } | undefined;
  /** The record of the trust that the device has already, good elsewhere. */
  readonly trustRecordId?: string | undefined;
}

/** A login whose password was right and whose second factor is awaited. */
export interface PendingLogin extends Omit<NewSession, "user">, PendingFactor {
  readonly id: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly passwordDigest: string;
}

interface HiddenLogin extends Omit<NewSession, "user">, PendingFactor {
  readonly userId: string;
  /** Version of the stored password that was verified. */
  readonly passwordDigest: string;
  readonly expirationInstant: number;
}

/** The ids of a new pending login: what the caller gets, and that of its record. */
export interface PendingLoginIds {
  readonly twoFactorId: string;
  readonly recordId: string;
}

/** Stores a login until its second factor is shown, for so many seconds. */
export async function savePendingLogin(
  call: WriteCall,
  { user, ...rest }: NewSession & PendingFactor,
  lifetimeSeconds: number,
): Promise<PendingLoginIds> {
  const tenantId = user.tenantId ?? "";
  const { clock, newId, random } = call.service.runtime;
  const now = clock();
  const twoFactorId = Buffer.from(random(32)).toString("base64url");
  const recordId = newId();
  const expirationInstant = now + lifetimeSeconds * 1_000;
  const hidden: HiddenLogin = { ...rest, userId: user.id, passwordDigest: passwordDigestOf(user), expirationInstant };
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

/** The login that an id stands for. @throws IdentityError 404 for an id that is unknown, another tenant's, used or too old. */
export async function loadPendingLogin(call: OperationCall, twoFactorId: string): Promise<PendingLogin> {
  const byDigest = equalsFilter("digest", digestSecret(twoFactorId));
  const [stored] = await call.reader.find(call.scope, pendingLoginsTable, byDigest, { limit: 1 });
  const hidden = stored && parseHidden<HiddenLogin>(stored);
  if (stored === undefined || hidden === undefined || hidden.expirationInstant <= call.service.runtime.clock())
    throw generalError("notFound");
  const { expirationInstant: _expirationInstant, ...login } = hidden;
  return { ...login, id: stored.id, tenantId: stored.tenantId ?? "" };
}

/**
 * What held when the password was right must hold still.
 * @throws IdentityError 404 when since then the user was locked out or got another password, or the application is not to be used any more.
 */
export async function assertUnchanged(call: OperationCall, login: PendingLogin, user: StoredRecord): Promise<void> {
  const isUsable = login.applicationId === undefined || (await isActive(call, login.tenantId, login.applicationId));
  const { active } = parseRecord<User>(user);
  if (!active || !isUsable || passwordDigestOf(user) !== login.passwordDigest) throw generalError("notFound");
}

async function isActive(call: OperationCall, tenantId: string, applicationId: string): Promise<boolean> {
  const stored = await call.reader.retrieve(tenantScope(tenantId), applicationsTable, applicationId);
  return stored !== undefined && parseRecord<Application>(stored).active;
}

/** Ends a login that was waiting: its id is good for nothing any more. */
export async function removePendingLogin(call: WriteCall, { id }: PendingLogin): Promise<void> {
  await call.tx.remove(globalScope, pendingLoginsTable, equalsFilter("id", id));
}
