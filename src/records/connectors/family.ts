import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  type IdInput,
  type PatchInput,
  type RecordOperations,
  type RecordRow,
  recordOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import { builtInConnectorId } from "./built-in-connector.js";
import type { Connector, ConnectorRequest, ParsedConnectorRequest } from "./schema.js";

/** Operations on connectors (docs/reference/connectors.md). */
export interface ConnectorOperations extends RecordOperations<"connector", "connectors", Connector, ConnectorRequest> {
  /** Replaces a record; missing members return to their defaults. 400 for the built-in one. */
  readonly update: OperationSignature<ConnectorRequest & IdInput<"connectorId">, { readonly connector: Connector }>;
  /** Changes single members of a record. 400 for the built-in one. */
  readonly patch: OperationSignature<PatchInput<"connectorId">, { readonly connector: Connector }>;
  /** Removes a record; 404 for an unknown one, 400 for the built-in one and `[inUse]` while a tenant names it. */
  readonly remove: OperationSignature<IdInput<"connectorId">, undefined>;
}

export const connectorsTable: Table = defineTable({
  name: "connectors",
  tenancy: "global",
  since: 8,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

const secrets = ["headers", "httpAuthenticationPassword", "systemAccountPassword"];

/** The family of connectors, which check passwords, from 1.18.0 on (docs/reference/connectors.md). */
export const connectorFamily: RecordRow<"connectors", Connector, ParsedConnectorRequest, ConnectorOperations> = {
  name: "connectors",
  wrapper: "connector",
  plural: "connectors",
  idParameter: "connectorId",
  table: connectorsTable,
  request: lazySchema("providers", "connectorRequest"),
  search: nameSearch,
  uniquePaths: { name: "connector.name" },
  keyedMaps: { headers: "name" },
  setPaths: new Set(["connector.requestedAttributes"]),
  fixedFields: ["type"],
  // Headers may contain credentials too.
  sealedPaths: secrets,
  operations: recordOperations,
  routes: defineRecordRoutes("/api/connector/:connectorId", "global"),
  sealedPart: sealedField,
  tables: [connectorsTable],
  auditName: "connector",
  builtIn: { name: "builtInConnector" },
  configuration: {
    key: ["name"],
    fixed: () => ["type"],
    secrets,
    references: { "lambdaConfiguration.reconcileId": "lambdas", sslCertificateKeyId: "keys" },
    isBuiltIn: ({ id }) => id === builtInConnectorId,
  },
};
