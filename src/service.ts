import { createAvailability } from "./availability/availability.js";
import { createConfiguration } from "./configuration/documents/configuration.js";
import type { Configuration } from "./configuration/documents/document.js";
import { serveFromDirectory } from "./directory/host-operations.js";
import { findEffectiveRoles, storedDirectory } from "./directory/stored-directory.js";
import { routes, sealedTables, tables } from "./families/index.js";
import { type IndexCriteria, planIndexes } from "./families/plan-indexes.js";
import { toSearchableData } from "./families/searchable-data.js";
import { type HandleContext, handle } from "./handle.js";
import { KeyUses } from "./http/authenticate/authenticate-request.js";
import { type ApiKeyPrincipal, hostPrincipal, type Principal } from "./http/authenticate/principal.js";
import { type AddressResolver, createAddressResolver, createUrlResolver } from "./http/authenticate/source-address.js";
import { createApiPermissions } from "./http/authorize/api-permissions.js";
import type { InProcessCaller } from "./http/authorize/authorize-in-process.js";
import { createEndpointCheck } from "./http/authorize/endpoint-grants.js";
import { createInProcessApi, type InProcessApi, listFamilies } from "./in-process.js";
import type { TransactionApprovals } from "./operations/events/approvals.js";
import { EventSettings } from "./operations/events/event-settings.js";
import { startLambdas } from "./operations/lambda-state.js";
import { createMeasurements } from "./operations/metrics.js";
import type { AnyOperation } from "./operations/operation.js";
import type { ChangingCall, ServiceContext } from "./operations/service-context.js";
import { type RunInSession, type Session, startApprovals, storageSession } from "./operations/session.js";
import { SnapshotStreams } from "./operations/snapshot-streams.js";
import { type IdentityServiceOptions, type Logger, parseOptions, type Settings } from "./options.js";
import { globalScope, type IndexPlan, type Storage, type Transaction } from "./ports/storage.js";
import { tenantsTable } from "./records/tenants/family.js";
import { type RequestOperations, requestOperations } from "./request-operations.js";
import { assertInstallation } from "./security/password-hashes/installation.js";
import { createSealer } from "./security/seal.js";
import { createThrottle } from "./security/throttle-limits.js";
import { followChanges } from "./service/audit/start-auditing.js";
import type { AuditOperations } from "./service/audit/verify-audit.js";
import { createWriteHook, type WriteHook } from "./service/audit/write-hook.js";
import { followOptions } from "./service/follow-options.js";
import { fromSettings, toContext } from "./service/from-settings.js";
import { type GuardOperations, guardOperations, type VerifyTokenOptions } from "./service/guard-requests.js";
import { HostCalls, type IdentityTransaction, toHostTransaction, toSession } from "./service/host-transaction.js";
import { Housekeeping } from "./service/housekeeping/housekeeping.js";
import { joinAuthentication } from "./service/join-authentication.js";
import { assertOptions } from "./service/known-options.js";
import type { ProtocolMounts } from "./service/mount-protocols.js";
import { DeliveryOnDemand } from "./service/outbound/delivery-on-demand.js";
import { createOutbound } from "./service/outbound-parts.js";
import type { Protocol } from "./service/protocol.js";
import { findRoutesOfVersion, type RoutesOfVersion } from "./service/routes-of-version.js";
import type { SecretOperations } from "./service/secrets/rotate-secrets.js";
import { auditOperations, secretOperations } from "./service/secrets/secret-operations.js";
import { setUp } from "./service/set-up.js";
import { recordSettingsInUse } from "./service/start/installation.js";
import { lazily, once, runAll } from "./shared/async.js";
import { SingleWarnings } from "./shared/single-warnings.js";
import { assertViewer } from "./system/docs-page.js";
import { withDocs } from "./system/docs-routes.js";

