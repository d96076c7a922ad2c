import type { IdentityServiceOptions } from "../options.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { isObjectOrList } from "../shared/objects.js";

const names: OptionNames<IdentityServiceOptions> = {
  allowPrivateNetwork: "boolean",
  allowWeakApiKey: "boolean",
  apiEntityId: "text",
  apiKey: "text or function",
  apiKeyWarningMs: "number",
  auditChanges: "boolean",
  auditRetentionMs: "number",
  bodyTimeoutMs: "number",
  breachDetection: "object",
  locateAddress: "function",
  passwordHasher: ["digest", "hash", "verify"],
  passwordHashing: "object",
  passwordSchemes: "object",
  passwordStrength: "object",
  broker: "function",
  clock: "function",
  connectors: "list",
  cookies: "object",
  cors: "object",
  delivery: true,
  directory: ["findApplications", "findRegistrations", "findRoles", "findUsers"],
  docs: "boolean",
  entityPermissions: "object",
  http: ["close", "send"],
  identityProviders: "list",
  importJobs: "object",
  kickstart: "text or object",
  lambdas: "object",
  localMetrics: "boolean",
  logger: ["debug", "error", "info", "warn"],
  lookup: "function",
  mail: "function",
  maxAnswerBytes: "number",
  maxBodyBytes: "number",
  maxImportBytes: "number",
  maxUnsentBytes: "number",
  moderateUsername: "function",
  monitorEventLoop: "function",
  monotonic: "function",
  names: true,
  onWrite: "function",
  newId: "function",
  outboundCa: "text or list",
  passkeys: ["verifyAssertion", "verifyAttestation"],
  plan: "text",
  protocols: "list",
  publicUrl: "text",
  random: "function",
  requestIds: "boolean",
  revealUnknownUsers: "boolean",
  searchableData: "object",
  secret: "text or list",
  sendSms: "function",
  storage: true,
  telemetry: ["follow", "watchOutbox"],
  throttle: true,
  timers: ["after", "every", "nextTurn"],
  trustedOrigins: "list",
  trustedProxies: true,
  version: "text",
};

/**
 * Checks the options at the root.
 * @throws TypeError naming the option, its rule and a valid value.
 */
export function assertOptions<Native>(given: IdentityServiceOptions<Native> | undefined): void {
  const storages = "memoryStorage(), sqliteStorage({ filename }) or postgresStorage({ connectionString })";
  if (!isObjectOrList(given))
    throw new TypeError(`createIdentityService needs options, a storage at least: pass { storage }, made by ${storages}.`);
  assertKnownOptions<IdentityServiceOptions<Native>>("", given, names);
  const { storage } = given;
  if (storage === undefined || storage === null) throw new TypeError(`storage is required: pass ${storages}.`);
  if (typeof storage.open !== "function" || typeof storage.transaction !== "function")
    throw new TypeError(`storage must be a storage: pass ${storages}.`);
}
