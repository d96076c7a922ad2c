import type { IdentityServiceOptions } from "../options.js";
import { assertKnownOptions, type OptionNames } from "../shared/known-options.js";
import { isObjectOrList } from "../shared/objects.js";

const names: OptionNames<IdentityServiceOptions> = {
  allowPrivateNetwork: true,
  allowWeakApiKey: true,
  apiEntityId: true,
  apiKey: true,
  apiKeyWarningMs: true,
  auditChanges: true,
  auditRetentionMs: true,
  bodyTimeoutMs: true,
  breachDetection: true,
  locateAddress: true,
  passwordHashing: true,
  passwordSchemes: true,
  passwordStrength: true,
  broker: true,
  clock: true,
  connectors: true,
  cookies: true,
  cors: true,
  delivery: true,
  directory: true,
  docs: true,
  entityPermissions: true,
  http: true,
  identityProviders: true,
  importJobs: true,
  kickstart: true,
  lambdas: true,
  localMetrics: true,
  logger: true,
  mail: true,
  maxAnswerBytes: true,
  maxBodyBytes: true,
  maxImportBytes: true,
  maxUnsentBytes: true,
  moderateUsername: true,
  names: true,
  onWrite: true,
  newId: true,
  outboundCa: true,
  passkeys: true,
  plan: true,
  protocols: true,
  publicUrl: true,
  random: true,
  requestIds: true,
  revealUnknownUsers: true,
  searchableData: true,
  secret: true,
  sendSms: true,
  storage: true,
  telemetry: true,
  throttle: true,
  trustedOrigins: true,
  trustedProxies: true,
  version: true,
};

/**
 * Refuses what no service can be made of.
 * @throws TypeError naming the option, its rule and what to pass.
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
