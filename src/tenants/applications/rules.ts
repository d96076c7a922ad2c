import { isLambdaTypeAllowed } from "../../availability/lambda-paths.js";
import { publishApplicationKeys } from "../../delivery/webhooks/publish-public-keys.js";
import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers } from "../../json/canonical-json.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import { startAudit } from "../../operations/family/audit-change.js";
import {
  type Change,
  completeFrom,
  type Draft,
  type DraftContext,
  type Family,
  type OutboundUrl,
  parseHidden,
  parseRecord,
  type Reference,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import {
  assertPrecondition,
  loadRecord,
  presentOne,
  replaceRecord,
  toRecordToStore,
} from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertUsableTenant, referencesAt } from "../../operations/references/references.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { runUpdate } from "../../operations/verbs/update.js";
import { reportMissingPartsOfApplication } from "../../people/verification/report-missing-parts.js";
import { type Filter, type StoredRecord, UniqueViolation } from "../../ports/storage.js";
import { applicationRolesTable } from "../../records/application-roles/family.js";
import { applicationFamily, applicationReferences, applicationsTable } from "../../records/applications/family.js";
import type { Application, ApplicationRequest, ParsedApplicationRequest } from "../../records/applications/schema.js";
import { type GivenOAuthSettings, type OAuthSettings, toOAuthSettings } from "../../records/settings/oauth-settings.js";
import { isForTexts } from "../../records/settings/phone-settings.js";
import { generateClientSecret } from "../../security/random-secrets.js";
import { foldText, parseUuid } from "../../shared/text.js";
import { groupByApplication, toRoleDraft } from "../application-roles/rules.js";

/** The family of applications (docs/reference/tenants.md#applications). */
export const applications: Family<Application, ParsedApplicationRequest> = {
  ...applicationFamily,
  referencesOf: (application) => [...named(application), ...verificationKeysOf(application)],
  rules: { completeBody: copySource, listFilter, toDraft, afterWrite, outboundUrls, afterRemove: forgetTokens, present },
};

const named = referencesAt("application", applicationReferences, fits);

function verificationKeysOf({ samlv2Configuration }: Application): readonly Reference[] {
  const path = "application.samlv2Configuration.verificationKeyIds";
  const ids = samlv2Configuration?.verificationKeyIds ?? [];
  return ids.map((id, index) => ({ path: `${path}[${index}]`, table: "keys", id, needs: "rsa" }));
}

function fits(path: string, named: StoredRecord): boolean {
  return isLambdaTypeAllowed(path, named) && isForTexts(path, named);
}

async function copySource(call: OperationCall): Promise<unknown> {
  const body = call.body as { readonly sourceApplicationId?: unknown } | null | undefined;
  const source = body?.sourceApplicationId;
  if (!body || typeof source !== "string") return body;
  const stored = await call.reader.retrieve(call.scope, applicationsTable, parseUuid(source) ?? "");
  if (stored === undefined) throw fieldError("invalid", "sourceApplicationId");
  const { data, roles, ...settings } = await presented(call, stored);
  // The copy gets a client id, a client secret and role ids of its own.
  const oauthConfiguration = { ...settings.oauthConfiguration, clientId: undefined, clientSecret: undefined };
  const newRoles = roles.map(({ id: _other, ...role }) => role);
  const own = { id: undefined, tenantId: undefined, name: undefined };
  return completeFrom(body, "application", { ...settings, ...own, data, oauthConfiguration, roles: newRoles });
}

async function presented(call: OperationCall, stored: StoredRecord): Promise<Application> {
  const [shown = ""] = await present(call, [stored]);
  return JSON.parse(shown) as Application;
}

function toDraft(call: WriteCall, request: ParsedApplicationRequest, context: DraftContext<Application>): Draft<Application> {
  const { id, tenantId = "", current } = context;
  const { roles: _ownTable, ...fields } = request.application;
  const state = current?.record.state ?? "Active";
  return toApplicationDraft({
    ...fields,
    // The client id is the application id, so that the audience of a token identifies both.
    oauthConfiguration: { ...toClient(call, fields.oauthConfiguration, current?.record.oauthConfiguration), clientId: id },
    ...toBaseRecord(context),
    tenantId,
    state,
    active: state === "Active",
    roles: [],
  });
}

function toClient(call: WriteCall, given: GivenOAuthSettings, stored?: OAuthSettings): Omit<OAuthSettings, "clientId"> {
  const clientSecret = given.clientSecret || (stored?.clientSecret ?? generateClientSecret(call.service.runtime.random));
  return { ...toOAuthSettings(given), clientSecret };
}

