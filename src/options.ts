import { randomBytes } from "node:crypto";
import type { CookieSettings } from "./accounts/sessions/cookies.js";
import { parseThrottle, type ThrottleOptions, type ThrottleSettings } from "./accounts/throttle/limits.js";
import { type Plan, plans } from "./availability/plans.js";
import { assertVersion, defaultVersion } from "./availability/versions.js";
import type { KickstartDocument } from "./configuration/kickstart/kickstart-document.js";
import { type DeliveryOptions, type DeliverySettings, toDeliverySettings } from "./delivery/engine/delivery-options.js";
import type { EntityPermissions } from "./http/authorize/api-permissions.js";
import { type LambdaOptions, type LambdaSettings, toLambdaSettings } from "./lambdas/run/settings.js";
import type { Directory } from "./ports/directory.js";
import type { BrokerFactory, HttpClient, MailTransport, ModerateUsername, SendSms } from "./ports/event-transport.js";
import type { Names } from "./ports/names.js";
import type { Clock, IdGenerator, Logger, Random, Runtime } from "./ports/runtime.js";
import type { Storage } from "./ports/storage.js";
import type { Telemetry } from "./ports/telemetry.js";
import {
  type CookieOptions,
  isWeakApiKey,
  positive,
  toApiEntityId,
  toCertificates,
  toCookieSettings,
  toNames,
  toOrigins,
  toPublicUrl,
} from "./service/option-values.js";
import { consoleLogger } from "./shared/console-logger.js";
import { createTimeOrderedIds } from "./shared/text/time-ordered-id.js";

