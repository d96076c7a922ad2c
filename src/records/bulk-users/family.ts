import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature, StreamSignature } from "../../operations/operation.js";
import type { ExportUsersRequest } from "./export-schema.js";
import type { RefreshTokenImportRequest } from "./refresh-token-schema.js";
import type { RemoveUsersRequest, RemoveUsersResponse, UserImportRequest } from "./schema.js";

/** The users, and whether to delete them. */
export type RemoveUsersInput = RemoveUsersRequest & {
  /** True deletes the users with registrations and memberships; false deactivates them. Default false. */
  readonly hardDelete?: boolean;
};

/** The users of an export, and whether to include their hashes. */
export type ExportUsersInput = Partial<ExportUsersRequest>;

/** Operations on many users at once (docs/reference/user-import.md). */
export interface BulkUserOperations {
  /** Streams users as JSON lines that an import accepts (docs/reference/user-export.md). */
  readonly export: StreamSignature<ExportUsersInput, AsyncIterable<Uint8Array>>;
  /** Stores users of another system with their passwords, registrations and memberships: all of them or none. */
  readonly import: OperationSignature<UserImportRequest, undefined>;
  /** Stores refresh tokens of another system: all of them or none. */
  readonly importRefreshTokens: OperationSignature<RefreshTokenImportRequest, undefined>;
  /** Deactivates users, or deletes them with `hardDelete`, and returns their ids: all of them or none. */
  readonly remove: OperationSignature<RemoveUsersInput, RemoveUsersResponse>;
}

/** The family of bulk calls for users. */
export const bulkUserFamily: FamilyRow<"bulkUsers", BulkUserOperations> = {
  name: "bulkUsers",
  operations: {
    export: { ...customOperation(), streamedType: "application/x-ndjson" },
    import: { ...customOperation(), bulkLists: [["users"]] },
    importRefreshTokens: { ...customOperation(), bulkLists: [["refreshTokens"]] },
    remove: customOperation("hardDelete"),
  },
  routes: defineRoutes([
    ["POST", "/api/user/export", "tenant", "export"],
    ["POST", "/api/user/import", "tenant", "import"],
    ["POST", "/api/user/refresh-token/import", "tenant", "importRefreshTokens"],
    ["DELETE", "/api/user/bulk", "tenant", "remove"],
  ]),
};
