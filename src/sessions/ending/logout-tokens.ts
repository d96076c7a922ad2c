import { type EndedLogin, type LogoutMessage, logoutTokens } from "../../delivery/queues/message-kinds.js";
import { queueMessages } from "../../delivery/queues/messages.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { logoutTokensTable } from "../../operations/outbox/tables.js";
import { type Filter, globalScope, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { idOfRecord } from "../../records/openid-records.js";
import { oauthSettingsOf } from "../../records/settings/oauth-settings.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { inChunks } from "../../shared/in-steps.js";
import { openIdIssuerOf } from "./issuer.js";
import { findIdTokenKey } from "./read-tenant.js";

// One id per session, so that several events send one token.
const idOf = ({ applicationId, sid }: EndedLogin): string => idOfRecord(logoutTokensTable.name, `${applicationId} ${sid}`);

/** Queues one logout token per ended session, for applications with a `backchannelLogoutURL`. */
export async function queueLogoutTokens(call: WriteCall, tenantId: string, ended: readonly EndedLogin[]): Promise<void> {
  if (ended.length === 0) return;
  const stored = await call.tx.retrieve(globalScope, tenantsTable, tenantId);
  const tenant = stored && parseRecord<Tenant>(stored);
  const issuer = tenant && openIdIssuerOf(call.service.accounts.publicUrl, tenant);
  // The provider publishes no keys of an inactive tenant, so no client could verify the token.
  if (issuer === undefined || tenant?.state !== "Active") return;
  await inChunks(call.service.runtime, ended, async (chunk) => {
    const receivers = await findReceivers(call, tenant, chunk);
    const messages = chunk.flatMap((login) => {
      const receiver = receivers.get(login.applicationId);
      return receiver === undefined ? [] : [[idOf(login), { ...login, ...receiver, id: idOf(login), issuer, tenantId }] as const];
    });
    await queueNew(call, new Map(messages));
  });
}

/** Removes the queued logout token of a session that continues. */
export async function removeLogoutToken(call: WriteCall, login: EndedLogin): Promise<void> {
  await call.tx.remove(globalScope, logoutTokensTable, ofIds([idOf(login)]));
}

async function findReceivers(
  call: WriteCall,
  tenant: Tenant,
  ended: readonly EndedLogin[],
): Promise<ReadonlyMap<string, Pick<LogoutMessage, "keyId" | "url">>> {
  const ids = [...new Set(ended.map(({ applicationId }) => applicationId))];
  const receivers = new Map<string, Pick<LogoutMessage, "keyId" | "url">>();
  for (const stored of await call.tx.find(tenantScope(tenant.id), applicationsTable, ofIds(ids))) {
    const application = parseRecord<Application>(stored);
    const { backchannelLogoutURL: url } = oauthSettingsOf(application);
    if (url) receivers.set(stored.id, { keyId: (await findIdTokenKey(call.service, tenant, application)).id, url });
  }
  return receivers;
}

async function queueNew(call: WriteCall, messages: ReadonlyMap<string, LogoutMessage>): Promise<void> {
  if (messages.size === 0) return;
  const known = new Set(await call.tx.findIds(globalScope, logoutTokensTable, "id", ofIds([...messages.keys()])));
  const fresh = [...messages.values()].filter(({ id }) => !known.has(id));
  for (const message of fresh)
    await call.tx.savepoint(() => queueMessages(call, logoutTokens, [message])).catch(passUniqueViolation);
}

// Another transaction has queued it already.
function passUniqueViolation(error: unknown): void {
  if (!(error instanceof UniqueViolation)) throw error;
}

function ofIds(values: readonly string[]): Filter {
  return { op: "in", column: "id", values };
}