/** An identity administration service, embedded. */
export interface IdentityService<Native = unknown> extends InProcessApi, GuardOperations, RequestOperations {
  /**
   * Runs `work` in one transaction: its calls through `tx`, and the host's own writes through `tx.db`, commit or roll back
   * together. On Postgres `work` runs again after a conflict with another transaction, or after a create collides with another
   * record, which makes a later call throw. So make its effects outside of the transaction idempotent.
   */
  transaction<T>(work: (tx: IdentityTransaction<Native>) => Promise<T>): Promise<T>;
  /**
   * Returns the in-process API with the rights of another caller: an API key (see {@link IdentityService.findPrincipal}), a user
   * or client with a token (see {@link IdentityService.verifyToken}), an anonymous caller (see `anonymousCaller`), or the host
   * bound to a tenant.
   */
  as(caller: InProcessCaller): InProcessApi;
  /**
   * Returns the principal of an API key value. Undefined when the key is unknown, has expired, or its access list excludes
   * `address`. Without `address`, a key with an access list is never found.
   */
  findPrincipal(apiKey: string, address?: string): Promise<ApiKeyPrincipal | undefined>;
  /**
   * Returns the names of a user's roles in an application: the registration's and those of the user's groups
   * (docs/reference/groups.md#role-inheritance).
   */
  effectiveRoles(of: { readonly userId: string; readonly applicationId: string }): Promise<readonly string[]>;
  /** Operations on the sealed secrets in the storage. */
  readonly secrets: SecretOperations;
  /** Operations on the audit log as a whole. */
  readonly audit: AuditOperations;
  /** Plans, applies and exports the configuration as a document. */
  readonly config: Configuration;
  /** Returns the service's time, in epoch milliseconds: the option `clock`. */
  clock(): number;
  /** Returns `length` bytes from the service's cryptographic source: the option `random`. */
  random(length: number): Uint8Array;
  /** Writes to the service's log: the option `logger`. */
  readonly logger: Logger;
  /** Resolves when the storage is reachable. */
  ping(): Promise<void>;
  /**
   * Returns the indexes, stored totals and lists that large tables of the storage lack
   * (docs/operations.md#indexes-of-large-tables): for the most common searches, and for these. Build each of them, or run
   * `latchkey indexes`. The service itself never changes the schema after its start.
   * @throws TypeError for an unknown family; IdentityError 400 for wrong criteria.
   */
  planIndexes(searches?: IndexCriteria): Promise<readonly IndexPlan[]>;
  /**
   * Starts delivery of events, mails and text messages when the option `delivery` is `false`; otherwise it starts by itself.
   * Delivers messages of all processes on the storage (docs/reference/events.md#event-types). Any number of processes may
   * deliver: each leases its messages.
   */
  start(): Promise<void>;
  /**
   * Delivers all due messages, started or not, and does due housekeeping. Resolves with the next due instant in epoch
   * milliseconds, or undefined when nothing waits. For tests, and for hosts without timers, such as scheduled functions.
   */
  settle(): Promise<number | undefined>;
  /**
   * Refuses new calls, finishes those under way, and closes the storage. Waits for calls and delivery attempts for 10 seconds,
   * or `delivery.closeTimeoutMilliseconds`, then aborts all outgoing calls. The next process delivers the remaining messages; the
   * memory storage loses them. Later calls are refused with status 503.
   */
  close(): Promise<void>;
}

const loadProtocols = lazily(() => import("./service/mount-protocols.js"));

/**
 * Starts a service on a storage: migrates its tables, creates the records that every service needs and, the first time, runs the
 * kickstart.
 * @throws TypeError when an option is wrong.
 */
export async function createIdentityService<Native>(given: IdentityServiceOptions<Native>): Promise<IdentityService<Native>> {
  assertOptions(given);
  assertInstallation();
  const options = given.telemetry === undefined ? given : followOptions(given.telemetry, given);
  const settings = parseOptions(options);
  const { protocols = [] } = options;
  if (protocols.length > 0) (await loadProtocols()).assertProtocols(protocols, settings.publicUrl);
  for (const { prepare } of protocols) await prepare?.();
  if (settings.docs) assertViewer();
  await options.storage.open(tables, settings.runtime);
  const parts = joinParts(options, settings, await createAddressResolver(settings.trustedProxies));
  await setUp(parts.context, options, (session) => readDocuments(parts, session));
  await parts.housekeeping.start();
  parts.delivery.startByItself();
  if (settings.hasWeakApiKey) settings.runtime.logger.warn({}, weakKeyAdvice);
  const mounts = protocols.length > 0 ? await mount(options.storage, parts, settings, protocols) : undefined;
  return toService(options.storage, parts, mounts);
}

