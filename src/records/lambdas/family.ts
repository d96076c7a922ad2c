import { lambdaTypeAliases, lambdaTypeNames, moduleType, type StoredLambdaType } from "../../availability/lambda-types.js";
import { defineRecordRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordRow,
  type SearchableOperations,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type {
  Lambda,
  LambdaFields,
  LambdaRequest,
  LambdaTestRequest,
  LambdaTestResult,
  LambdaVersion,
  LambdaVersionSummary,
  ParsedLambdaRequest,
  RestoreLambdaRequest,
  UnsavedLambdaTestRequest,
} from "./schema.js";

/** The criteria of a lambda search (docs/reference/lambdas.md#fields). */
export interface LambdaCriteria {
  /** A text filter on the body. */
  readonly body?: string;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only lambdas of this type. */
  readonly type?: StoredLambdaType;
}

/** The input of a new lambda, with its type. */
export interface CreateLambdaInput extends LambdaRequest, Partial<IdInput<"lambdaId">> {
  /** The fields of the lambda; `name`, `body` and `type` are required. */
  readonly lambda: LambdaRequest["lambda"] & Pick<LambdaFields, "type">;
}

/** The lambda to test: a stored one by id, or an unsaved one. */
export type TestLambdaInput = (LambdaTestRequest & IdInput<"lambdaId">) | UnsavedLambdaTestRequest;

/** Operations on lambdas (docs/reference/lambdas.md#fields), and an extension: tests. */
export interface LambdaOperations extends SearchableOperations<"lambda", "lambdas", Lambda, LambdaRequest, LambdaCriteria> {
  /** Creates and returns a record. */
  readonly create: OperationSignature<CreateLambdaInput, { readonly lambda: Lambda }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<{ readonly type?: StoredLambdaType }, { readonly lambdas: readonly Lambda[] }>;
  /** Restores the body and the modules of an earlier version, as a new version. */
  readonly restore: OperationSignature<RestoreLambdaRequest & IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Returns one version of a lambda; 404 for an unknown one. */
  readonly retrieveVersion: OperationSignature<
    IdInput<"lambdaId"> & { readonly version: number | string },
    { readonly lambdaVersion: LambdaVersion }
  >;
  /** Returns the versions of a lambda without their bodies, newest first. */
  readonly versions: OperationSignature<IdInput<"lambdaId">, { readonly lambdaVersions: readonly LambdaVersionSummary[] }>;
  /** Runs a lambda and stores nothing. A failed run is a result, not an error. */
  readonly test: OperationSignature<TestLambdaInput, LambdaTestResult>;
}

export const lambdasTable: Table = defineTable({
  name: "lambdas",
  tenancy: "global",
  since: 2,
  columns: {
    nameFolded: foldedName,
    bodyFolded: { type: "text", isLong: true },
    engineType: { type: "text" },
    type: { type: "text" },
  },
  uniqueKeys: [],
  indexes: [],
});

/** The earlier versions of lambdas; the lambda itself holds the newest. */
export const lambdaVersionsTable: Table = defineTable({
  name: "lambdaVersions",
  tenancy: "global",
  since: 12,
  columns: {
    lambdaId: { type: "id", references: { table: "lambdas", onRemove: "cascade" } },
    number: { type: "integer" },
  },
  uniqueKeys: [{ name: "number", columns: ["lambdaId", "number"] }],
  indexes: [],
});

/** Filters and sortable fields (docs/reference/lambdas.md#fields). The type filter accepts both names of a type. */
export const lambdaSearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    body: { kind: "text", column: "bodyFolded" },
    type: { kind: "option", column: "type", values: [...lambdaTypeNames, moduleType], kept: lambdaTypeAliases },
  },
  sortable: { ...nameSearch.sortable, engineType: { column: "engineType" } },
  defaultOrder: nameSearch.defaultOrder,
};

/** The family of lambdas (docs/reference/lambdas.md#types, docs/reference/lambdas.md#fields). */
export const lambdaFamily: RecordRow<"lambdas", Lambda, ParsedLambdaRequest, LambdaOperations> = {
  name: "lambdas",
  wrapper: "lambda",
  plural: "lambdas",
  searchPath: "/api/lambda/search",
  idParameter: "lambdaId",
  table: lambdasTable,
  request: lazySchema("lambdas", "lambdaRequest"),
  search: lambdaSearch,
  uniquePaths: {},
  setPaths: new Set(["lambda.chain"]),
  fixedFields: ["type"],
  operations: {
    ...searchableOperations,
    list: { parameters: ["type"] },
    restore: customOperation("lambdaId"),
    retrieveVersion: customOperation("lambdaId", "version"),
    test: customOperation("lambdaId"),
    versions: customOperation("lambdaId"),
  },
  routes: [
    ...defineRecordRoutes("/api/lambda/:lambdaId", "global"),
    ...defineSearchRoutes("/api/lambda/search", "global"),
    ...defineRoutes([
      ["POST", "/api/lambda/test", "global", "test"],
      ["POST", "/api/lambda/:lambdaId/test", "global", "test"],
      ["GET", "/api/lambda/:lambdaId/version", "global", "versions"],
      ["GET", "/api/lambda/:lambdaId/version/:version", "global", "retrieveVersion"],
      ["POST", "/api/lambda/:lambdaId/restore", "global", "restore"],
    ]),
  ],
  // Runs a stored lambda for the host, without a route.
  inProcess: { run: { ...customOperation("lambdaId"), access: "global" } },
  tables: [lambdasTable, lambdaVersionsTable],
  auditName: "lambda",
  configuration: {
    key: ["name"],
    references: { "chain[]": "lambdas", "modules[].lambdaId": "lambdas" },
    fixed: () => ["type"],
    // The progress of a rollout belongs to one service.
    own: ["rollout"],
  },
};
