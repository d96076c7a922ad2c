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

/** How a host scores passwords. */
export interface PasswordStrength {
  /** Scores a password from 0, guessed at once, to 4; `userInputs` are login ids that a guesser knows. */
  readonly score: (password: string, userInputs: readonly string[]) => number | Promise<number>;
  /** The least score of a new password. Default 3. */
  readonly minimumScore?: number | undefined;
}

/** Where an address is, in degrees; undefined for one that cannot be located. */
export type LocateAddress = (ipAddress: string) => Promise<{ readonly latitude: number; readonly longitude: number } | undefined>;

/** What the host says about account flows. */
export interface AccountFlows {
  /** The URL of the service as clients call it: mails link to nothing else. */
  readonly publicUrl: string | undefined;
  /** The range service of breached passwords; undefined for none. */
  readonly breachRangeUrl: string | undefined;
  /** The range service of breached pairs of a login id and a password; undefined for none. */
  readonly breachPairRangeUrl: string | undefined;
  /** How the host scores new passwords, and the least that it accepts; undefined where it does not. */
  readonly passwordStrength: (PasswordStrength & { readonly minimumScore: number }) | undefined;
  /** How passwords are hashed and checked. */
  readonly passwords: Passwords;
  /** Where an address is; undefined where the host locates none. */
  readonly locateAddress: LocateAddress | undefined;
  /** How answers of authenticators are checked; undefined where users have no passkeys. */
  readonly passkeys: PasskeyVerifier | undefined;
  /** Whether callers without a credential learn that a user does not exist. */
  readonly revealsUnknownUsers: boolean;
}

/** What operations may use: the ports and the settings of one service. */
export interface ServiceContext {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly runtime: Runtime;
  readonly sealer: Sealer;
  /** The version of the reference that the service behaves like. */
  readonly version: string;
  readonly plan: Plan;
  readonly availability: Availability;
  /** The words that stand for vendors in bodies. */
  readonly names: Names;
  /** Every table of the service, for cascades. */
  readonly tables: readonly Table[];
  /** The storage of tenants: every family checks that a tenant exists. */
  readonly tenantsTable: Table;
  /** The largest result of a patch, in bytes of JSON. */
  readonly maxBodyBytes: number;
  /** The largest answer. */
  readonly answerSize: SizeLimit;
  /** The keys that sign and verify tokens. */
  readonly openKeys: KeySource;
  /** Clients by what they prove themselves with. */
  readonly clients: TtlCache<KnownClient>;
  /** The entity that stands for this API, as the target of client credentials. */
  readonly apiEntityId: string;
  /** What grants on that entity may name. */
  readonly apiPermissions: ApiPermissions;
  /** Whether grants of keys and lambdas can name an endpoint. */
  readonly isEndpoint: IsEndpoint;
  /** As `verifyToken`, of a token that may have ended before it expires: for guards of the host's routes, which ask for more by `fresh`. */
  readonly verifySignedToken: (token: string) => Promise<TokenPrincipal | undefined>;
  /** The principal of a token that may be used now, regardless of the presenter; undefined for any other text. */
  readonly verifyToken: (token: string) => Promise<TokenPrincipal | undefined>;
  /** The thumbprint of the key that a request proves to hold (RFC 9449): see `ProofVerifier.verify`. */
  readonly verifyProof: (request: ApiRequest, bound?: BoundToken, isHostRoute?: boolean) => Promise<string | undefined>;
  /** Where a request comes from. */
  readonly addressOf: AddressResolver;
  readonly measurements: Measurements;
  /** What is streamed from snapshots of the storage. */
  readonly streams: SnapshotStreams;
  /** Receives requests and deliveries; undefined without telemetry. */
  readonly telemetry: Telemetry | undefined;
  /** How failed attempts are counted and slowed. */
  readonly throttle: ThrottleContext;
  /** Why calls may not go to a URL, and what to do about it, as far as that is known before its name is looked up; undefined where they may. */
  readonly explainForbiddenUrl: (url: string) => Promise<string | undefined>;
  /** Calls over HTTP that the service makes. */
  readonly http: HttpClient;
  /** Who speaks the protocols of identity providers. */
  readonly identityProviders: readonly IdentityProviderClient[];
  /** Who checks passwords against other systems, how many calls each connector has under way, and which certificates are trusted. */
  readonly connectors: {
    readonly bulkheads: Bulkheads;
    readonly clients: readonly PasswordConnector[];
    readonly certificates: readonly string[];
  };
  /** How the host sends text messages, where it does. */
  readonly sendSms: SendSms | undefined;
  /** How lambdas are run, and how they fared. */
  readonly lambdas: LambdaState;
  /** How the host connects to message brokers, where it does. */
  readonly broker: BrokerFactory | undefined;
  /** Publishes to the brokers that records name. */
  readonly brokers: Brokers;
  /** Whether connections may go to loopback, link-local, private and other special addresses. */
  readonly allowsPrivateNetwork: boolean;
  /** How the host moderates usernames, where it does. */
  readonly moderateUsername: ModerateUsername | undefined;
  /** What the host says about account flows. */
  readonly accounts: AccountFlows;
  /** How mails leave, where they do. */
  readonly mail: MailTransport | undefined;
  /** How the cookies of a login are set. */
  readonly cookies: CookieSettings;
  /** Whether a browser sent a request on behalf of another site, so that its cookies count for nothing. */
  readonly isCrossSite: (request: ApiRequest) => boolean;
  /** Called after a commit that changed what a client is or may, so that every process on the storage forgets. */
  readonly forgetClients: () => void;
  /** Called after a commit that changed API keys, signing keys or tenants, so that every process on the storage forgets. */
  readonly forgetKeys: () => void;
  /** Called after a commit that ended sessions or other artifacts, so that every process on the storage asks again. */
  readonly forgetSessions: () => void;
  /** Calls back whenever this process forgets what clients are and may, also with keys, and for a change in another process. */
  readonly whenClientsChange: (listener: () => void) => void;
  /** Calls back whenever this process forgets keys, tenants and applications, also for a change in another process. */
  readonly whenKeysChange: (listener: () => void) => void;
  /** What is logged once in the life of this service. */
  readonly warnings: SingleWarnings;
  /** Notes that a record has a setting without effect, so that the next start looks for them. */
  readonly recordSettingsInUse: (tx: Transaction) => Promise<void>;
  /** What follows changes: the audit log or the host's hook; undefined where nothing does. */
  readonly auditing: Auditing | undefined;
  /** The same for changes by administrators, which the audit log has in any case; the same object where it has all. */
  readonly administratorAuditing: Auditing;
  /** How long entries of the audit log stay, in milliseconds. */
  readonly auditRetentionMs: number;
  /** How long before an API key expires the event log warns, in milliseconds. */
  readonly apiKeyWarningMs: number;
  /** The events of removed records. */
  readonly removing: Removing;
  /** How events are delivered. */
  readonly delivery: DeliverySettings;
  /** What tenants say about events. */
  readonly eventSettings: EventSettings;
  /** Asks receivers whether the causes of events may be stored. @throws IdentityError 504 when too few agree. */
  readonly askReceivers: (requests: readonly ApprovalRequest[]) => Promise<Answers>;
  /** Lets what waits in a queue leave soon. Default: events. */
  readonly wakeDeliverer: (queue?: string) => void;
  /** Keeps the record of a login some time later, with others. */
  readonly queueLoginRecord: (login: RecordedLogin) => void;
  /** Erases the tenants that are marked for removal. */
  readonly tenantRemovals: TenantRemovals;
  /** How import jobs are limited, and who works on them. */
  readonly importJobs: ImportJobs;
  /** Ends what waits for a receiver of events that was removed or disabled, some time after the commit. */
  readonly endDeliveries: (receiverId: string) => void;
}