async function mount(
  storage: Storage,
  parts: Parts,
  settings: Settings,
  protocols: readonly Protocol[],
): Promise<ProtocolMounts> {
  const { mountProtocols } = await loadProtocols();
  const toApi = (run: RunInSession, principal: Principal): InProcessApi => inProcess(parts, run, principal, false);
  return mountProtocols(parts.context, protocols, {
    as: (principal) => toApi((work) => work(storageSession(parts.context.service)), principal),
    transaction: (principal, work) =>
      parts.calls.transaction(storage, (tx) => {
        const session = toSession(tx);
        return work(toApi((run) => run(session), principal));
      }),
    urlOf: await createUrlResolver(settings),
  });
}

const weakKeyAdvice = "apiKey has fewer than 32 characters and can be guessed: use it on this machine alone.";

const asItIs = (operation: AnyOperation): AnyOperation => operation;

interface Parts {
  readonly context: HandleContext;
  readonly lookup: RoutesOfVersion["lookup"];
  readonly housekeeping: Housekeeping;
  readonly delivery: DeliveryOnDemand;
  readonly calls: HostCalls;
}

function joinParts<Native>(options: IdentityServiceOptions<Native>, settings: Settings, addressOf: AddressResolver): Parts {
  const { storage } = options;
  const uses = new KeyUses();
  const housekeeping = new Housekeeping(() => service, uses);
  const delivery = new DeliveryOnDemand(() => service);
  const eventSettings = new EventSettings(storage.signals, tenantsTable, settings.runtime.monotonic);
  const sealer = createSealer(settings.secrets, settings.runtime.random, sealedTables);
  const hook = toHook(options, () => parts);
  const own = findRoutesOfVersion(settings, options.directory === undefined ? asItIs : serveFromDirectory);
  const apiPermissions = createApiPermissions(own.list, settings.entityPermissions);
  const { authenticator, shared } = joinAuthentication({ storage, settings, sealer, uses, addressOf, apiPermissions });
  const service: ServiceContext = Object.freeze({
    storage,
    directory: options.directory ?? storedDirectory,
    sealer,
    availability: createAvailability(settings.version, settings.plan, toSearchableData(options.searchableData)),
    tables,
    tenantsTable,
    ...fromSettings(settings),
    apiPermissions,
    isEndpoint: createEndpointCheck(withDocs(routes), options.protocols?.flatMap(({ path }) => path) ?? []),
    ...shared,
    throttle: createThrottle(settings.throttle, settings.runtime),
    measurements: createMeasurements(settings.runtime.clock(), () => authenticator.knownKeys),
    streams: new SnapshotStreams(settings.runtime.timers),
    ...createOutbound(options, settings),
    lambdas: startLambdas(settings, (request, principal) => handle(context, request, principal), shared.whenKeysChange),
    ...followChanges(settings.auditChanges, hook, () => service),
    eventSettings,
    warnings: new SingleWarnings(settings.runtime.logger),
    recordSettingsInUse: (tx: Transaction) => recordSettingsInUse(service, tx),
    ...delivery.work,
    ...housekeeping.work(settings.importJobs),
  });
  const context: HandleContext = toContext(settings, own, { authenticator, service });
  const parts: Parts = { context, lookup: own.lookup, housekeeping, delivery, calls: new HostCalls() };
  return parts;
}

async function settle({ delivery, housekeeping }: Parts): Promise<number | undefined> {
  await housekeeping.settle();
  return delivery.settle();
}

