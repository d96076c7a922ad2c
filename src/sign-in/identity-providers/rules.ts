import { type LambdaTypeName, toLambdaType } from "../../availability/lambda-types.js";
import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  type OutboundUrl,
  parseRecord,
  type Reference,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { KeyRequirement } from "../../operations/family/key-requirements.js";
import { settingsWithoutEffect } from "../../operations/family/settings-without-effect.js";
import { globalDirectoryContext, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { insertLinks } from "../../operations/references/links.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import {
  identityProviderApplicationsTable,
  identityProviderDomainsTable,
  identityProviderFamily,
  identityProviderSearch,
  identityProviderTenantsTable,
} from "../../records/identity-providers/family.js";
import type {
  IdentityProvider,
  IdentityProviderRequest,
  ParsedIdentityProviderRequest,
} from "../../records/identity-providers/schema.js";
import { identityProviderKeyPaths, identityProviderTypeRows } from "../../records/identity-providers/types.js";
import { equalsFilter, parseCriteria } from "../../search/parse-criteria.js";
import { foldDomain, formsOfDomain } from "../../shared/email-address.js";
import { textAt } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";
import { completeLogin } from "./complete-login.js";
import { findCurrent } from "./current-provider.js";
import { findProviderOfDomain } from "./find-by-domain.js";
import { startLogin } from "./start-login.js";

/** The family of identity providers (docs/reference/identity-providers.md). */
export const identityProviders: Family<IdentityProvider, ParsedIdentityProviderRequest> = {
  ...identityProviderFamily,
  referencesOf,
  rules: { listFilter, tenantOf, toDraft, check, afterWrite, outboundUrls, toRequestDocument, present },
};

// Only the browser calls the endpoints of other types.
function outboundUrls({ oauth2, relyingPartyURL, type }: IdentityProvider): readonly OutboundUrl[] {
  const loss = "logs nobody in";
  if (type === "HYPR") return [{ setting: "relyingPartyURL", url: relyingPartyURL, loss }];
  if (type !== "OpenIDConnect") return [];
  const names = ["issuer", "token_endpoint", "userinfo_endpoint"] as const;
  return names.map((name) => ({ setting: `oauth2.${name}`, url: oauth2?.[name], loss }));
}

/** Lists all providers, or with `?type=` those of one type. */
function listFilter(call: OperationCall): Filter | undefined {
  const search = call.service.availability.searchOf("identityProvider", identityProviderSearch);
  return parseCriteria(search, { type: call.params.type }).filter;
}

// A provider belongs to the tenant of a caller that is bound to one; other callers may create it without a tenant.
async function tenantOf(call: WriteCall, request: ParsedIdentityProviderRequest): Promise<string | undefined> {
  if (call.scope.kind === "tenant") return call.scope.tenantId;
  const { tenantId } = request.identityProvider;
  if (tenantId === undefined) return undefined;
  const tenant = await call.reader.retrieve(globalScope, call.service.tenantsTable, tenantId);
  if (tenant === undefined) throw fieldError("invalid", "identityProvider.tenantId");
  return tenantId;
}

function toDraft(
  _call: WriteCall,
  { identityProvider }: ParsedIdentityProviderRequest,
  context: DraftContext<IdentityProvider>,
): Draft<IdentityProvider> {
  const { applicationConfiguration, name, type } = identityProvider;
  const { applicationMembers, members } = identityProviderTypeRows[type];
  const applications = Object.entries(applicationConfiguration).map(([applicationId, configured]) => [
    applicationId,
    pickMembers(configured, [...applicationMembers, "createRegistration", "data", "enabled"]),
  ]);
  const own = pickMembers(identityProvider, [...members, ...commonMembers]);
  const { tenantId } = context;
  const record = { ...own, applicationConfiguration: Object.fromEntries(applications), tenantId, ...toBaseRecord(context) };
  return { record: record as IdentityProvider, columns: { nameFolded: foldText(name), owner: tenantId ?? "", type } };
}

const commonMembers = [
  ...settingsWithoutEffect("identityProvider").map(({ path }) => path),
  ...["data", "debug", "enabled", "lambdaConfiguration", "linkingStrategy", "name", "tenantConfiguration", "type"],
];

// Members of another type would stay stored without use.
function pickMembers<Fields extends object>(fields: Fields, names: readonly string[]): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) as Partial<Fields>;
}

/** The keys of which a provider needs the private half; the other keys only verify. */
const signingPaths: ReadonlySet<string> = new Set([
  "assertionDecryptionConfiguration.keyTransportDecryptionKeyId",
  "requestSigningKeyId",
]);

function referencesOf(provider: IdentityProvider): readonly Reference[] {
  const { applicationConfiguration, keys = {}, lambdaConfiguration, type, verificationKeyIds = [] } = provider;
  const { lambda } = identityProviderTypeRows[type];
  const isOfType = ({ json }: StoredRecord): boolean =>
    toLambdaType((JSON.parse(json) as { readonly type: LambdaTypeName }).type) === lambda;
  const named: (Omit<Reference, "path"> & { readonly at: string })[] = [];
  const addKey = (at: string, keyId: string | undefined): void => {
    if (keyId !== undefined) named.push({ at, table: "keys", id: keyId, needs: needAt(at, type) });
  };
  for (const path of identityProviderKeyPaths) addKey(path, textAt(provider, path));
  for (const [index, keyId] of verificationKeyIds.entries()) addKey(`verificationKeyIds[${index}]`, keyId);
  for (const [name, keyId] of Object.entries(keys)) addKey(`keys.${name}`, keyId);
  for (const [id, { keyId }] of Object.entries(applicationConfiguration)) addKey(`applicationConfiguration.${id}.keyId`, keyId);
  const { reconcileId } = lambdaConfiguration;
  if (reconcileId !== undefined)
    named.push({ at: "lambdaConfiguration.reconcileId", table: "lambdas", id: reconcileId, fits: isOfType });
  return named.map(({ at, ...reference }) => ({ ...reference, path: `identityProvider.${at}` }));
}

