import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { OpenApiDocument, SystemStatus, SystemVersion } from "./schema.js";

type NoInput = Record<never, never>;

/** What a service reports about itself (docs/reference/system.md). */
export interface SystemOperations {
  /** Returns start, version and whether the storage answers. */
  readonly status: OperationSignature<NoInput, SystemStatus>;
  /** Answers nothing; over HTTP its status is the answer. */
  readonly health: OperationSignature<NoInput, undefined>;
  /** Returns the version of the reference that the service behaves like. */
  readonly version: OperationSignature<NoInput, SystemVersion>;
  /** Answers text that collectors read. */
  readonly metrics: OperationSignature<NoInput, string>;
  /** This API, as OpenAPI 3.1 describes it: in the version, plan and names of the service. */
  readonly openApi: OperationSignature<NoInput, OpenApiDocument>;
}

/** The calls of `system`. */
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
