import { type ResolvedKickstart, resolveKickstart } from "../configuration/kickstart/resolve-kickstart.js";
import { type KickstartRun, runKickstart } from "../configuration/kickstart/run-kickstart.js";
import { builtIns } from "../families/index.js";
import { warnOfTwoPurposes } from "../families/key-purposes.js";
import { type HandleContext, handleAuthenticated } from "../handle.js";
import type { InProcessApi } from "../in-process.js";
import { findPrincipalByDigest } from "../keys/api-keys/find-principal.js";
import { makeIdTokenKey } from "../keys/keys/rules.js";
import type { BuiltIn } from "../operations/family/family-row.js";
import { publishEvent } from "../operations/outbox/publish-event.js";
import type { ServiceContext } from "../operations/service-context.js";
import { type Session, transactionSession } from "../operations/session.js";
import type { IdentityServiceOptions } from "../options.js";
import { globalScope, type Transaction } from "../ports/storage.js";
import { apiKeysTable } from "../records/api-keys/family.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { generateApiKey } from "../security/random-secrets.js";
import { digestSecret } from "../security/seal.js";
import { parseUuid } from "../shared/text.js";
import { createDefaultTenant, findDefaultTenantId } from "../tenants/tenants/rules.js";
import { isAvailable, type Protocol } from "./protocol.js";
import { changeInstallation, ensureInstallation, type Installation, type Writing } from "./start/installation.js";
import { logSettingsInUse } from "./start/settings-in-use.js";

/** The id of the reference's administration application, which kickstart files refer to. No such application exists here. */
const administrationApplicationId = "3c219e58-ed0e-4b18-ad48-f4f92793ae32";

/**
 * Creates the required records: the default tenant, the bootstrap key and, once in the life of a storage, the records of the
 * kickstart. One transaction, so that an interrupted start, or two at once, leave nothing half done.
 */
export async function setUp<Native>(
  context: HandleContext,
  options: Pick<IdentityServiceOptions<Native>, "apiKey" | "kickstart" | "protocols">,
  toApi: (session: Session) => InProcessApi,
): Promise<void> {
  const { service } = context;
  const { hasSettingsWithoutEffect } = await service.storage.transaction(async (tx) => {
    const session = transactionSession(tx);
    const installation = await ensureInstallation(service, tx);
    const existing = await findDefaultTenantId(tx);
    const freshTenantId = service.runtime.newId();
    // A kickstart is due until one is recorded (docs/reference/system.md#kickstart).
    const isDue = options.kickstart !== undefined && installation.kickstartInstant === undefined;
    const kickstart = isDue ? await resolveDocument(context, options.kickstart, existing ?? freshTenantId) : undefined;
    const wanted = kickstart?.variables.get("defaultTenantId");
    const defaultTenantId = existing ?? parseUuid(wanted ?? "") ?? freshTenantId;
    if (existing === undefined) await createDefaultTenant(tx, service, defaultTenantId);
    const all = [...builtIns, ...toBuiltIns(service, options.protocols, toApi(session))];
    await makeBuiltIns(service, tx, { installation, defaultTenantId, all });
    await warnOfTwoPurposes(tx, service);
    if (options.apiKey !== undefined) await ensureBootstrapKey({ service, tx }, toApi(session), options.apiKey);
    if (kickstart === undefined) return installation;
    await runKickstart(toKickstartRun(context, tx, toApi(session)), kickstart.document);
    await changeInstallation({ service, tx }, installation.id, { kickstartInstant: service.runtime.clock() });
    const event = { type: "kickstart.success", fields: { instanceId: installation.id } };
    await publishEvent({ service, tx }, event);
    return installation;
  });
  if (hasSettingsWithoutEffect) await logSettingsInUse(service);
}

const idTokenKey: BuiltIn = {
  name: "idTokenKey",
  make: async (tx, service) => makeIdTokenKey(tx, service),
};

interface BuiltInsToMake {
  readonly installation: Installation;
  readonly defaultTenantId: string;
  readonly all: readonly BuiltIn[];
}

async function makeBuiltIns(
  service: ServiceContext,
  tx: Transaction,
  { all, defaultTenantId, installation }: BuiltInsToMake,
): Promise<void> {
  const made = installation.builtIns ?? [];
  const nameOf = ({ name, variant }: BuiltIn): string => (variant === undefined ? name : `${name} ${variant(service)}`);
  const missing = all.filter((builtIn) => !made.includes(nameOf(builtIn)));
  for (const builtIn of missing) await builtIn.make(tx, service, defaultTenantId);
  const names = [...made, ...missing.map(nameOf)];
  if (missing.length > 0) await changeInstallation({ service, tx }, installation.id, { builtIns: names });
}

// Built-ins outside of the version or plan wait for a later start.
function toBuiltIns(service: ServiceContext, protocols: readonly Protocol[] = [], api: InProcessApi): readonly BuiltIn[] {
  const { availability, version } = service;
  const edition = { version, isLicensed: (name: string) => availability.isLicensed(name) };
  const available = protocols.filter((protocol) => isAvailable(protocol, edition));
  const own = available.some(({ signsIdTokens }) => signsIdTokens) ? [idTokenKey] : [];
  const ofProtocols = available.flatMap(({ name, setUp: make }) =>
    make === undefined ? [] : [{ name: `protocol ${name}`, make: () => make(api) }],
  );
  return [...own, ...ofProtocols];
}

function toKickstartRun(context: HandleContext, tx: Transaction, api: InProcessApi): KickstartRun {
  return {
    logger: context.service.runtime.logger,
    tenantHeaderName: context.tenantHeaderName,
    createApiKey: (input) => api.apiKeys.create(input as Parameters<typeof api.apiKeys.create>[0]),
    findPrincipal: (key) => findPrincipalByDigest(tx, digestSecret(key)),
    async handle(principal, request) {
      const match = context.routes.match(request.method, request.path);
      if (match?.kind !== "found") return undefined;
      return handleAuthenticated(context, transactionSession(tx), principal, { ...match, request });
    },
  };
}

async function resolveDocument(
  context: HandleContext,
  source: NonNullable<IdentityServiceOptions["kickstart"]>,
  defaultTenantId: string,
): Promise<ResolvedKickstart> {
  return resolveKickstart(source, {
    newId: context.service.runtime.newId,
    environment: process.env,
    builtIn: (name, defined) => {
      if (name === "SERVICE_APPLICATION_ID") return administrationApplicationId;
      return name === "SERVICE_TENANT_ID" || name === "defaultTenantId"
        ? (defined.get("defaultTenantId") ?? defaultTenantId)
        : undefined;
    },
  });
}

// A given key is looked up by its digest; a function gets a fresh key only if the storage has none.
async function ensureBootstrapKey(
  { service: { runtime }, tx }: Writing,
  api: InProcessApi,
  apiKey: NonNullable<IdentityServiceOptions["apiKey"]>,
): Promise<void> {
  const { newId, random } = runtime;
  const value = typeof apiKey === "string" ? apiKey : generateApiKey(random);
  const filter = typeof apiKey === "string" ? equalsFilter("digest", digestSecret(apiKey)) : undefined;
  if ((await tx.find(globalScope, apiKeysTable, filter, { limit: 1 })).length > 0) return;
  const keyId = newId();
  await api.apiKeys.create({ keyId, apiKey: { key: value, name: `Bootstrap ${keyId}`, keyManager: true, retrievable: false } });
  if (typeof apiKey === "function") tx.afterCommit(() => apiKey(value));
}
