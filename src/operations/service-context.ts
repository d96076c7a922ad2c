import type { Availability, Plan } from "../availability/availability.js";
import type { CookieSettings } from "../http/authenticate/cookies.js";
import type { BoundToken, KnownClient, Principal, TokenPrincipal } from "../http/authenticate/principal.js";
import type { AddressResolver } from "../http/authenticate/source-address.js";
import type { ApiPermissions } from "../http/authorize/api-permissions.js";
import type { IsEndpoint } from "../http/authorize/endpoint-grants.js";
import type { Directory } from "../ports/directory.js";
import type {
  BrokerFactory,
  Brokers,
  DeliverySettings,
  HttpClient,
  MailTransport,
  ModerateUsername,
  SendSms,
} from "../ports/event-transport.js";
import type { Names } from "../ports/names.js";
import type { PasskeyVerifier } from "../ports/passkeys.js";
import type { Runtime } from "../ports/runtime.js";
import type { IdentityProviderClient, PasswordConnector } from "../ports/sign-in.js";
import type { SizeLimit, Storage, StoredRecord, Table, Transaction } from "../ports/storage.js";
import type { Telemetry } from "../ports/telemetry.js";
import type { ApiRequest } from "../ports/transport.js";
import type { KeySource } from "../security/keys/loaded-keys.js";
import type { Passwords } from "../security/password-hashes/password.js";
import type { Sealer } from "../security/seal.js";
import type { ThrottleContext } from "../security/throttle-limits.js";
import type { Bulkheads } from "../shared/bulkheads.js";
import type { SingleWarnings } from "../shared/single-warnings.js";
import type { TtlCache } from "../shared/ttl-cache.js";
import type { Answers, ApprovalRequest, TransactionApprovals } from "./events/approvals.js";
import type { EventSettings } from "./events/event-settings.js";
import type { NewEvent } from "./events/recorded-event.js";
import type { LambdaState } from "./lambda-state.js";
import type { Measurements } from "./metrics.js";
import type { SnapshotStreams } from "./snapshot-streams.js";

/** The host's password strength check. */
export interface PasswordStrength {
  /** Scores a password from 0, guessed at once, to 4; `userInputs` are login ids that an attacker knows. */
  readonly score: (password: string, userInputs: readonly string[]) => number | Promise<number>;
  /** The least score of a new password. Default 3. */
  readonly minimumScore?: number | undefined;
}

/** Locates an address, in degrees; undefined for one that cannot be located. */
export type LocateAddress = (ipAddress: string) => Promise<{ readonly latitude: number; readonly longitude: number } | undefined>;

/** The host's settings of account flows. */
export interface AccountFlows {
  /** The URL of the service for clients: mails link to nothing else. */
  readonly publicUrl: string | undefined;
  /** The range service of breached passwords; undefined for none. */
  readonly breachRangeUrl: string | undefined;
  /** The range service of breached pairs of a login id and a password; undefined for none. */
  readonly breachPairRangeUrl: string | undefined;
  /** The host's password strength check and the least score; undefined for none. */
  readonly passwordStrength: (PasswordStrength & { readonly minimumScore: number }) | undefined;
  readonly passwords: Passwords;
  readonly locateAddress: LocateAddress | undefined;
  /** Verifies answers of authenticators; undefined where users have no passkeys. */
  readonly passkeys: PasskeyVerifier | undefined;
  /** Whether callers without a credential learn that a user does not exist. */
  readonly revealsUnknownUsers: boolean;
}