function toService<Native>(storage: Storage<Native>, parts: Parts, mounts?: ProtocolMounts): IdentityService<Native> {
  const { calls, context, delivery } = parts;
  const inSession: RunInSession = (work) => calls.runOutside(() => work(storageSession(context.service)));
  const { authorize, verifyToken } = guardOperations(context);
  const close = once(() => closeParts(parts, storage));
  return Object.freeze({
    ...listFamilies(parts.lookup.families, inProcess(parts, inSession, hostPrincipal)),
    ...requestOperations(context, calls, mounts),
    transaction: <T>(work: (tx: IdentityTransaction<Native>) => Promise<T>): Promise<T> =>
      calls.runOutside(() => runHostTransaction(parts, storage, work)),
    // Anonymous callers are untrusted: their input is treated like bodies over HTTP.
    as: (caller: InProcessCaller) => inProcess(parts, inSession, caller, caller.kind !== "anonymous"),
    findPrincipal: (apiKey: string, address?: string) => calls.run(() => context.authenticator.findPrincipal(apiKey, address)),
    ...calls.wrap({ authorize }),
    verifyToken: (token: string, options?: VerifyTokenOptions) => calls.run(() => verifyToken(token, options)),
    effectiveRoles: ({ userId, applicationId }: { userId: string; applicationId: string }) =>
      calls.run(() =>
        findEffectiveRoles(context.service.directory, { scope: globalScope, reader: storage }, { userId, applicationId }),
      ),
    secrets: calls.wrap(secretOperations(context.service)),
    audit: calls.wrap(auditOperations(context.service)),
    config: calls.wrap(createConfiguration({ service: context.service, toApi: (own) => readDocuments(parts, own) })),
    clock: context.service.runtime.clock,
    random: context.service.runtime.random,
    logger: context.service.runtime.logger,
    ping: () => calls.run(() => storage.ping()),
    planIndexes: (searches?: IndexCriteria) => calls.run(() => planIndexes(context.service, searches)),
    start: () => calls.run(() => delivery.start()),
    settle: () => calls.runOutside(() => settle(parts)),
    async close(): Promise<void> {
      calls.assertNone();
      await close();
    },
  });
}

/** Ends calls and background work first, then what these need, the storage last. Runs each step though one before it failed. */
async function closeParts<Native>({ calls, context, delivery, housekeeping }: Parts, storage: Storage<Native>): Promise<void> {
  const { brokers, delivery: options, http, lambdas, runtime, streams } = context.service;
  // Calls are refused at once, and those under way share the time of the deliveries.
  const drained = calls.close(runtime, options.closeTimeoutMilliseconds);
  const work = [() => housekeeping.stop(), () => delivery.stop(), () => drained, () => lambdas.runner.close()];
  const connections = [() => http.close(), () => brokers.close(), () => streams.close()];
  await runAll([...work, ...connections, () => housekeeping.flush(), () => storage.close()]);
}

function runHostTransaction<Native, T>(
  parts: Parts,
  storage: Storage<Native>,
  work: (tx: IdentityTransaction<Native>) => Promise<T>,
): Promise<T> {
  const { calls, context } = parts;
  return calls.transaction(storage, (tx) => work(openTransaction(parts, storage, tx, startApprovals(context.service))));
}

function openTransaction<Native>(
  parts: Parts,
  { capabilities: { hasHandle = false } }: Storage<Native>,
  tx: Transaction<Native>,
  asking: TransactionApprovals | undefined,
): IdentityTransaction<Native> {
  const toApi = (session: Session, principal: Principal = hostPrincipal): InProcessApi =>
    inProcess(parts, (run) => run(session), principal);
  return toHostTransaction(tx, { ask: parts.context.service.askReceivers, asking, hasHandle, toApi });
}

function toHook<Native>(options: IdentityServiceOptions<Native>, parts: () => Parts): WriteHook | undefined {
  const { onWrite, storage } = options;
  if (onWrite === undefined) return undefined;
  // Keyed by the approvals of a call if it has some, because a transaction may have several calls.
  const open = new WeakMap<object, IdentityTransaction<Native>>();
  const openFor = ({ asking, service: { runtime }, tx }: ChangingCall): IdentityTransaction<Native> => {
    const { context, ...others } = parts();
    // The hook's own writes do not call it again.
    const service = { ...context.service, runtime, auditing: context.service.auditing?.log };
    return openTransaction({ ...others, context: { ...context, service } }, storage, tx as Transaction<Native>, asking);
  };
  return createWriteHook((call, change) => {
    const key = call.asking ?? call.tx;
    const tx = open.get(key) ?? openFor(call);
    open.set(key, tx);
    return parts().calls.runInside(async () => onWrite(tx, change));
  });
}

function inProcess(parts: Parts, run: RunInSession, caller: InProcessCaller, isHost: boolean = true): InProcessApi {
  return createInProcessApi(parts.context, run, caller, { ...parts.lookup, isHost });
}

// Input from documents is treated like bodies over HTTP.
function readDocuments(parts: Parts, session: Session): InProcessApi {
  return inProcess(parts, (run) => run(session), hostPrincipal, false);
}