/** What calls other systems. */
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

/** What was done to one record: on both sides as the wire shows it, without secrets. A new record has no old value, a removed one no new. */
export interface RecordedChange {
  /** The name of the family. */
  readonly family: string;
  /** The tenant that the entry belongs to; null: the whole instance. */
  readonly tenantId: string | null;
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
  /** What was done, where that was no change of one record. */
  readonly message?: string;
}

/** The part of a call in its transaction that is known of a change. */
export interface ChangingCall {
  readonly principal: Principal | undefined;
  readonly auditReason?: string | undefined;
  readonly isDryRun: boolean;
  readonly asking?: TransactionApprovals | undefined;
  readonly request?: ApiRequest | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** What follows changes: the audit log, and the host's hook `onWrite`. */
export interface Auditing {
  /** The part that writes entries of the audit log; undefined where only the hook follows. */
  readonly log: Auditing | undefined;
  /** Whether the hook follows, which may wait, and write rows of the host. */
  readonly hasHook: boolean;
  /** Writes an entry for each change and calls the hook with it, in the transaction of the changes. */
  readonly write: (call: ChangingCall, changes: readonly RecordedChange[]) => Promise<void>;
  /** Gets ready for a transaction; called before it. Undefined when there is nothing to do. */
  readonly prepare: () => Promise<void> | undefined;
}

/** The part of a call in its transaction that the events of removed records are made of. */
interface RemovingCall {
  readonly asking?: TransactionApprovals | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** What publishes the removal of records. */
export interface Removing {
  /** Whether the removal of records of a table has events. */
  readonly hasEvents: (table: Table) => boolean;
  /**
   * The events of records of one table that are about to be removed. They show the records as they are before. `removedWith` is the table
   * of the record that they are removed with; absent where a call removes them by themselves.
   */
  readonly describe: (
    call: RemovingCall,
    table: Table,
    records: readonly StoredRecord[],
    removedWith?: Table,
  ) => Promise<readonly NewEvent[]>;
}

/** A login whose record waits to be written. */
export interface RecordedLogin {
  readonly applicationId: string | undefined;
  /** The identity provider that vouched for the user; undefined for none. */
  readonly identityProviderId?: string | undefined;
  /** When, in epoch milliseconds. */
  readonly instant: number;
  readonly ipAddress: string | undefined;
  readonly loginId: string | undefined;
  readonly tenantId: string;
  readonly userId: string;
}

/** The removals of tenants, which outlast the call that asks for one. */
export interface TenantRemovals {
  /** Begins or continues, in the background, to erase a tenant that is marked for removal. */
  readonly start: (tenantId: string) => void;
  /** Resolves when a tenant that is marked for removal is gone; any process may erase it. */
  readonly finish: (tenantId: string) => Promise<void>;
  /** Resolves when this process erases no tenant any more. */
  readonly settle: () => Promise<void>;
}

/** The limits of import jobs. */
export interface ImportJobLimits {
  /** The largest upload, in bytes. */
  readonly maxBytes: number;
  /** The longest line, in bytes. */
  readonly maxLineBytes: number;
  /** The most rows of a job. */
  readonly maxRows: number;
  /** How many jobs of a tenant, or of no tenant, may wait or run at once. */
  readonly maxOpenJobs: number;
  /** How long jobs stay after their last change, with uploads and results, in milliseconds. */
  readonly keepMilliseconds: number;
}

/** What operations know of import jobs. */
export interface ImportJobs extends ImportJobLimits {
  /** Begins or continues to work on a job, in the background. */
  readonly start: (jobId: string) => void;
  /** Whether the service closes. */
  readonly isStopped: () => boolean;
}
