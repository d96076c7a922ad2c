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
import { sealedField } from "../../security/seal.js";
import type {
  LoginResponse,
  PasswordChangeResponse,
  SecondFactorResponse,
  VerificationRequiredResponse,
} from "../logins/schema.js";
import { lazySchema } from "../schemas.js";
import type {
  ExternalLoginRequest,
  ExternalLoginStartRequest,
  ExternalLoginStartResponse,
  PendingLinkLoginResponse,
  ReconcileRequest,
} from "./login-schema.js";
import type { IdentityProvider, IdentityProviderRequest, ParsedIdentityProviderRequest } from "./schema.js";
import { type IdentityProviderType, identityProviderKeyPaths, identityProviderSecrets, identityProviderTypes } from "./types.js";

/** The criteria of a search for identity providers (docs/reference/identity-providers.md#search). */
export interface IdentityProviderCriteria {
  /** Only providers that are enabled for this application. */
  readonly applicationId?: string;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only providers of this type. */
  readonly type?: IdentityProviderType;
}

/** The domain to look up. */
export interface DomainLookupInput {
  /** A domain, or an email address. */
  readonly domain: string;
  /** The tenant of providers beside the global ones. Default: that of the call. */
  readonly tenantId?: string;
}

/** The provider of a domain, for a login page. */
export interface DomainLookupResponse {
  /** The provider, without its settings. */
  readonly identityProvider: {
    /** The applications of the provider; empty for callers without a credential. */
    readonly applicationIds: readonly string[];
    /** The UUID of the provider. */
    readonly id: string;
    /** The name of the provider. */
    readonly name: string;
    /** The endpoints that issue an external JWT; absent for other types. */
    readonly oauth2?: { readonly authorization_endpoint?: string; readonly token_endpoint?: string };
    /** The tenant of the provider; absent for a global one. */
    readonly tenantId?: string;
    /** The type of the provider. */
    readonly type: IdentityProviderType;
  };
}

/** The response of a login by an identity provider: that of a password login, or a pending link (232). */
export type ExternalLoginResponse =
  | LoginResponse
  | PasswordChangeResponse
  | PendingLinkLoginResponse
  | SecondFactorResponse
  | VerificationRequiredResponse;

/** Operations on identity providers (docs/reference/identity-providers.md). */
export interface IdentityProviderOperations
  extends SearchableOperations<
    "identityProvider",
    "identityProviders",
    IdentityProvider,
    IdentityProviderRequest,
    IdentityProviderCriteria
  > {
  /** Returns all records in the caller's scope, or those of one type. */
  readonly list: OperationSignature<
    { readonly type?: IdentityProviderType },
    { readonly identityProviders: readonly IdentityProvider[] }
  >;
  /** Removes a record and its links, each with an event; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"identityProviderId">, undefined>;
  /** Returns the provider of a domain; 404 for none. */
  readonly lookup: OperationSignature<DomainLookupInput, DomainLookupResponse>;
  /** Starts a login by a provider; returns the URL for the browser, and the code that finishes the login. */
  readonly start: OperationSignature<ExternalLoginStartRequest, ExternalLoginStartResponse>;
  /** Finishes a login by a provider; returns tokens, or the next requirement. */
  readonly login: OperationSignature<ExternalLoginRequest, ExternalLoginResponse>;
  /** Logs in with a token of a known issuer: the older name of `login` for providers of the type `ExternalJWT`. */
  readonly reconcile: OperationSignature<ReconcileRequest, ExternalLoginResponse>;
}

export const identityProvidersTable: Table = defineTable({
  name: "identityProviders",
  tenancy: "optional",
  since: 9,
  // `owner` is the tenant id or empty: unique keys ignore null.
  columns: { nameFolded: foldedName, owner: { type: "text" }, type: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["owner", "nameFolded"] }],
  indexes: [],
});

/**
 * The applications of each provider. Each row is deleted with its application. No enforced reference: applications may be the
 * host's own.
 */
export const identityProviderApplicationsTable: Table = defineTable({
  name: "identityProviderApplications",
  tenancy: "tenant",
  since: 9,
  columns: {
    identityProviderId: { type: "id", references: { table: "identityProviders", onRemove: "cascade" } },
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "application", columns: ["identityProviderId", "applicationId"] }],
  indexes: [{ columns: ["applicationId"] }],
});

