import type { CanonicalText } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { type Filter, tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { RefreshToken } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { revokeTrusts } from "../one-time-ids/trusts.js";
import { loginsOfTokens } from "../validity/refresh-records.js";
import { findLifetimes } from "./lifetimes.js";
import { queueLogoutTokens } from "./logout-tokens.js";

/** The refresh tokens to revoke, and the fields of the event (docs/reference/events.md#event-types). */
export interface Revocation {
  readonly tenantId: string;
  readonly filter: Filter;
  readonly fields: {
    readonly applicationId?: string | undefined;
    readonly refreshToken?: RefreshToken | undefined;
    readonly user?: unknown;
    readonly userId?: string | undefined;
  };
}

/**
 * Revokes refresh tokens of one tenant and publishes `jwt.refresh-token.revoke`. The event lists the lifetime of access tokens by
 * application, so that a receiver can refuse them until they expire.
 */
export async function revokeTokens(call: WriteCall, { tenantId, filter, fields }: Revocation): Promise<void> {
  const scope = tenantScope(tenantId);
  const { applicationId, refreshToken, userId } = fields;
  call.tx.afterCommit(call.service.forgetSessions);
  // Ending all sessions of a user ends the trust in the devices too.
  if (userId !== undefined && applicationId === undefined && refreshToken === undefined)
    await revokeTrusts(call, { id: userId, tenantId });
  const found = await call.tx.find(scope, refreshTokensTable, filter);
  const tokens = found.map(parseRecord<RefreshToken>);
  if (tokens.length === 0) return;
  // Revoking a single token leaves the browser session alone.
  if (refreshToken === undefined) await queueLogoutTokens(call, tenantId, loginsOfTokens(call, found));
  await call.tx.remove(scope, refreshTokensTable, filter);
  const applicationIds = [...new Set(tokens.flatMap(({ applicationId }) => applicationId ?? []))];
  const applicationTimeToLiveInSeconds = await findLifetimes(call, tenantId, applicationIds);
  const linkedObjectId = fields.refreshToken?.id ?? fields.userId ?? fields.applicationId;
  await publishEvent(call, {
    type: "jwt.refresh-token.revoke",
    tenantId,
    ...(linkedObjectId !== undefined && { linkedObjectId }),
    fields: { ...fields, applicationTimeToLiveInSeconds },
  });
}

/** A user, and its JSON in responses and events. */
export interface PresentedUser {
  readonly id: string;
  readonly tenantId: string;
  readonly shown: CanonicalText;
}

/** Revokes the refresh tokens of a user after a lock, a removal or a change of the password. */
export async function revokeTokensOfUser(call: WriteCall, { id, shown, tenantId }: PresentedUser): Promise<void> {
  await revokeTokens(call, { tenantId, filter: equalsFilter("userId", id), fields: { user: shown, userId: id } });
}