/** The ports and settings of one service, for its operations. */
export interface ServiceContext {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly runtime: Runtime;
  readonly sealer: Sealer;
  /** The version of the reference that determines the behavior of the service. */
  readonly version: string;
  readonly plan: Plan;
  readonly availability: Availability;
  /** The words that stand for vendors in bodies. */
  readonly names: Names;
  readonly tables: readonly Table[];
  /** The table of tenants: every family checks that a tenant exists. */
  readonly tenantsTable: Table;
  /** The largest result of a patch, in bytes of JSON. */
  readonly maxBodyBytes: number;
  readonly answerSize: SizeLimit;
  readonly openKeys: KeySource;
  readonly clients: TtlCache<KnownClient>;
  /** The entity that represents this API as the target of client credentials. */
  readonly apiEntityId: string;
  readonly apiPermissions: ApiPermissions;
  /** Whether grants of keys and lambdas can name an endpoint. */
  readonly isEndpoint: IsEndpoint;
  /**
   * Like `verifyToken`, but also accepts a token that was revoked before it expires: for guards of the host's routes, which check
   * more with `fresh`.
   */
  readonly verifySignedToken: (token: string) => Promise<TokenPrincipal | undefined>;
  /** The principal of a valid, unrevoked token, regardless of the presenter; undefined for any other text. */
  readonly verifyToken: (token: string) => Promise<TokenPrincipal | undefined>;
  /** The thumbprint of the key in the DPoP proof of a request (RFC 9449): see `ProofVerifier.verify`. */
  readonly verifyProof: (request: ApiRequest, bound?: BoundToken, isHostRoute?: boolean) => Promise<string | undefined>;
  readonly addressOf: AddressResolver;
  readonly measurements: Measurements;
  readonly streams: SnapshotStreams;
  /** Receives requests and deliveries; undefined without telemetry. */
  readonly telemetry: Telemetry | undefined;
  readonly throttle: ThrottleContext;
  /** Explains why calls to a URL are forbidden, and the fix, without looking its name up; undefined for allowed ones. */
  readonly explainForbiddenUrl: (url: string) => Promise<string | undefined>;
  readonly http: HttpClient;
  readonly identityProviders: readonly IdentityProviderClient[];
  /** The systems that check passwords, limits of parallel calls, and trusted certificates. */
  readonly connectors: {
    readonly bulkheads: Bulkheads;
    readonly clients: readonly PasswordConnector[];
    readonly certificates: readonly string[];
  };
  readonly sendSms: SendSms | undefined;
  readonly lambdas: LambdaState;
  readonly broker: BrokerFactory | undefined;
  /** Publishes to the brokers that records name. */
  readonly brokers: Brokers;
  /** Whether connections may go to loopback, link-local, private and other special addresses. */
  readonly allowsPrivateNetwork: boolean;
  readonly moderateUsername: ModerateUsername | undefined;
  readonly accounts: AccountFlows;
  readonly mail: MailTransport | undefined;
  readonly cookies: CookieSettings;
  /** Whether a browser sent a request on behalf of another site, so that its cookies are ignored. */
  readonly isCrossSite: (request: ApiRequest) => boolean;
  /** Invalidates clients and their rights in all processes on the storage: call it after the commit. */
  readonly forgetClients: () => void;
  /** Invalidates API keys, signing keys and tenants in all processes on the storage: call it after the commit. */
  readonly forgetKeys: () => void;
  /** Invalidates ended sessions and other artifacts in all processes on the storage: call it after the commit. */
  readonly forgetSessions: () => void;
  /** Registers a listener for invalidations of clients, also along with keys and from other processes. */
  readonly whenClientsChange: (listener: () => void) => void;
  /** Registers a listener for invalidations of keys, tenants and applications, also from other processes. */
  readonly whenKeysChange: (listener: () => void) => void;
  readonly warnings: SingleWarnings;
  /** Records the use of a setting without effect, so that the next start looks for them. */
  readonly recordSettingsInUse: (tx: Transaction) => Promise<void>;
  /** The audit log or the host's hook; undefined without both. */
  readonly auditing: Auditing | undefined;
  /** The same for changes by administrators, which the audit log always has; the same object where it has all. */
  readonly administratorAuditing: Auditing;
  /** The retention of audit log entries, in milliseconds. */
  readonly auditRetentionMs: number;
  /** How long before its expiry the event log warns of an API key, in milliseconds. */
  readonly apiKeyWarningMs: number;
  readonly removing: Removing;
  readonly delivery: DeliverySettings;
  readonly eventSettings: EventSettings;
  /** Asks receivers to approve events before their causes are stored. @throws IdentityError 504 when too few agree. */
  readonly askReceivers: (requests: readonly ApprovalRequest[]) => Promise<Answers>;
  /** Starts a delivery from a queue soon. Default: events. */
  readonly wakeDeliverer: (queue?: string) => void;
  /** Writes the record of a login later, in a batch. */
  readonly queueLoginRecord: (login: RecordedLogin) => void;
  readonly tenantRemovals: TenantRemovals;
  readonly importJobs: ImportJobs;
  /** Ends waiting deliveries to a removed or disabled receiver, some time after the commit. */
  readonly endDeliveries: (receiverId: string) => void;
}