/** The tenants with settings in a provider. Each row belongs to its tenant, and is deleted with it. */
export const identityProviderTenantsTable: Table = defineTable({
  name: "identityProviderTenants",
  tenancy: "tenant",
  since: 9,
  columns: { identityProviderId: { type: "id", references: { table: "identityProviders", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "tenant", columns: ["identityProviderId", "tenantId"] }],
  indexes: [{ columns: ["tenantId"] }],
});

/** The domains of each provider. */
export const identityProviderDomainsTable: Table = defineTable({
  name: "identityProviderDomains",
  tenancy: "optional",
  since: 9,
  columns: {
    domain: { type: "text" },
    identityProviderId: { type: "id", references: { table: "identityProviders", onRemove: "cascade" } },
    owner: { type: "text" },
  },
  uniqueKeys: [{ name: "domain", columns: ["owner", "domain"] }],
  indexes: [{ columns: ["identityProviderId"] }],
});

export const identityProviderSearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    applicationId: {
      kind: "anyId",
      toFilter: (applicationId) => ({
        op: "exists",
        table: "identityProviderApplications",
        localColumn: "id",
        foreignColumn: "identityProviderId",
        filter: { op: "equals", column: "applicationId", value: applicationId },
      }),
    },
    type: { kind: "option", column: "type", values: identityProviderTypes },
  },
  sortable: { ...nameSearch.sortable, type: { column: "type" } },
  defaultOrder: nameSearch.defaultOrder,
};

const secrets = identityProviderSecrets.flatMap((path) => [path, `applicationConfiguration.*.${path}`]);

/** The family of identity providers. */
export const identityProviderFamily: RecordRow<
  "identityProviders",
  IdentityProvider,
  ParsedIdentityProviderRequest,
  IdentityProviderOperations
> = {
  name: "identityProviders",
  wrapper: "identityProvider",
  plural: "identityProviders",
  searchPath: "/api/identity-provider/search",
  idParameter: "identityProviderId",
  table: identityProvidersTable,
  request: lazySchema("providers", "identityProviderRequest"),
  search: identityProviderSearch,
  uniquePaths: { name: "identityProvider.name" },
  keyedMaps: { applicationConfiguration: "id", tenantConfiguration: "id" },
  setPaths: new Set(["identityProvider.domains"]),
  replacedPaths: new Set(["identityProvider.verificationKeyIds"]),
  fixedFields: ["tenantId", "type"],
  sealedPaths: secrets,
  sealedPart: sealedField,
  operations: {
    ...searchableOperations,
    list: { parameters: ["type"] },
    lookup: customOperation("domain", "tenantId"),
    start: customOperation(),
    login: customOperation(),
    reconcile: customOperation(),
  },
  routes: [
    ...defineRecordRoutes("/api/identity-provider/:identityProviderId", "tenant"),
    ...defineSearchRoutes("/api/identity-provider/search", "tenant"),
    ...defineRoutes([
      ["GET", "/api/identity-provider/lookup", "optional", "lookup"],
      ["POST", "/api/identity-provider/start", "optional", "start"],
      ["POST", "/api/identity-provider/login", "optional", "login"],
      ["POST", "/api/jwt/reconcile", "optional", "reconcile"],
    ]),
  ],
  tables: [identityProvidersTable, identityProviderApplicationsTable, identityProviderTenantsTable, identityProviderDomainsTable],
  auditName: "identity provider",
  configuration: {
    key: ["name"],
    fixed: () => ["tenantId", "type"],
    references: {
      "applicationConfiguration{}": "applications",
      "applicationConfiguration.*.keyId": "keys",
      ...Object.fromEntries([...identityProviderKeyPaths, "verificationKeyIds[]"].map((path) => [path, "keys"])),
      "keys.*": "keys",
      "lambdaConfiguration.reconcileId": "lambdas",
      "tenantConfiguration{}": "tenants",
      tenantId: "tenants",
    },
    sets: ["domains"],
    secrets,
  },
};
