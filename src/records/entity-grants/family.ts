import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type RecordRow, type SearchOperation, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { EntityGrant, EntityGrantRequest, ParsedEntityGrantRequest } from "./schema.js";

/** The grant, and its entity. */
export type UpsertGrantInput = EntityGrantRequest & { readonly entityId: string };

/** The entity, and optionally the recipient. */
export interface FindGrantsInput {
  /** The entity that the grants are on. */
  readonly entityId: string;
  /** Only the grant of this entity. */
  readonly recipientEntityId?: string;
  /** Only the grant of this user. */
  readonly userId?: string;
}

/** One grant if the input names a recipient, else all grants on the entity. */
export type FindGrantsOutput = { readonly grant: EntityGrant } | { readonly grants: readonly EntityGrant[] };

/** A stored grant; a read adds the entity. */
export type StoredGrant = Omit<EntityGrant, "entity">;

/** The criteria of a grant search (docs/reference/search.md). */
export interface EntityGrantCriteria {
  /** Only grants on this entity. */
  readonly entityId?: string;
  /** A text filter on the name of the entity. */
  readonly name?: string;
  /** Only grants to this user. */
  readonly userId?: string;
}

/** Operations on grants on entities (docs/reference/entities.md). */
export interface EntityGrantOperations extends SearchOperation<"grants", EntityGrant, EntityGrantCriteria> {
  /** Creates or replaces the grant of one recipient on an entity; returns nothing. */
  readonly upsert: OperationSignature<UpsertGrantInput, undefined>;
  /** Returns all grants on an entity, or the grant of one recipient; 404 if that has none. */
  readonly find: OperationSignature<FindGrantsInput, FindGrantsOutput>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<FindGrantsInput, undefined>;
}

/** Permissions of users and entities on entities. No enforced reference to users: they may be the host's own. */
export const entityGrantsTable: Table = defineTable({
  name: "entityGrants",
  tenancy: "tenant",
  since: 2,
  columns: {
    entityId: { type: "id", references: { table: "entities", onRemove: "cascade" } },
    recipientEntityId: { type: "id", isNullable: true, references: { table: "entities", onRemove: "cascade" } },
    userId: { type: "id", isNullable: true, references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [
    { name: "recipientEntityId", columns: ["entityId", "recipientEntityId"] },
    { name: "userId", columns: ["entityId", "userId"] },
  ],
  indexes: [{ columns: ["recipientEntityId"] }, { columns: ["userId"] }],
});

const viaEntity = { table: "entities", localColumn: "entityId" } as const;

/** Filters and sortable fields (docs/reference/search.md). The name is that of the entity. */
export const entityGrantSearch: SearchDefinition = {
  filters: {
    entityId: { kind: "id", column: "entityId" },
    name: { kind: "text", column: "nameFolded", via: viaEntity },
    userId: { kind: "id", column: "userId" },
  },
  sortable: { insertInstant: { column: "insertInstant" }, name: { column: "nameFolded", via: viaEntity } },
  defaultOrder: "name ASC",
};

/** The family of grants on entities. */
export const entityGrantFamily: RecordRow<"entityGrants", StoredGrant, ParsedEntityGrantRequest, EntityGrantOperations> = {
  name: "entityGrants",
  wrapper: "grant",
  plural: "grants",
  idParameter: "grantId",
  addressParameters: ["entityId", "recipientEntityId", "userId"],
  table: entityGrantsTable,
  request: lazySchema("entities", "entityGrantRequest"),
  search: entityGrantSearch,
  uniquePaths: {},
  setPaths: new Set(),
  operations: {
    upsert: customOperation("entityId"),
    find: customOperation("entityId", "recipientEntityId", "userId"),
    remove: standard,
    search: standard,
  },
  routes: [
    ...defineRoutes([
      ["POST", "/api/entity/:entityId/grant", "tenant", "upsert"],
      ["PUT", "/api/entity/:entityId/grant", "tenant", "upsert"],
      ["GET", "/api/entity/:entityId/grant", "tenant", "find"],
      ["DELETE", "/api/entity/:entityId/grant", "tenant", "remove"],
    ]),
    ...defineSearchRoutes("/api/entity/grant/search", "tenant"),
  ],
  tables: [entityGrantsTable],
  auditName: "entity grant",
  configuration: {
    key: ["entityId", "recipientEntityId"],
    references: { entityId: "entities", recipientEntityId: "entities" },
    address: "entityId",
    verbs: { create: () => "upsert", update: "upsert" },
    takesNoId: true,
    removal: ({ recipientEntityId }) => ({ recipientEntityId }),
    // Grants to users are data, not configuration.
    isConfigured: ({ userId }) => userId === undefined,
  },
};
