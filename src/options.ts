import { type Plan, plans } from "./availability/availability.js";
import { assertVersion, defaultVersion } from "./availability/versions.js";
import type { KickstartDocument } from "./configuration/kickstart/resolve-kickstart.js";
import { toDeliverySettings } from "./delivery/engine/delivery-options.js";
import type { CookieSettings } from "./http/authenticate/cookies.js";
import type { TrustedProxies } from "./http/authenticate/source-address.js";
import type { EntityPermissions } from "./http/authorize/api-permissions.js";
import type { CorsOptions } from "./http/transport/cors.js";
import { toLambdaSettings } from "./lambdas/run/settings.js";
import type { AccountFlows, ImportJobLimits } from "./operations/service-context.js";
import type { Directory } from "./ports/directory.js";
import type {
  BrokerFactory,
  DeliveryOptions,
  DeliverySettings,
  HttpClient,
  MailTransport,
  ModerateUsername,
  SendSms,
} from "./ports/event-transport.js";
import type { LambdaOptions, LambdaSettings } from "./ports/lambda-runner.js";
import type { Names } from "./ports/names.js";
import type { PasskeyVerifier } from "./ports/passkeys.js";
import type { Clock, IdGenerator, Logger, PasswordHasher, Random, Runtime, Timers } from "./ports/runtime.js";
import type { IdentityProviderClient, PasswordConnector } from "./ports/sign-in.js";
import type { Storage } from "./ports/storage.js";
import type { Telemetry } from "./ports/telemetry.js";
import { parseThrottle, type ThrottleOptions, type ThrottleSettings } from "./security/throttle-limits.js";
import type { WriteChange } from "./service/audit/write-hook.js";
import type { IdentityTransaction } from "./service/host-transaction.js";
import {
  type CookieOptions,
  isWeakApiKey,
  positive,
  toAccountFlows,
  toApiEntityId,
  toCertificates,
  toCookieSettings,
  toImportJobLimits,
  toNames,
  toOrigins,
  toPublicUrl,
} from "./service/option-values.js";
import type { Protocol } from "./service/protocol.js";
import { createRuntime } from "./shared/default-runtime.js";

export type { Logger };

