import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { OpenApiDocument, SystemStatus, SystemVersion } from "./schema.js";

type NoInput = Record<never, never>;

/** Operations that report the state of a service (docs/reference/system.md). */
export interface SystemOperations {
  /** Returns start, version and whether the storage responds. */
  readonly status: OperationSignature<NoInput, SystemStatus>;
  /** Returns nothing; over HTTP the status code is the result. */
  readonly health: OperationSignature<NoInput, undefined>;
  /** Returns the version of the reference that the service implements. */
  readonly version: OperationSignature<NoInput, SystemVersion>;
  /** Returns metrics in the Prometheus text format. */
  readonly metrics: OperationSignature<NoInput, string>;
  /** Returns the OpenAPI 3.1 document of this API, with the version, plan and names of the service. */
  readonly openApi: OperationSignature<NoInput, OpenApiDocument>;
}

/** The family of system calls. */
export const systemFamily: FamilyRow<"system", SystemOperations> = {
  name: "system",
  operations: {
    status: customOperation(),
    health: customOperation(),
    version: customOperation(),
    metrics: customOperation(),
    openApi: customOperation(),
  },
  routes: defineRoutes([
    ["GET", "/api/status", "local", "status"],
    ["GET", "/api/health", "public", "health"],
    ["GET", "/api/system/version", "tenant", "version"],
    ["GET", "/api/prometheus/metrics", "local", "metrics"],
    ["GET", "/api/openapi.json", "tenant", "openApi"],
  ]),
};