function needAt(path: string, type: IdentityProvider["type"]): KeyRequirement {
  if (type === "Apple") return "ecPrivate";
  if (type === "SAMLv2" || type === "SAMLv2IdPInitiated") return signingPaths.has(path) ? "rsaPrivate" : "rsa";
  return type === "ExternalJWT" ? "verifies" : "pair";
}

async function check(call: WriteCall, { draft }: Change<IdentityProvider, ParsedIdentityProviderRequest>): Promise<void> {
  const { applicationConfiguration, tenantConfiguration, tenantId } = draft.record;
  const errors = new FieldErrorList();
  const refuseOthers = (member: string, ids: readonly string[], known: ReadonlySet<string>): void => {
    for (const id of ids) if (!known.has(id)) errors.add("invalid", `identityProvider.${member}.${id}`);
  };
  const applicationIds = Object.keys(applicationConfiguration);
  const applications = await findApplications(call, applicationIds);
  const own = applications.filter((application) => tenantId === undefined || application.tenantId === tenantId);
  refuseOthers("applicationConfiguration", applicationIds, new Set(own.map(({ id }) => id)));
  const tenantIds = Object.keys(tenantConfiguration);
  const tenants = await call.reader.find(globalScope, call.service.tenantsTable, { op: "in", column: "id", values: tenantIds });
  const ownTenants = tenants.filter(({ id }) => tenantId === undefined || id === tenantId);
  refuseOthers("tenantConfiguration", tenantIds, new Set(ownTenants.map(({ id }) => id)));
  errors.throwIfAny();
}

async function findApplications(
  call: OperationCall,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly tenantId: string }[]> {
  return ids.length === 0 ? [] : call.service.directory.findApplications(globalDirectoryContext(call), ids);
}

async function afterWrite(call: WriteCall, change: Change<IdentityProvider, ParsedIdentityProviderRequest>): Promise<void> {
  const { draft, kind } = change;
  const { applicationConfiguration, domains = [], id: identityProviderId, tenantConfiguration, tenantId = null } = draft.record;
  const columns = { identityProviderId };
  if (kind === "update")
    for (const table of linkTables)
      await call.tx.remove(globalScope, table, equalsFilter("identityProviderId", identityProviderId));
  const applications = await findApplications(call, Object.keys(applicationConfiguration));
  const links = applications.map(({ id, tenantId: owner }) => ({ tenantId: owner, columns: { ...columns, applicationId: id } }));
  await insertLinks(call, identityProviderApplicationsTable, links);
  const tenants = Object.keys(tenantConfiguration).map((id) => ({ tenantId: id, columns }));
  await insertLinks(call, identityProviderTenantsTable, tenants);
  await saveDomains(call, { identityProviderId, tenantId, domains });
}

const linkTables: readonly Table[] = [
  identityProviderApplicationsTable,
  identityProviderTenantsTable,
  identityProviderDomainsTable,
];

interface ManagedDomains {
  readonly identityProviderId: string;
  readonly tenantId: string | null;
  readonly domains: readonly string[];
}

// With two providers for one domain, chance would pick one for its users.
async function saveDomains(call: WriteCall, { domains: named, identityProviderId, tenantId }: ManagedDomains): Promise<void> {
  if (named.length === 0) return;
  // A domain has several spellings; an earlier release stored them unchanged.
  const domains = [...new Set(named.map(foldDomain))];
  const owner = tenantId ?? "";
  const filters: Filter[] = [
    equalsFilter("owner", owner),
    { op: "in", column: "domain", values: domains.flatMap(formsOfDomain) },
  ];
  const taken = await call.tx.find(globalScope, identityProviderDomainsTable, { op: "and", filters }, { limit: 1 });
  if (taken.length > 0) throw fieldError("duplicate", "identityProvider.domains");
  const links = domains.map((domain) => ({ tenantId, columns: { domain, identityProviderId, owner } }));
  await insertLinks(call, identityProviderDomainsTable, links);
}

async function toRequestDocument(
  call: OperationCall,
  { id }: StoredRecord,
  provider: IdentityProvider,
): Promise<Record<string, unknown>> {
  const toCurrent = await findCurrent(call, [id]);
  return { identityProvider: toCurrent(provider) };
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const toCurrent = await findCurrent(
    call,
    records.map(({ id }) => id),
  );
  return records.map((record) => toCanonicalJson(toCurrent(parseRecord<IdentityProvider>(record))));
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  start: async (call) => startLogin(call),
  login: async (call) => completeLogin(call),
  lookup: async (call): Promise<OperationResult> => findProviderOfDomain(call),
  reconcile: async (call) => completeLogin(call),
};

export const example: FamilyExample<IdentityProviderRequest> = ({ number }) => ({
  identityProvider: {
    name: `Identity provider ${number}`,
    type: "OpenIDConnect",
    buttonText: "Log in",
    oauth2: { client_id: "client", client_secret: "secret", issuer: "https://provider.example" },
  },
});