/** Options of `createIdentityService`. */
export interface IdentityServiceOptions<Native = unknown> {
  /** Storage of all records: `memoryStorage()`, `sqliteStorage({ filename })`. The service closes it. */
  readonly storage: Storage<Native>;
  /**
   * Encrypts stored secrets: at least 32 characters. To rotate, pass a list: the first encrypts, all of them decrypt. Required
   * with a durable storage. Default: random, for storages that end with the process.
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * A bootstrap API key: global, for every endpoint, key manager. A string becomes a key at start unless it exists already. A
   * function receives the value of a generated key when the storage has no key; no other call returns that value. A string under
   * 32 characters logs a warning, and throws when `NODE_ENV` is `production`. Default: no key.
   */
  readonly apiKey?: string | ((value: string) => void) | undefined;
  /** Whether a value of `apiKey` under 32 characters is accepted without a warning, and in production. Default false. */
  readonly allowWeakApiKey?: boolean | undefined;
  /** A kickstart file or document. Runs once in the life of a storage (docs/reference/system.md#kickstart). */
  readonly kickstart?: string | KickstartDocument | undefined;
  /** Reads users, applications and registrations from the host's own tables. Default: the service's own tables. */
  readonly directory?: Directory | undefined;
  /** The API version to emulate, such as `1.65.0`, the default. See docs/versions.md. */
  readonly version?: string | undefined;
  /** The plan of the reference to emulate. Default `enterprise`. */
  readonly plan?: Plan | undefined;
  /** The words that replace vendor names in headers and bodies. Default: see {@link Names}. */
  readonly names?: Partial<Names> | undefined;
  /** The id of the entity for this API in the scopes of client credentials. Default `defaultApiEntityId`. */
  readonly apiEntityId?: string | undefined;
  /**
   * Named groups of permissions on that entity, with the calls that each allows: `{ "groups:read": ["GET:/api/group"] }`. Each
   * single call is also a permission, named `<METHOD>:<endpoint>`. Default: no groups.
   */
  readonly entityPermissions?: EntityPermissions | undefined;
  /**
   * The service's root URL for clients, such as `https://id.example.com/identity`; the `htu` of a DPoP proof must match it.
   * Default: built from each request's `Host` and the mount path.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Checks passwords against breached ones, for tenants with `breachDetection`: `<rangeUrl>/<first five hex digits of the SHA-1>`
   * returns lines `<other 35 digits>:<count>`. `pairRangeUrl` does so for `<login id in lower case>:<password>`. Default: checks
   * only against a built-in list of the most common passwords. Throws a TypeError for a URL that is not http or https.
   */
  readonly breachDetection?: { readonly pairRangeUrl?: string | undefined; readonly rangeUrl?: string | undefined } | undefined;
  /**
   * Members of `data` that searches may use, by family: `{ users: ["department", "address.city"] }`, at most 20 each. Once a
   * table is large, each gets an index (docs/reference/search.md#members-of-data). Default: none.
   */
  readonly searchableData?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Scores new passwords from 0 to 4, such as by `@zxcvbn-ts/core`; a score under `minimumScore` (default 3) refuses the
   * password. `userInputs` are the login ids of the user. If the function fails, the password is accepted. Default: passwords are
   * not scored.
   */
  readonly passwordStrength?:
    | {
        readonly minimumScore?: number | undefined;
        readonly score: (password: string, userInputs: readonly string[]) => number | Promise<number>;
      }
    | undefined;
  /**
   * Cost of new password hashes by Argon2id: `memoryKib` (default 19,456) and `passes` (default 2), the lower bound that OWASP
   * recommends. A login replaces a hash of a lower cost. A cost under the defaults is a TypeError unless `allowWeak` is true, for
   * tests.
   */
  readonly passwordHashing?:
    | {
        readonly memoryKib?: number | undefined;
        readonly passes?: number | undefined;
        readonly allowWeak?: boolean | undefined;
      }
    | undefined;
  /** Computes password hashes, such as a cheap one in tests. Default: Argon2 and the hashes of Node, on other threads. */
  readonly passwordHasher?: PasswordHasher | undefined;
  /**
   * Verifies password hashes in formats of your own, by name: an import stores them as `<name>$<hash>`. `accepts` returns whether
   * a text is such a hash (default: each is). An error, or no result within 10 seconds, counts as a wrong password and is logged.
   * The first login replaces the hash by Argon2id. Throws a TypeError for the name of another format. Default: none.
   */
  readonly passwordSchemes?:
    | Readonly<
        Record<
          string,
          {
            readonly verify: (password: string, hash: string) => boolean | Promise<boolean>;
            readonly accepts?: ((hash: string) => boolean) | undefined;
          }
        >
      >
    | undefined;
  /**
   * Returns the location of an IP address in degrees, for the threat `ImpossibleTravel`; called for each login in a tenant that
   * tracks devices. Undefined, an error, and no result within 500 ms count as unknown. Default: no locations.
   */
  readonly locateAddress?:
    | ((ipAddress: string) => Promise<{ readonly latitude: number; readonly longitude: number } | undefined>)
    | undefined;
  /**
   * Verifies passkeys: `simpleWebAuthn()` of `latchkey/passkeys` (docs/passkeys.md). Default: calls about passkeys return 400.
   */
  readonly passkeys?: PasskeyVerifier | undefined;
  /**
   * Whether account flows return 404 for an unknown user to anonymous callers. Default false: known and unknown users get the
   * same response.
   */
  readonly revealUnknownUsers?: boolean | undefined;
  /** Protocols besides the API, such as `scim()` of `latchkey/scim`. Each is loaded with its first request. Default: none. */
  readonly protocols?: readonly Protocol[] | undefined;
  /**
   * Clients for identity providers: `openIdConnectLogins()` of `latchkey/oidc`. If two support a type, the first is used.
   * Default: none, so that providers can be stored but not used for logins.
   */
  readonly identityProviders?: readonly IdentityProviderClient[] | undefined;
  /**
   * Connectors that check passwords in other systems: `ldapConnector()` of `latchkey/ldap`. If two support a type, the first is
   * used. Default: the service's own client for connectors of the type `Generic`.
   */
  readonly connectors?: readonly PasswordConnector[] | undefined;
  /**
   * Addresses or CIDR ranges of proxies with trusted `X-Forwarded-For`, `-Proto` and `-Host` headers. Or, if nothing else can
   * reach the port, the number of proxies that every request passes. Default: none.
   */
  readonly trustedProxies?: readonly string[] | number | undefined;
  /**
   * Limits for failed logins, second factors and client secrets, with the lockout after them. Default: see `ThrottleLimits`.
   * `false`: no limits.
   */
  readonly throttle?: ThrottleOptions | false | undefined;
  /**
   * Whether `/api/status` and `/api/prometheus/metrics` answer callers on this machine without credentials, decided by the
   * address of the socket alone (docs/reference/authentication.md#schemes). Default false. **Warning:** behind a proxy on this
   * machine, every remote caller counts as local.
   */
  readonly localMetrics?: boolean | undefined;
  /**
   * Whether the OpenAPI document at `/api/openapi.json` and its viewer at `/api/docs` are public. The viewer needs the package
   * `swagger-ui-dist`. Default false: callers with a credential may read the document.
   */
  readonly docs?: boolean | undefined;
  /**
   * Sends text messages: codes, and those of `identity.sms.send`. Default: over HTTP, by the integration `sms` of versions before
   * 1.26.0.
   */
  readonly sendSms?: SendSms | undefined;
  /** Sends mail: `nodemailerTransport(…)`, or a function of the host. Default: none, so that sending an email template fails. */
  readonly mail?: MailTransport | undefined;
  /**
   * Creates the publisher of events when the integration `broker` is enabled: `natsBroker()` or `kafkaBroker()` of
   * `latchkey/brokers`, or a function of the host. Default: none; events for the broker stay in the outbox and are retried.
   */
  readonly broker?: BrokerFactory | undefined;
  /** Moderates usernames. Default: over HTTP, by the integration `moderation`; no moderation while it is disabled. */
  readonly moderateUsername?: ModerateUsername | undefined;
  /**
   * Whether outbound calls, such as those to webhooks, may go to a loopback, link-local, private or other special address.
   * Default false, so that callers who may set a URL cannot reach the host's own network.
   */
  readonly allowPrivateNetwork?: boolean | undefined;
  /**
   * Certificates in PEM that outbound TLS calls trust besides the system's, such as that of a private authority. Default: none.
   * For a single webhook, use its `sslCertificate`.
   */
  readonly outboundCa?: string | readonly string[] | undefined;
  /**
   * Sends the HTTP calls of webhooks, integrations, and lambdas with `allowFetch`. Default: the service's own client, which
   * refuses the addresses that `allowPrivateNetwork` forbids and trusts `outboundCa`; your own must do both. The service closes
   * it.
   */
  readonly http?: HttpClient | undefined;
  /**
   * The runner of lambdas, and their access to the host and the network. Default: `isolatedVmRunner()`, if the package
   * `isolated-vm` is installed.
   */
  readonly lambdas?: LambdaOptions | undefined;
  /**
   * Whether the audit log records each change by an administrator, in the transaction of the change: the author, the reason, and
   * the values before. Costs one record and one event per change. Default false.
   */
  readonly auditChanges?: boolean | undefined;
  /**
   * Called for each change of a record, inside the transaction of the operation, before its commit: your rows through `tx.db`, or
   * calls through `tx`, commit or roll back with it (docs/transactions.md#follow-every-write). An `IdentityError` that it throws
   * refuses the operation; any other error is 503 `[writeHookFailed]`. It can run more than once for one change, so avoid effects
   * outside of `tx`. Default: none, at no cost.
   */
  onWrite?(tx: IdentityTransaction<Native>, change: WriteChange): Promise<void> | void;
  /** The retention of audit log entries, in milliseconds. Their digests stay. Default 365 days. */
  readonly auditRetentionMs?: number | undefined;
  /** How long before an API key expires the event log warns, in milliseconds; at most half of the key's life. Default 7 days. */
  readonly apiKeyWarningMs?: number | undefined;
  /**
   * Delivery of events, mails and text messages by this process. Default: delivery starts shortly after the service, and its
   * timers never keep the process alive. `false`: messages wait for another process, `start()` or `settle()`.
   */
  readonly delivery?: DeliveryOptions | false | undefined;
  /** The cookies of a login. Default: for this host and all its paths, over TLS only, not sent with cross-site requests. */
  readonly cookies?: CookieOptions | undefined;
  /** The pages of other origins that may call the service from a browser. Default: none. */
  readonly cors?: CorsOptions | undefined;
  /**
   * Origins such as `https://app.example.com` with pages that may send changes with a login cookie from another host (CSRF
   * protection refuses all others). Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** The largest request body, in bytes. Default 1 MiB. A larger one gets 413. */
  readonly maxBodyBytes?: number | undefined;
  /** The largest body of an import and of a list of group members, in bytes. Default 64 MiB, or `maxBodyBytes` if that is larger. */
  readonly maxImportBytes?: number | undefined;
  /**
   * Limits of import jobs. Default: uploads of 4 GiB (`maxBytes`), lines of 1 MiB (`maxLineBytes`), 20,000,000 rows (`maxRows`),
   * 10 open jobs a tenant (`maxOpenJobs`); jobs are removed with uploads and results 7 days after their last change
   * (`keepMilliseconds`).
   */
  readonly importJobs?: Partial<ImportJobLimits> | undefined;
  /** The largest response, in bytes. Default 64 MiB. A request for a larger list or page is refused. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * How many bytes of responses may wait for slow clients, on all connections together. Default 256 MiB. Beyond it, requests get
   * 503. Responses of at most 16 KiB do not count.
   */
  readonly maxUnsentBytes?: number | undefined;
  /** How long a request body may take to arrive, in milliseconds. Default 30,000. A slower one gets 408. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Returns the current time in epoch milliseconds. Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /** Returns milliseconds since a fixed instant, to measure durations; never goes back. Default `performance.now`. */
  readonly monotonic?: (() => number) | undefined;
  /** Starts timers, and waits for later turns of the event loop. Default: those of Node. */
  readonly timers?: Timers | undefined;
  /** Starts to measure which share of the time the event loop is busy, 0 to 1. Default: `performance.eventLoopUtilization` of Node. */
  readonly monitorEventLoop?: Runtime["monitorEventLoop"] | undefined;
  /** Returns fresh lower-case UUIDs. Default: time-ordered ones (version 7). */
  readonly newId?: IdGenerator | undefined;
  /** Returns random bytes from a cryptographic source. Default: `randomBytes` of `node:crypto`. */
  readonly random?: Random | undefined;
  /**
   * Resolves the host names of outbound calls; a private address among the results is refused. Default: `lookup` of `node:dns`.
   */
  readonly lookup?: Runtime["lookup"] | undefined;
  /** A logger of pino's shape, such as `pino()`. Default: errors and warnings go to standard error. */
  readonly logger?: Logger | undefined;
  /**
   * Traces requests, transactions, lambda runs and deliveries: `openTelemetry()` of `latchkey/opentelemetry`. Default: no
   * telemetry.
   */
  readonly telemetry?: Telemetry | undefined;
  /**
   * Whether each request gets an id, returned in `X-Request-Id`. An id from the caller is always returned, and responses of 500
   * and above always have one, which the log contains. Default: true with `telemetry`, else false.
   */
  readonly requestIds?: boolean | undefined;
}

