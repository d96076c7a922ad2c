import { isDeepStrictEqual } from "node:util";
import { toEffectiveSettings } from "../../availability/event-types.js";
import { isLambdaTypeAllowed } from "../../availability/lambda-paths.js";
import {
  disabledTypes,
  readTenantState,
  saveEarlierPart,
  saveReceiversOfTenant,
} from "../../delivery/integrations/earlier-receivers.js";
import { publishTenantKeys } from "../../delivery/webhooks/publish-public-keys.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { startAudit } from "../../operations/family/audit-change.js";
import {
  type Change,
  completeFrom,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
  type Reference,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import {
  assertPrecondition,
  loadRecord,
  optionalId,
  replaceRecord,
  toRecordToStore,
} from "../../operations/family/record-steps.js";
import { emptyResult, isInsideHost, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { originOf } from "../../operations/outbox/publish-event.js";
import { insertLinks } from "../../operations/references/links.js";
import { findTenant, referencesAt } from "../../operations/references/references.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type StorageReader, type StoredRecord, type Transaction, tenantScope } from "../../ports/storage.js";
import { builtInConnectorId } from "../../records/connectors/built-in-connector.js";
import { isForTexts } from "../../records/settings/phone-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import {
  type HiddenTenant,
  issuerOf,
  parseTenant,
  tenantFamily,
  tenantReferences,
  tenantsTable,
} from "../../records/tenants/family.js";
import { checkSecrets } from "../../records/tenants/lambda-secrets.js";
import type { ParsedTenantRequest, Tenant, TenantRequest } from "../../records/tenants/schema.js";
import { webhooksTable, webhookTenantsTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";
import { isRootIssuer } from "../../sessions/ending/issuer.js";
import { lazily } from "../../shared/async.js";
import { toCanonicalUrl } from "../../shared/http.js";
import { foldText, parseUuid } from "../../shared/text.js";

/** The family of tenants (docs/reference/tenants.md#tenants). */
export const tenants: Family<Tenant, ParsedTenantRequest> = {
  ...tenantFamily,
  referencesOf: (tenant) => [...referencesOfSettings(tenant), ...referencesOfPolicies(tenant)],
  rules: { completeBody: copySource, tenantOf: ownTenant, toDraft, check, afterWrite, toRequestDocument },
};

const loadReports = lazily(() => import("../../people/verification/report-missing-parts.js"));

const referencesOfSettings = referencesAt("tenant", tenantReferences, fits);

// Earlier versions stored no policies. The built-in connector always exists.
function referencesOfPolicies({ connectorPolicies = [] }: Partial<Tenant>): readonly Reference[] {
  const pathOf = (index: number): string => `tenant.connectorPolicies[${index}].connectorId`;
  return connectorPolicies.flatMap(({ connectorId: id }, index) =>
    id === builtInConnectorId ? [] : [{ path: pathOf(index), table: "connectors", id }],
  );
}

function fits(path: string, named: StoredRecord): boolean {
  return isLambdaTypeAllowed(path, named) && isForTexts(path, named);
}

function toDraft(_call: WriteCall, request: ParsedTenantRequest, context: DraftContext<Tenant>): Draft<Tenant> {
  const { current } = context;
  const state = current?.record.state ?? "Active";
  // Sealed texts are dropped here: the remaining secrets are sealed again.
  const hidden = current && {
    ...parseHidden<HiddenTenant>(current),
    sealed: undefined,
    ...formerIssuers(current, request.tenant),
  };
  return toTenantDraft({ ...request.tenant, ...toBaseRecord(context), state }, hidden);
}

const mostIssuers = 100;

function formerIssuers(
  current: NonNullable<DraftContext<Tenant>["current"]>,
  next: Pick<Tenant, "issuer">,
): Pick<HiddenTenant, "formerIssuers"> {
  const before = [...(parseHidden<HiddenTenant>(current)?.formerIssuers ?? []), issuerOf(current.record)];
  const former = [...new Set(before)].filter((issuer) => issuer !== issuerOf(next)).slice(-mostIssuers);
  return former.length === 0 ? {} : { formerIssuers: former };
}

/** Returns the draft of a tenant without changes. */
export function toTenantDraft(record: Tenant, hidden: HiddenTenant | undefined): Draft<Tenant> {
  return { record, hidden: hidden && { ...hidden }, columns: { nameFolded: foldText(record.name), state: record.state } };
}

async function ownTenant(_call: WriteCall, _request: ParsedTenantRequest, id: string): Promise<string> {
  return id;
}

// A caller that is bound to a tenant may read it, but neither create nor remove tenants, nor learn of others.
function assertUnbound(call: OperationCall): void {
  if (call.principal?.tenantId !== undefined) throw generalError("unauthorized");
}

async function copySource(call: OperationCall): Promise<unknown> {
  assertUnbound(call);
  const body = call.body as { readonly sourceTenantId?: unknown } | null | undefined;
  const source = body?.sourceTenantId;
  if (!body || typeof source !== "string") return body;
  const stored = await call.reader.retrieve(globalScope, tenantsTable, parseUuid(source) ?? "");
  if (stored === undefined) throw fieldError("invalid", "sourceTenantId");
  const tenant = withEffectiveEvents(parseRecord<Tenant>(stored));
  // Secrets stay with their tenant: a copy would let others use them.
  const lambdaConfiguration = { ...tenant.lambdaConfiguration, secrets: undefined };
  return completeFrom(body, "tenant", { ...tenant, lambdaConfiguration, name: undefined });
}

// A caller that is bound to a tenant cannot see webhooks, and leaves those of its tenant unchanged.
function seesWebhooks(call: OperationCall): boolean {
  return call.principal?.tenantId === undefined;
}

async function check(call: WriteCall, change: Change<Tenant, ParsedTenantRequest>): Promise<void> {
  checkSecrets(change);
  if (change.draft.record.issuer !== change.original?.issuer) await checkIssuer(call, change.draft.record);
  const { webhookIds } = change.request;
  const known = seesWebhooks(call) ? await findWebhooks(call, webhookIds) : [];
  if (known.length < webhookIds.length) throw fieldError("invalid", "webhookIds");
}

// Clients trust the issuer: a tenant must not claim another tenant's.
async function checkIssuer({ reader, service }: WriteCall, { id, issuer }: Tenant): Promise<void> {
  const { publicUrl } = service.accounts;
  if (publicUrl === undefined || issuer === undefined) return;
  const asked = toCanonicalUrl(issuer);
  if (asked.startsWith(`${publicUrl}/`) && asked !== `${publicUrl}/${id}`) throw fieldError("invalid", "tenant.issuer");
  if (asked !== publicUrl) return;
  const tenants = await reader.find(globalScope, tenantsTable, undefined);
  if (tenants.some((stored) => stored.id !== id && isRootIssuer(publicUrl, parseRecord<Tenant>(stored).issuer)))
    throw fieldError("duplicate", "tenant.issuer");
}

async function findWebhooks(call: OperationCall, ids: readonly string[]): Promise<readonly Webhook[]> {
  if (ids.length === 0) return [];
  const found = await call.reader.find(globalScope, webhooksTable, { op: "in", column: "id", values: ids });
  return found.map((record) => parseRecord<Webhook>(record));
}

async function afterWrite(call: WriteCall, change: Change<Tenant, ParsedTenantRequest>): Promise<void> {
  const { draft, kind, original, request } = change;
  call.tx.afterCommit(call.service.forgetKeys);
  call.tx.afterCommit(call.service.eventSettings.invalidate);
  await publishTenantKeys(call, draft.record, original);
  const { id: tenantId } = draft.record;
  await (await loadReports()).reportMissingPartsOfTenant(call, draft.record);
  const earlier = original && (await readTenantState(call.tx, original));
  const webhookIds = seesWebhooks(call) ? request.webhookIds.toSorted() : earlier?.webhookIds;
  if (earlier && !isDeepStrictEqual(earlier, { id: tenantId, disabled: disabledTypes(draft.record), webhookIds }))
    await saveEarlierPart(call.service, call.tx, { tenant: { ...earlier, isLast: false } });
  if (!seesWebhooks(call)) return;
  if (kind === "update") await call.tx.remove(tenantScope(tenantId), webhookTenantsTable, undefined);
  // A global webhook applies to every tenant without being attached.
  const attached = (await findWebhooks(call, request.webhookIds)).filter((webhook) => !webhook.global);
  await insertLinks(
    call,
    webhookTenantsTable,
    attached.map((webhook) => ({ tenantId, columns: { webhookId: webhook.id } })),
  );
}

// Earlier versions stored settings of any name, which every PATCH would refuse.
function withEffectiveEvents(tenant: Tenant): Tenant {
  return { ...tenant, eventConfiguration: { events: toEffectiveSettings(tenant.eventConfiguration.events) } };
}

async function toRequestDocument(call: OperationCall, { id }: StoredRecord, record: Tenant): Promise<Record<string, unknown>> {
  const tenant = withEffectiveEvents(record);
  if (!seesWebhooks(call)) return { tenant };
  const links = await call.reader.find(tenantScope(id), webhookTenantsTable, undefined);
  return { tenant, webhookIds: links.map((link) => (JSON.parse(link.json) as { readonly webhookId: string }).webhookId) };
}

/**
 * DELETE: removes a tenant with all its records. The first transaction marks it; batches then erase its records, each with their
 * events. With `async=true` it responds with 202 before them (docs/reference/tenants.md#tenants). Inside of the host's
 * transaction they begin after its commit.
 */
async function removeTenant(call: OperationCall): Promise<OperationResult> {
  assertUnbound(call);
  const { tenantRemovals } = call.service;
  const tenantId = await call.write(async (write) => {
    const stored = await loadRecord(write, tenants);
    await assertPrecondition(write, tenants, stored);
    await markForRemoval(write, stored);
    write.tx.afterCommit(() => tenantRemovals.start(stored.id));
    return stored.id;
  });
  if (call.params.async === "true") return { ...emptyResult, status: 202 };
  if (!call.isDryRun && !isInsideHost(call)) await tenantRemovals.finish(tenantId);
  return emptyResult;
}

// A repeated call waits for the removal in progress.
async function markForRemoval(call: WriteCall, stored: StoredRecord): Promise<void> {
  const hidden = parseHidden<HiddenTenant>(stored);
  if (hidden?.isDefault === true) throw fieldError("invalid", "tenantId", "The default tenant cannot be deleted.");
  const record = parseRecord<Tenant>(stored);
  if (record.state === "PendingDelete") return;
  const noteChange = await startAudit(call, tenants, stored);
  await saveReceiversOfTenant(call.service, call.tx, stored.id);
  const draft = toTenantDraft({ ...record, state: "PendingDelete" }, { ...hidden, removal: { origin: originOf(call) } });
  await replaceRecord(call, tenants, toRecordToStore(draft, stored.tenantId, stored.version + 1));
  call.tx.afterCommit(call.service.forgetKeys);
  call.tx.afterCommit(call.service.eventSettings.invalidate);
  await noteChange?.();
}

/** Returns the ids of tenants that are marked for removal. */
export function findTenantsToErase(reader: StorageReader): Promise<readonly string[]> {
  return reader.findIds(globalScope, tenantsTable, "id", { op: "equals", column: "state", value: "PendingDelete" });
}

/** Creates the default tenant, which cannot be removed (docs/reference/tenants.md#default-tenant). */
export async function createDefaultTenant(tx: Transaction, service: ServiceContext, id: string): Promise<void> {
  const now = service.runtime.clock();
  const { tenant } = await parseWith(tenantFamily.request, { tenant: { name: "Default" } });
  const record: Tenant = { ...tenant, id, state: "Active", insertInstant: now, lastUpdateInstant: now };
  await tx.insert(globalScope, tenantsTable, [toRecordToStore(toTenantDraft(record, { isDefault: true }), id, 1)]);
}

/** Returns the id of the default tenant; undefined before the first start. */
export async function findDefaultTenantId(reader: StorageReader): Promise<string | undefined> {
  const all = await reader.find(globalScope, tenantsTable, undefined);
  return all.find((tenant) => parseHidden<HiddenTenant>(tenant)?.isDefault)?.id;
}

/**
 * GET: returns the public password rules of a tenant. @throws IdentityError 400 `[TenantIdRequired]`; 404 for an unknown tenant.
 */
async function passwordRules(call: OperationCall): Promise<OperationResult> {
  const id = optionalId(call, "tenantId");
  const stored = id === undefined ? await findTenant(call) : await call.reader.retrieve(call.scope, tenantsTable, id);
  if (stored === undefined) throw generalError("notFound");
  const { passwordValidationRules } = accountSettingsOf(parseTenant(stored));
  return { status: 200, json: toCanonicalJson({ passwordValidationRules }) };
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { remove: removeTenant, passwordRules };

export const example: FamilyExample<TenantRequest> = ({ number }) => ({ tenant: { name: `Tenant ${number}` } });