/** The part of the context that calls other systems. */
export type OutboundContext = Pick<
  ServiceContext,
  | "allowsPrivateNetwork"
  | "broker"
  | "brokers"
  | "connectors"
  | "delivery"
  | "explainForbiddenUrl"
  | "http"
  | "identityProviders"
  | "mail"
  | "moderateUsername"
  | "sendSms"
  | "telemetry"
>;

/**
 * The change of one record: both values as on the wire, without secrets. A new record has no old value, a removed one no new
 * value.
 */
export interface RecordedChange {
  readonly family: string;
  /** The tenant that the entry belongs to; null: the whole instance. */
  readonly tenantId: string | null;
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
  /** The message of an entry that is not about a change of one record. */
  readonly message?: string;
}

/** The part of a call in its transaction that audit entries need. */
export interface ChangingCall {
  readonly principal: Principal | undefined;
  readonly auditReason?: string | undefined;
  readonly isDryRun: boolean;
  readonly asking?: TransactionApprovals | undefined;
  readonly request?: ApiRequest | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** The followers of changes: the audit log, and the host's hook `onWrite`. */
export interface Auditing {
  /** The part that writes entries of the audit log; undefined for the hook alone. */
  readonly log: Auditing | undefined;
  /** Whether there is a hook, which may wait and write rows of the host. */
  readonly hasHook: boolean;
  /** Writes an entry for each change and calls the hook, in the transaction of the changes. */
  readonly write: (call: ChangingCall, changes: readonly RecordedChange[]) => Promise<void>;
  /** Prepares a transaction; called before it. Undefined when there is nothing to do. */
  readonly prepare: () => Promise<void> | undefined;
}

interface RemovingCall {
  readonly asking?: TransactionApprovals | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** Publishes the removal of records. */
export interface Removing {
  readonly hasEvents: (table: Table) => boolean;
  /**
   * The events of records of one table that are about to be removed, in their state before. `removedWith` is the table of the
   * record that takes them along; absent for direct removals.
   */
  readonly describe: (
    call: RemovingCall,
    table: Table,
    records: readonly StoredRecord[],
    removedWith?: Table,
  ) => Promise<readonly NewEvent[]>;
}

/** A login before its record is written. */
export interface RecordedLogin {
  readonly applicationId: string | undefined;
  /** The identity provider that authenticated the user; undefined for none. */
  readonly identityProviderId?: string | undefined;
  /** In epoch milliseconds. */
  readonly instant: number;
  readonly ipAddress: string | undefined;
  readonly loginId: string | undefined;
  readonly tenantId: string;
  readonly userId: string;
}

/** The removals of tenants, which outlast the call that requests one. */
export interface TenantRemovals {
  /** Begins or continues to erase a tenant that is marked for removal, in the background. */
  readonly start: (tenantId: string) => void;
  /** Resolves when a tenant that is marked for removal is gone; any process may erase it. */
  readonly finish: (tenantId: string) => Promise<void>;
  /** Resolves when this process has stopped erasing tenants. */
  readonly settle: () => Promise<void>;
}

/** The limits of import jobs. */
export interface ImportJobLimits {
  readonly maxBytes: number;
  readonly maxLineBytes: number;
  readonly maxRows: number;
  /** The most jobs of a tenant, or of no tenant, that may wait or run at once. */
  readonly maxOpenJobs: number;
  /** The retention of jobs with uploads and results after their last change, in milliseconds. */
  readonly keepMilliseconds: number;
}

/** The import jobs of a service, for its operations. */
export interface ImportJobs extends ImportJobLimits {
  /** Begins or continues to work on a job, in the background. */
  readonly start: (jobId: string) => void;
  readonly isStopped: () => boolean;
}