/** Options with every default filled in, frozen. */
export interface Settings {
  readonly secrets: readonly string[];
  readonly hasWeakApiKey: boolean;
  readonly version: string;
  readonly plan: Plan;
  readonly names: Names;
  readonly publicUrl: string | undefined;
  readonly accounts: AccountFlows;
  readonly apiEntityId: string;
  readonly entityPermissions: EntityPermissions;
  readonly trustedProxies: TrustedProxies;
  readonly throttle: ThrottleSettings;
  readonly localMetrics: boolean;
  readonly docs: boolean;
  readonly auditChanges: boolean;
  readonly auditRetentionMs: number;
  readonly apiKeyWarningMs: number;
  readonly requestIds: boolean;
  readonly delivery: DeliverySettings;
  readonly lambdas: LambdaSettings;
  readonly outboundCa: readonly string[];
  readonly cookies: CookieSettings;
  readonly cors: CorsOptions | undefined;
  readonly trustedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxImportBytes: number;
  readonly importJobs: ImportJobLimits;
  readonly maxAnswerBytes: number;
  readonly maxUnsentBytes: number;
  readonly bodyTimeoutMs: number;
  readonly runtime: Runtime;
}

/** Checks options and fills in defaults. @throws TypeError naming the invalid option. */
export function parseOptions<Native>(options: IdentityServiceOptions<Native>): Settings {
  const runtime = createRuntime(options);
  const { version = defaultVersion, plan = "enterprise", trustedProxies = [] } = options;
  assertVersion(version);
  if (!plans.includes(plan)) throw new TypeError(`plan must be one of ${plans.join(", ")}.`);
  return Object.freeze({
    secrets: toSecrets(options, runtime),
    hasWeakApiKey: isWeakApiKey(options),
    version,
    plan,
    names: toNames(options.names),
    publicUrl: options.publicUrl === undefined ? undefined : toPublicUrl(options.publicUrl),
    accounts: toAccountFlows(options, runtime),
    apiEntityId: toApiEntityId(options.apiEntityId),
    entityPermissions: options.entityPermissions ?? {},
    trustedProxies,
    throttle: parseThrottle(options.throttle),
    localMetrics: options.localMetrics ?? false,
    docs: options.docs ?? false,
    auditChanges: options.auditChanges ?? false,
    auditRetentionMs: positive("auditRetentionMs", options.auditRetentionMs ?? 365 * 86_400_000),
    apiKeyWarningMs: positive("apiKeyWarningMs", options.apiKeyWarningMs ?? 7 * 86_400_000),
    requestIds: options.requestIds ?? false,
    outboundCa: toCertificates("outboundCa", options.outboundCa),
    delivery: toDeliverySettings(options.delivery),
    lambdas: toLambdaSettings(options.lambdas, options.logger),
    cookies: toCookieSettings(options.cookies),
    cors: options.cors,
    trustedOrigins: toOrigins(options),
    maxBodyBytes: positive("maxBodyBytes", options.maxBodyBytes ?? 1_048_576),
    maxImportBytes: positive("maxImportBytes", options.maxImportBytes ?? Math.max(67_108_864, options.maxBodyBytes ?? 0)),
    importJobs: toImportJobLimits(options.importJobs),
    maxAnswerBytes: positive("maxAnswerBytes", options.maxAnswerBytes ?? 67_108_864),
    maxUnsentBytes: positive("maxUnsentBytes", options.maxUnsentBytes ?? 268_435_456),
    bodyTimeoutMs: positive("bodyTimeoutMs", options.bodyTimeoutMs ?? 30_000),
    runtime,
  });
}

function toSecrets<Native>(options: IdentityServiceOptions<Native>, { random }: Runtime): readonly string[] {
  const { secret, storage } = options;
  if (secret !== undefined) return typeof secret === "string" ? [secret] : secret;
  if (storage.capabilities.isDurable)
    throw new TypeError(
      "secret is required: it seals the secrets that the storage keeps. Pass at least 32 random characters, the same at every start.",
    );
  return [Buffer.from(random(32)).toString("base64url")];
}