function toApplicationDraft(record: Application): Draft<Application> {
  return { record, columns: { nameFolded: foldText(record.name), state: record.state } };
}

function outboundUrls({ oauthConfiguration: { backchannelLogoutURL: url } }: Application): readonly OutboundUrl[] {
  return [{ setting: "oauthConfiguration.backchannelLogoutURL", url, loss: "gets no logout tokens" }];
}

async function afterWrite(call: WriteCall, change: Change<Application, ParsedApplicationRequest>): Promise<void> {
  await createRoles(call, change);
  const { record } = change.draft;
  // These are in a cached list of the tenant's applications.
  const isListed = record.samlv2Configuration !== undefined || record.jwtConfiguration.enabled;
  if (change.kind === "update" || isListed) await forgetTokens(call);
  await publishApplicationKeys(call, record, change.original);
  await reportMissingPartsOfApplication(call, record);
}

// Cached checks of an application's tokens must not outlive a change of its keys.
async function forgetTokens({ service, tx }: WriteCall): Promise<void> {
  tx.afterCommit(service.forgetKeys);
}

async function createRoles(call: WriteCall, change: Change<Application, ParsedApplicationRequest>): Promise<void> {
  const { draft, kind, request } = change;
  if (kind === "update") return;
  const { id: applicationId, tenantId } = draft.record;
  const { newId, clock } = call.service.runtime;
  const records = request.application.roles.map((role) => {
    const { id, ...fields } = role;
    const context = { id: id ?? newId(), now: clock(), current: undefined };
    return toRecordToStore(toRoleDraft(fields, applicationId, context), tenantId, 1);
  });
  if (records.length === 0) return;
  try {
    await call.tx.insert({ kind: "tenant", tenantId }, applicationRolesTable, records);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const errors = new FieldErrorList();
    for (const key of error.keys) errors.add("duplicate", `application.roles.${key}`);
    throw errors.toError();
  }
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const ids = records.map((record) => record.id);
  const sort = [{ column: "nameFolded", direction: "asc" } as const];
  const roles = await call.reader.find(
    call.scope,
    applicationRolesTable,
    { op: "in", column: "applicationId", values: ids },
    { sort },
  );
  const byApplication = groupByApplication(roles);
  return records.map((record) => {
    const own = byApplication.get(record.id);
    return own === undefined ? record.json : addMembers(record.json, { roles: own });
  });
}

/** Lists active applications, or with `?inactive=true` the others. */
function listFilter(call: OperationCall): Filter {
  return { op: "equals", column: "state", value: call.params.inactive === "true" ? "Inactive" : "Active" };
}

/** DELETE: deactivates an application; with `hardDelete=true` removes it with its roles and registrations. */
async function removeApplication(call: OperationCall): Promise<OperationResult> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await loadRecord(write, applications);
    await assertPrecondition(write, applications, stored);
    if (call.params.hardDelete === "true") await removeRecord(write, applications, stored, noteCount);
    else await setState(write, stored, "Inactive");
    return emptyResult;
  });
}

async function setState(call: WriteCall, stored: StoredRecord, state: "Active" | "Inactive"): Promise<StoredRecord> {
  const lastUpdateInstant = call.service.runtime.clock();
  const changed = { ...parseRecord<Application>(stored), active: state === "Active", state, lastUpdateInstant };
  const draft = { ...toApplicationDraft(changed), hidden: parseHidden<Record<string, unknown>>(stored) };
  const record = toRecordToStore(draft, stored.tenantId, stored.version + 1);
  await assertUsableTenant(call, stored.tenantId);
  const noteChange = await startAudit(call, applications, stored);
  await replaceRecord(call, applications, record);
  await forgetTokens(call);
  await noteChange?.(record);
  return record;
}

/** PUT: replaces an application, or with `?reactivate=true` and no body activates an inactive one. */
async function updateApplication(call: OperationCall): Promise<OperationResult> {
  if (call.params.reactivate !== "true") return runUpdate(call, applications);
  return call.write(async (write) => {
    const stored = await loadRecord(write, applications);
    await assertPrecondition(write, applications, stored);
    return presentOne(write, applications, await setState(write, stored, "Active"));
  });
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { update: updateApplication, remove: removeApplication };

export const example: FamilyExample<ApplicationRequest> = ({ number }) => ({ application: { name: `Application ${number}` } });
