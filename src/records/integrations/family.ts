import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable, nameSearch } from "../../operations/family/family.js";
import { type PatchInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { Integrations, IntegrationsRecord, IntegrationsRequest, ParsedIntegrationsRequest } from "./schema.js";

/** Operations on the integrations (docs/reference/integrations.md#object): a single object, which always exists. */
export interface IntegrationOperations {
  /** Returns the settings of all integrations. */
  readonly retrieve: OperationSignature<Record<never, never>, { readonly integrations: Integrations }>;
  /** Replaces the settings of all integrations. */
  readonly update: OperationSignature<IntegrationsRequest, { readonly integrations: Integrations }>;
  /** Changes single settings of the integrations. */
  readonly patch: OperationSignature<PatchInput<never>, { readonly integrations: Integrations }>;
}

/** A table with one record. */
export const integrationsTable: Table = defineTable({
  name: "integrations",
  tenancy: "global",
  since: 2,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** The family of the one integrations object (docs/reference/integrations.md#object). */
export const integrationFamily: RecordRow<"integrations", IntegrationsRecord, ParsedIntegrationsRequest, IntegrationOperations> =
  {
    name: "integrations",
    wrapper: "integrations",
    plural: "integrations",
    idParameter: "integrationsId",
    table: integrationsTable,
    request: lazySchema("messages", "integrationsRequest"),
    search: nameSearch,
    uniquePaths: {},
    setPaths: new Set(),
    replacedPaths: new Set(["integrations.moderation.applicationIds"]),
    namedMembers: ["moderation", "broker", "sms"],
    otherWrappers: ["integration"],
    sealedPaths: ["broker.producer", "moderation.apiKey", "sms.authToken"],
    operations: { retrieve: standard, update: standard, patch: standard },
    routes: defineRoutes([
      ["GET", "/api/integration", "global", "retrieve"],
      ["PUT", "/api/integration", "global", "update"],
      ["PATCH", "/api/integration", "global", "patch"],
    ]),
    sealedPart: sealedField,
    tables: [integrationsTable],
    auditName: "integrations",
    builtIn: { name: "integrations" },
    configuration: {
      key: [],
      isSingle: true,
      secrets: ["broker.producer", "moderation.apiKey", "sms.authToken"],
      isBuiltIn: () => true,
    },
  };
