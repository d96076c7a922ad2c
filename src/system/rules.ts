import type { OperationResult } from "../http/transport/write-response.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import type { FamilyRulesModule } from "../operations/family/family-row.js";
import { emptyResult, type OperationCall } from "../operations/operation.js";
import type { SystemStatus } from "../records/system/schema.js";
import { collectMetrics, expositionType, pingStorage, readIndexes, toExposition } from "./collect-metrics.js";
import { getOpenApi } from "./openapi-document.js";

/** The status of a service with an unreachable storage (docs/reference/system.md). */
const noStorageStatus = 452;

/** Returns the state of the service; an anonymous caller gets the status code only. */
async function getStatus({ service, principal }: OperationCall): Promise<OperationResult> {
  const answers = await pingStorage(service.storage, service.runtime.timers);
  const status = answers ? 200 : noStorageStatus;
  if (principal === undefined) return { status, json: "" };
  const { startInstant } = service.measurements;
  const { isDurable, isShared } = service.storage.capabilities;
  const indexes = answers ? await readIndexes(service.storage, service.runtime.timers) : [];
  const storage = { answers, indexes, isDurable, isShared };
  const details: SystemStatus = { startInstant, storage, version: service.version };
  return { status, json: toCanonicalJson(details) };
}

/** Whether the service can work. Failures are not logged, because health checks repeat them. */
async function getHealth({ service }: OperationCall): Promise<OperationResult> {
  const isWell = await pingStorage(service.storage, service.runtime.timers).catch(() => false);
  return isWell ? emptyResult : { status: 500, json: "" };
}

/** Returns the version of the reference that the service emulates. */
async function getVersion({ service: { version } }: OperationCall): Promise<OperationResult> {
  return { status: 200, json: toCanonicalJson({ version }) };
}

/** Returns the metrics of the service as text. */
async function getMetrics({ service }: OperationCall): Promise<OperationResult> {
  const text = toExposition(await collectMetrics(service));
  return { status: 200, json: text, headers: { "content-type": expositionType } };
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  status: getStatus,
  health: getHealth,
  version: getVersion,
  metrics: getMetrics,
  openApi: getOpenApi,
};
