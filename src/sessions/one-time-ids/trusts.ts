import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { oneTimeIdsTable } from "../../records/logins/family.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { TwoFactorTrust } from "../../records/two-factor/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { LoginScope } from "../subjects/token-subject.js";
import { findId, issueId, type OneTimeId, revokeIds } from "./one-time-ids.js";

/** The trusts of a device. */
export type DeviceTrust = Pick<OneTimeId, "details" | "recordId" | "tenantId" | "userId">;

/** The trust of a user's device; undefined if the id is unknown, expired or another user's. */
export async function findTrust(
  call: OperationCall,
  user: StoredRecord,
  twoFactorTrustId: string | undefined,
): Promise<DeviceTrust | undefined> {
  if (twoFactorTrustId === undefined) return undefined;
  const trust = await findId({ ...call, scope: tenantScope(user.tenantId ?? "") }, "twoFactorTrust", twoFactorTrustId);
  return trust?.userId === user.id ? trust : undefined;
}

/** The unexpired trusts of a device. */
export function trustsOf({ service }: OperationCall, trust: Pick<DeviceTrust, "details"> | undefined): readonly TwoFactorTrust[] {
  const now = service.runtime.clock();
  return (trust?.details.trusts ?? []).filter(({ expiration }) => expiration > now);
}

/** Whether the application's policy accepts a device without a second factor. */
export function isTrustedAt(call: OperationCall, { application }: LoginScope, trust: DeviceTrust | undefined): boolean {
  const trusts = trustsOf(call, trust);
  const { trustPolicy = "Any" } = applicationSettingsOf(application).multiFactorConfiguration;
  if (trustPolicy === "This") return trusts.some(({ applicationId }) => applicationId === application?.id);
  return trustPolicy === "Any" && trusts.length > 0;
}

/** Trusts a device at an application and keeps the trusts of the replaced record. Returns the id, which cannot be read again. */
export async function issueTrust(
  call: WriteCall,
  { application, tenant }: LoginScope,
  { replacedId, userId }: { readonly replacedId: string | undefined; readonly userId: string },
): Promise<string> {
  const startInstant = call.service.runtime.clock();
  const { twoFactorTrustIdTimeToLiveInSeconds: seconds } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const added = { applicationId: application?.id, expiration: startInstant + seconds * 1_000, startInstant };
  const earlier = replacedId === undefined ? [] : await takeTrusts(call, { recordId: replacedId, tenantId: tenant.id, userId });
  const trusts = [...earlier.filter(({ applicationId }) => applicationId !== added.applicationId), added];
  return (await issueId(call, tenant, { purpose: "twoFactorTrust", userId, details: { trusts } })).id;
}

async function takeTrusts(
  call: WriteCall,
  { recordId, tenantId, userId }: Pick<OneTimeId, "recordId" | "tenantId" | "userId">,
): Promise<readonly TwoFactorTrust[]> {
  const scope = tenantScope(tenantId);
  const stored = await call.tx.retrieve(scope, oneTimeIdsTable, recordId);
  if (stored === undefined) return [];
  await call.tx.remove(scope, oneTimeIdsTable, equalsFilter("id", recordId));
  const { details, userId: owner } = JSON.parse(stored.hidden ?? "{}") as Pick<DeviceTrust, "details" | "userId">;
  return owner === userId ? trustsOf(call, { details }) : [];
}

/** Ends the trust in all devices of a user, and all trust tokens. */
export async function revokeTrusts(call: WriteCall, user: { readonly id: string; readonly tenantId: string }): Promise<void> {
  await revokeIds(call, user, ["trustToken", "twoFactorTrust"]);
}
