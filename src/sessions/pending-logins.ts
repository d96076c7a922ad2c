import { generalError } from "../errors/identity-error.js";
import { parseHidden } from "../operations/family.js";
import type { OperationCall, WriteCall } from "../operations/operation.js";
import { globalScope, tenantScope } from "../ports/storage.js";
import { pendingLoginsTable } from "../resources/two-factor/table.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { digestSecret } from "../secrets/digest.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import type { SessionWish } from "./start-session.js";

/** A login whose password was right and whose second factor is awaited. */
export interface PendingLogin extends Omit<SessionWish, "user"> {
  readonly id: string;
  readonly userId: string;
  readonly tenantId: string;
}

interface HiddenLogin extends Omit<SessionWish, "user"> {
  readonly userId: string;
  readonly expirationInstant: number;
}

/** Keeps a login until its second factor is shown. `expirationInstant` is in epoch milliseconds. */
export async function keepPendingLogin(
  call: WriteCall,
  { user, ...rest }: SessionWish,
  { twoFactorId, expirationInstant }: { readonly twoFactorId: string; readonly expirationInstant: number },
): Promise<void> {
  const tenantId = user.tenantId ?? "";
  const now = call.service.runtime.clock();
  const hidden: HiddenLogin = { ...rest, userId: user.id, expirationInstant };
  const record = {
    id: call.service.runtime.newId(),
    tenantId,
    version: 1,
    insertInstant: now,
    lastUpdateInstant: now,
    json: "{}",
    hidden: toCanonicalJson(hidden),
    columns: { digest: digestSecret(twoFactorId), expirationInstant, userId: user.id },
  };
  await call.tx.insert(tenantScope(tenantId), pendingLoginsTable, [record]);
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

/** Ends a login that was waiting: its id is good for nothing any more. */
export async function removePendingLogin(call: WriteCall, { id }: PendingLogin): Promise<void> {
  await call.tx.remove(globalScope, pendingLoginsTable, equalsFilter("id", id));
}
