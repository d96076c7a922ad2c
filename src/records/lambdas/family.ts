import { lambdaTypeAliases, lambdaTypeNames, moduleType, type StoredLambdaType } from "../../availability/lambda-types.js";
import { defineRecordRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
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

/** A new lambda must say of which type it is. */
export interface CreateLambdaInput extends LambdaRequest, Partial<IdInput<"lambdaId">> {
  /** The fields of the lambda; `name`, `body` and `type` are required. */
  readonly lambda: LambdaRequest["lambda"] & Pick<LambdaFields, "type">;
}

/** A lambda that is tried out: a saved one by its id, or one that nobody has saved. */
export type TestLambdaInput = (LambdaTestRequest & IdInput<"lambdaId">) | UnsavedLambdaTestRequest;

/** What can be done with lambdas (docs/reference/lambdas.md#fields), and an extension: trying them out. */
export interface LambdaOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<CreateLambdaInput, { readonly lambda: Lambda }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<{ readonly type?: StoredLambdaType }, { readonly lambdas: readonly Lambda[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<LambdaRequest & IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"lambdaId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<LambdaCriteria>, SearchOutput<"lambdas", Lambda>>;
  /** Gives a lambda the body and the modules of an earlier version, as a new version. */
  readonly restore: OperationSignature<RestoreLambdaRequest & IdInput<"lambdaId">, { readonly lambda: Lambda }>;
  /** Returns one version of a lambda; 404 for an unknown one. */
  readonly retrieveVersion: OperationSignature<
    IdInput<"lambdaId"> & { readonly version: number | string },
    { readonly lambdaVersion: LambdaVersion }
  >;
  /** Returns the versions of a lambda without their bodies, the newest first. */
  readonly versions: OperationSignature<IdInput<"lambdaId">, { readonly lambdaVersions: readonly LambdaVersionSummary[] }>;
  /** Runs a lambda and keeps nothing: its failure is an outcome, not a refusal. */
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

/** The earlier versions of lambdas; the newest is in the lambda itself. */
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

/** What can be searched and sorted (docs/reference/lambdas.md#fields). Both names of a type find it. */
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
  // Runs a stored lambda for the host: there is no route to it.
  inProcess: { run: { ...customOperation("lambdaId"), access: "global" } },
  tables: [lambdasTable, lambdaVersionsTable],
  auditName: "lambda",
  configuration: {
    key: ["name"],
    references: { "chain[]": "lambdas", "modules[].lambdaId": "lambdas" },
    fixed: () => ["type"],
    // How far a rollout is belongs to one service.
    own: ["rollout"],
  },
};
