import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
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

export const systemOperations: OperationsOf<SystemOperations> = {
  status: defineOperation(
    "system.status",
    [],
    lazyOperation(() => import("./rules.js"), "getStatus"),
  ),
  health: defineOperation(
    "system.health",
    [],
    lazyOperation(() => import("./rules.js"), "getHealth"),
  ),
  version: defineOperation("system.version", [], async ({ service: { version } }) => ({
    status: 200,
    json: toCanonicalJson({ version }),
  })),
  metrics: defineOperation(
    "system.metrics",
    [],
    lazyOperation(() => import("./rules.js"), "getMetrics"),
  ),
  openApi: defineOperation(
    "system.openApi",
    [],
    lazyOperation(() => import("./openapi-document.js"), "getOpenApi"),
  ),
};

const { status, health, version, metrics, openApi } = systemOperations;

export const systemRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["GET", "/api/status", "local", status],
  ["GET", "/api/health", "public", health],
  ["GET", "/api/system/version", "tenant", version],
  ["GET", "/api/prometheus/metrics", "local", metrics],
  ["GET", "/api/openapi.json", "tenant", openApi],
]);
