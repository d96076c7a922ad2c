import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { openEnding } from "../../records/openid-records.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import type { Ending } from "../../sessions/validity/artifacts.js";
import { type Artifact, findEnding } from "../../sessions/validity/check-artifact.js";
import { toArtifact as toOpenIdArtifact } from "../../sessions/validity/openid-artifact.js";
import { openRefreshPayload } from "../../sessions/validity/refresh-records.js";

/** The user of a refresh token, and the tenant and application. */
interface RefreshContext extends LoginScope {
  readonly user: StoredRecord;
}

/** The reason for which a refresh refuses a stored token; undefined for none. Everything that ends a session ends its token. */
export async function findRefreshEnding(
  call: OperationCall,
  stored: StoredRecord,
  context: RefreshContext,
): Promise<Ending | undefined> {
  const artifact = toArtifact(call, stored);
  // Pages of the OpenID provider ask for the new password at its next login.
  const isBlocked = artifact.kind === "refreshToken" && parseRecord<User>(context.user).passwordChangeRequired;
  return isBlocked ? "password" : findEnding(call, artifact, context);
}

/** Those of a user's stored refresh tokens that can be used. Reads the user and each application once. */
export async function findUsableTokens(
  call: OperationCall,
  userId: string,
  found: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> {
  const user = found.length === 0 ? undefined : await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined) return [];
  const kept = new Set<StoredRecord>();
  const byApplication = Map.groupBy(found, (stored) => parseRecord<RefreshToken>(stored).applicationId);
  for (const [applicationId, tokens] of byApplication) {
    const context = { user, ...(await findLoginScope(call, user.tenantId ?? "", applicationId)) };
    for (const stored of tokens) if ((await findRefreshEnding(call, stored, context)) === undefined) kept.add(stored);
  }
  return found.filter((stored) => kept.has(stored));
}

function toArtifact({ service }: OperationCall, stored: StoredRecord): Artifact {
  const { applicationId, startInstant, tenantId, userId } = parseRecord<RefreshToken>(stored);
  const hidden = parseHidden<HiddenRefreshToken>(stored) ?? {};
  const of = { applicationId, tenantId, userId };
  if (hidden.openId !== undefined) {
    const content = openEnding(() => openRefreshPayload(service.sealer, stored));
    return toOpenIdArtifact({ kind: "openIdRefreshToken", content }, of);
  }
  // A password change revokes earlier tokens of earlier versions.
  const proof = hidden.proof ?? { at: startInstant, until: Number.MAX_SAFE_INTEGER, by: [] };
  return { ...of, kind: "refreshToken", proof, registration: hidden.isRegistered ? "asked" : undefined };
}
