import type { OperationResult } from "../http/transport/write-response.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import type { FamilyRulesModule } from "../operations/family/family-row.js";
import { emptyResult, type OperationCall } from "../operations/operation.js";
import type { SystemStatus } from "../records/system/schema.js";
import { collectMetrics, expositionType, pingStorage, readIndexes, toExposition } from "./collect-metrics.js";
import { getOpenApi } from "./openapi-document.js";

/** The status of a service whose storage does not answer (docs/reference/system.md). */
const noStorageStatus = 452;

/** The state of the service; an unauthenticated caller learns only the status. */
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

/** Whether the service can do its work. What keeps it from that is no news to the log each time that somebody asks. */
async function getHealth({ service }: OperationCall): Promise<OperationResult> {
  const isWell = await pingStorage(service.storage, service.runtime.timers).catch(() => false);
  return isWell ? emptyResult : { status: 500, json: "" };
}

/** The version of the reference that the service behaves like. */
async function getVersion({ service: { version } }: OperationCall): Promise<OperationResult> {
  return { status: 200, json: toCanonicalJson({ version }) };
}

/** What the service measures of itself, as text. */
async function getMetrics({ service }: OperationCall): Promise<OperationResult> {
  const text = toExposition(await collectMetrics(service));
  return { status: 200, json: text, headers: { "content-type": expositionType } };
}

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  status: getStatus,
  health: getHealth,
  version: getVersion,
  metrics: getMetrics,
  openApi: getOpenApi,
};