/** Options of `createIdentityService`. */
export interface IdentityServiceOptions<Native = unknown> {
  /** Storage of all records: `memoryStorage()`, `sqliteStorage({ filename })`. The service closes it. */
  readonly storage: Storage<Native>;
  /**
   * Seals the secrets that are stored: at least 32 characters. A list rotates: the first seals, all of them open.
   * Required with a storage that outlives the process.
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * A bootstrap key: global, every endpoint, key manager. A value becomes a key at start unless it exists. A function receives the
   * value of the key that is made when the storage holds none at all; it is the only time that value is shown. A value under 32
   * characters is accepted with a warning, and refused where `NODE_ENV` is `production`.
   */
  readonly apiKey?: string | ((value: string) => void) | undefined;
  /** Whether a value of `apiKey` under 32 characters is accepted without a warning, and in production. Default false. */
  readonly allowWeakApiKey?: boolean | undefined;
  /** A kickstart file or document; runs once in the life of a storage (docs/reference/system.md#kickstart). */
  readonly kickstart?: string | KickstartDocument | undefined;
  /** Answers for users, applications and registrations from the host's own tables. Default: the service's own. */
  readonly directory?: Directory | undefined;
  /** The version of the reference to behave like. Default `1.65.0`. */
  readonly version?: string | undefined;
  /** Default `enterprise`. */
  readonly plan?: Plan | undefined;
  readonly names?: Partial<Names> | undefined;
  /** The id of the entity that stands for this API in the scopes of client credentials. Default `defaultApiEntityId`. */
  readonly apiEntityId?: string | undefined;
  /**
   * Further names of permissions on that entity, with the calls that each stands for: `{ "groups:read": ["GET:/api/group"] }`.
   * What a client may call at all is a permission by itself, named `<METHOD>:<endpoint>`.
   */
  readonly entityPermissions?: EntityPermissions | undefined;
  /**
   * The service's root as clients call it, such as `https://id.example.com/identity`: what the `htu` of a DPoP proof must name. Default:
   * made of each request's `Host` and the path that the service is mounted at.
   */
  readonly publicUrl?: string | undefined;
  /** Addresses or CIDR ranges whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` are believed. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * How many failed logins, second factors and client secrets there may be, and what happens then. Default: see
   * `ThrottleLimits`; `false` counts none.
   */
  readonly throttle?: ThrottleOptions | false | undefined;
  /**
   * Whether `/api/status` and `/api/prometheus/metrics` answer callers on this machine without credentials, decided by the address of
   * the socket alone (docs/reference/authentication.md#schemes). Leave it off where a proxy on this machine passes on what comes from elsewhere. Default false.
   */
  readonly localMetrics?: boolean | undefined;
  /**
   * Whether everybody may read the OpenAPI document, at `/api/openapi.json`, and look at it on a page, at `/api/docs`; the page needs the
   * package `swagger-ui-dist`. Default false: callers with a credential may read the document.
   */
  readonly docs?: boolean | undefined;
  /** Sends text messages in the host's way, codes and those of `identity.sms.send`. Default: over HTTP, as the integration `sms` of versions before 1.26.0 says. */
  readonly sendSms?: SendSms | undefined;
  /** Sends mails, such as `nodemailerTransport(…)` or a function of the host. Without it email templates are stored, but cannot be sent. */
  readonly mail?: MailTransport | undefined;
  /**
   * Makes what publishes events when the integration `broker` is enabled: `natsBroker()` of `latchkey/nats`, `kafkaBroker()` of
   * `latchkey/kafka`, or a function of the host. Default: events wait, and are tried again, until there is one.
   */
  readonly broker?: BrokerFactory | undefined;
  /** Moderates usernames in the host's way. Default: over HTTP, as the integration `moderation` says; no moderation while it is disabled. */
  readonly moderateUsername?: ModerateUsername | undefined;
  /**
   * Whether what the service calls, such as the provider of text messages, may be at a loopback, link-local, private or other special
   * address. Default false, so that callers who may set a URL cannot reach the host's own network.
   */
  readonly allowPrivateNetwork?: boolean | undefined;
  /**
   * Certificates in PEM that calls over TLS trust beside the usual ones, such as that of a company's own authority. Default: none.
   * What one webhook alone trusts is its `sslCertificate`.
   */
  readonly outboundCa?: string | readonly string[] | undefined;
  /**
   * Makes the calls over HTTP: of webhooks, of integrations, of lambdas that may. Default: the service's own client, which goes to no
   * address that `allowPrivateNetwork` forbids and trusts `outboundCa`; your own must do both. The service closes it.
   */
  readonly http?: HttpClient | undefined;
  /** How lambdas are run, and what they may reach. Default: by `isolatedVmRunner()`, where the package `isolated-vm` is installed. */
  readonly lambdas?: LambdaOptions | undefined;
  /**
   * Whether the audit log records each change by an administrator, in the transaction of the change: by whom, why,
   * and what it was before. It costs a record and an event for each. Default false.
   */
  readonly auditChanges?: boolean | undefined;
  /**
   * How events, mails and text messages are delivered. This process begins by itself, a moment after its start; its timers never
   * keep it alive. `false`: they wait for another process, `start()` or `settle()`.
   */
  readonly delivery?: DeliveryOptions | false | undefined;
  /** The cookies that a login sets. Default: for this host and all its paths, over TLS only, not with requests of other sites. */
  readonly cookies?: CookieOptions | undefined;
  /**
   * Origins such as `https://app.example.com` whose pages may change something with the cookie of a login although they are served by
   * another host. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** The largest body, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** The largest answer, in bytes. Default 64 MiB. A list or page that would be larger is refused. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * How many bytes of answers may wait for their clients to read them, on all connections together. Default 256 MiB. Beyond it requests
   * are answered 503. Answers of at most 16 KiB are not counted.
   */
  readonly maxUnsentBytes?: number | undefined;
  /** How long a body may take to arrive, in milliseconds. Default 30,000. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /** Fresh lower-case UUIDs. Default: time-ordered ones (version 7). */
  readonly newId?: IdGenerator | undefined;
  readonly random?: Random | undefined;
  /** A logger of pino's shape, such as `pino()`. Default: errors and warnings go to standard error. */
  readonly logger?: Logger | undefined;
  /** Receives requests, transactions, lambda runs and deliveries: `openTelemetry()` of `latchkey/opentelemetry`. Default: no telemetry. */
  readonly telemetry?: Telemetry | undefined;
  /**
   * Whether every request gets an id, which its answer has in `X-Request-Id`. What callers send there is repeated in any case, and
   * answers of 500 and more always have one, which the log names. Default: where there is `telemetry`.
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
  readonly apiEntityId: string;
  readonly entityPermissions: EntityPermissions;
  readonly trustedProxies: readonly string[];
  readonly throttle: ThrottleSettings;
  readonly localMetrics: boolean;
  readonly docs: boolean;
  readonly auditChanges: boolean;
  readonly requestIds: boolean;
  readonly delivery: DeliverySettings;
  readonly lambdas: LambdaSettings;
  readonly outboundCa: readonly string[];
  readonly cookies: CookieSettings;
  readonly trustedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxAnswerBytes: number;
  readonly maxUnsentBytes: number;
  readonly bodyTimeoutMs: number;
  readonly runtime: Runtime;
}

/** Checks options once. @throws TypeError naming the option that is wrong. */
export function parseOptions<Native>(options: IdentityServiceOptions<Native>): Settings {
  const { version = defaultVersion, plan = "enterprise", trustedProxies = [] } = options;
  assertVersion(version);
  if (!plans.includes(plan)) throw new TypeError(`plan must be one of ${plans.join(", ")}.`);
  return Object.freeze({
    secrets: toSecrets(options),
    hasWeakApiKey: isWeakApiKey(options),
    version,
    plan,
    names: toNames(options.names),
    publicUrl: options.publicUrl === undefined ? undefined : toPublicUrl(options.publicUrl),
    apiEntityId: toApiEntityId(options.apiEntityId),
    entityPermissions: options.entityPermissions ?? {},
    trustedProxies,
    throttle: parseThrottle(options.throttle),
    localMetrics: options.localMetrics ?? false,
    docs: options.docs ?? false,
    auditChanges: options.auditChanges ?? false,
    requestIds: options.requestIds ?? false,
    outboundCa: toCertificates("outboundCa", options.outboundCa),
    delivery: toDeliverySettings(options.delivery),
    lambdas: toLambdaSettings(options.lambdas, options.logger),
    cookies: toCookieSettings(options.cookies),
    trustedOrigins: toOrigins(options),
    maxBodyBytes: positive("maxBodyBytes", options.maxBodyBytes ?? 1_048_576),
    maxAnswerBytes: positive("maxAnswerBytes", options.maxAnswerBytes ?? 67_108_864),
    maxUnsentBytes: positive("maxUnsentBytes", options.maxUnsentBytes ?? 268_435_456),
    bodyTimeoutMs: positive("bodyTimeoutMs", options.bodyTimeoutMs ?? 30_000),
    runtime: toRuntime(options),
  });
}

function toSecrets<Native>(options: IdentityServiceOptions<Native>): readonly string[] {
  const { secret, storage } = options;
  if (secret !== undefined) return typeof secret === "string" ? [secret] : secret;
  if (storage.capabilities.isDurable)
    throw new TypeError(
      "secret is required: it seals the secrets that the storage keeps. Pass at least 32 random characters, the same at every start.",
    );
  return [randomBytes(32).toString("base64url")];
}

function toRuntime<Native>(options: IdentityServiceOptions<Native>): Runtime {
  const { clock = Date.now, random = randomBytes } = options;
  return Object.freeze({
    clock,
    newId: options.newId ?? createTimeOrderedIds(clock, random),
    random,
    logger: options.logger ?? consoleLogger,
  });
}
