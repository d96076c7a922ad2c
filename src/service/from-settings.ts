import { behaviorVersions, existsIn } from "../availability/versions.js";
import type { HandleContext } from "../handle.js";
import { UnsentAnswers } from "../http/transport/write-response.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { Settings } from "../options.js";
import type { RoutesOfVersion } from "./routes-of-version.js";

type FromSettings = Pick<
  ServiceContext,
  | "accounts"
  | "answerSize"
  | "apiEntityId"
  | "apiKeyWarningMs"
  | "auditRetentionMs"
  | "cookies"
  | "maxBodyBytes"
  | "names"
  | "plan"
  | "runtime"
  | "version"
>;

/** Returns the settings that operations use, and the limit of responses. */
export function fromSettings(settings: Settings): FromSettings {
  const { accounts, apiEntityId, apiKeyWarningMs, auditRetentionMs, cookies, names, plan, runtime, version } = settings;
  const { maxAnswerBytes: maxBytes, maxBodyBytes } = settings;
  // Each record has at most `maxBodyBytes`, so that this many need no measuring.
  const answerSize = { maxBytes, unmeasured: Math.max(1, Math.floor(maxBytes / maxBodyBytes)) };
  const limits = { answerSize, apiKeyWarningMs, auditRetentionMs, maxBodyBytes };
  return { ...limits, accounts, apiEntityId, cookies, names, plan, runtime, version };
}

/** Creates the context of requests. */
export function toContext(
  settings: Settings,
  own: RoutesOfVersion,
  { authenticator, service }: Pick<HandleContext, "authenticator" | "service">,
): HandleContext {
  return Object.freeze({
    routes: own.table,
    endpoints: own.list,
    authenticator,
    tenantHeaderName: `X-${settings.names.service}-TenantId`,
    refusesTenantHeaderOnGlobal: existsIn(settings.version, behaviorVersions.refuseTenantHeaderOnGlobal),
    takesPatchDocuments: existsIn(settings.version, behaviorVersions.patchDocuments),
    cors: settings.cors,
    allowsLocalReads: settings.localMetrics,
    makesRequestIds: settings.requestIds || service.telemetry !== undefined,
    unsent: new UnsentAnswers(settings.maxUnsentBytes),
    bodyLimits: { maxBytes: settings.maxBodyBytes, timeoutMs: settings.bodyTimeoutMs, timers: settings.runtime.timers },
    maxImportBytes: settings.maxImportBytes,
    service,
  });
}
