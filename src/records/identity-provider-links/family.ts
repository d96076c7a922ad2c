import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordRow,
  type SearchOperation,
  standard,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type {
  IdentityProviderLink,
  IdentityProviderLinkRequest,
  ParsedIdentityProviderLinkRequest,
  PendingIdPLink,
} from "./schema.js";

/** The links of a user, optionally at one provider, or the link of one account. */
export interface FindLinksInput {
  /** Only links to this provider. Required with `identityProviderUserId`. */
  readonly identityProviderId?: string;
  /** The account; the response is one link. */
  readonly identityProviderUserId?: string;
  /** The user. Required without `identityProviderUserId`. */
  readonly userId?: string;
}

/** The link of an account, or the links of a user. */
export type IdentityProviderLinkResponse =
  | { readonly identityProviderLink: IdentityProviderLink }
  | { readonly identityProviderLinks: readonly IdentityProviderLink[] };

/** The criteria of a search for links (docs/reference/users.md#links). */
export interface IdentityProviderLinkCriteria {
  /** Only links to this provider. */
  readonly identityProviderId?: string;
  /** Only links of users of this tenant. */
  readonly tenantId?: string;
  /** Only links of this user. */
  readonly userId?: string;
}

/** A pending link, which waits for its user. */
export interface PendingLinkResponse {
  /** The number of the user's links to the provider; only with a user. */
  readonly linkCount?: number;
  /** The account, and its data from the provider. */
  readonly pendingIdPLink: PendingIdPLink;
}

/** Operations on links to accounts at identity providers (docs/reference/users.md#links). */
export interface IdentityProviderLinkOperations
  extends SearchOperation<"identityProviderLinks", IdentityProviderLink, IdentityProviderLinkCriteria> {
  /** Links a user to an account at an identity provider; 409 if the account is already linked. */
  readonly create: OperationSignature<IdentityProviderLinkRequest, { readonly identityProviderLink: IdentityProviderLink }>;
  /** Returns the link of an account, 404 for none, or the links of a user. */
  readonly find: OperationSignature<FindLinksInput, IdentityProviderLinkResponse>;
  /** Removes the link of a user to an account. */
  readonly remove: OperationSignature<
    IdInput<"identityProviderId" | "identityProviderUserId" | "userId">,
    { readonly identityProviderLink: IdentityProviderLink }
  >;
  /** Returns a pending link. */
  readonly retrievePending: OperationSignature<IdInput<"pendingLinkId"> & { readonly userId?: string }, PendingLinkResponse>;
}

/** No enforced references: users may be the host's own, and earlier releases did not store providers. */
export const identityProviderLinksTable: Table = defineTable({
  name: "identityProviderLinks",
  tenancy: "tenant",
  since: 8,
  columns: {
    identityProviderId: { type: "id", references: { table: "identityProviders", onRemove: "cascade", isEnforced: false } },
    identityProviderUserId: { type: "text" },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "account", columns: ["tenantId", "identityProviderId", "identityProviderUserId"] }],
  indexes: [{ columns: ["userId"] }, { columns: ["identityProviderId"], since: 9 }],
});

/** Pending links, by the digests of their ids. */
export const pendingLinksTable: Table = defineTable({
  name: "pendingLinks",
  tenancy: "tenant",
  since: 8,
  columns: { digest: { type: "text" }, expirationInstant: { type: "integer" } },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["expirationInstant"] }],
});

/** The family of links to accounts at identity providers. */
export const identityProviderLinkFamily: RecordRow<
  "identityProviderLinks",
  IdentityProviderLink,
  ParsedIdentityProviderLinkRequest,
  IdentityProviderLinkOperations
> = {
  name: "identityProviderLinks",
  wrapper: "identityProviderLink",
  plural: "identityProviderLinks",
  searchPath: "/api/identity-provider/link/search",
  idParameter: "linkId",
  table: identityProviderLinksTable,
  request: lazySchema("providers", "identityProviderLinkRequest"),
  search: {
    filters: {
      identityProviderId: { kind: "id", column: "identityProviderId" },
      tenantId: { kind: "id", column: "tenantId" },
      userId: { kind: "id", column: "userId" },
    },
    sortable: { insertInstant: { column: "insertInstant" }, userId: { column: "userId" } },
    defaultOrder: "insertInstant ASC",
  },
  uniquePaths: { account: "identityProviderLink.identityProviderUserId" },
  setPaths: new Set(),
  sealedPaths: ["token"],
  sealedPart: sealedField,
  operations: {
    create: customOperation(),
    find: customOperation("identityProviderId", "identityProviderUserId", "userId"),
    remove: customOperation("identityProviderId", "identityProviderUserId", "userId"),
    retrievePending: customOperation("pendingLinkId", "userId"),
    search: standard,
  },
  inProcess: { createPending: { ...customOperation(), access: "tenant" } },
  routes: [
    ...defineRoutes([
      ["POST", "/api/identity-provider/link", "tenant", "create"],
      ["GET", "/api/identity-provider/link", "tenant", "find"],
      ["DELETE", "/api/identity-provider/link", "tenant", "remove"],
      ["GET", "/api/identity-provider/link/pending/:pendingLinkId", "tenant", "retrievePending"],
    ]),
    ...defineSearchRoutes("/api/identity-provider/link/search", "tenant"),
  ],
  tables: [identityProviderLinksTable, pendingLinksTable],
  announced: [identityProviderLinksTable],
  retention: [[pendingLinksTable, "expirationInstant", 0]],
  auditName: "identity provider link",
};
