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
  /** Providers that are enabled for this application. */
  readonly applicationId?: string;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only providers of this type. */
  readonly type?: IdentityProviderType;
}

/** Which provider serves the domain of an address. */
export interface DomainLookupInput {
  /** A domain, or an address whose domain counts. */
  readonly domain: string;
  /** The tenant whose providers count beside the global ones. Default: that of the call. */
  readonly tenantId?: string;
}

/** The provider that serves a domain, as a login page needs it. */
export interface DomainLookupResponse {
  /** The provider, without its settings. */
  readonly identityProvider: {
    /** The applications whose users it logs in; empty for callers without a credential. */
    readonly applicationIds: readonly string[];
    /** The UUID of the provider. */
    readonly id: string;
    /** The name of the provider. */
    readonly name: string;
    /** Where an external JWT is got; absent for other types. */
    readonly oauth2?: { readonly authorization_endpoint?: string; readonly token_endpoint?: string };
    /** The tenant of the provider; absent for a global one. */
    readonly tenantId?: string;
    /** The type of the provider. */
    readonly type: IdentityProviderType;
  };
}

/** The answer to a login by an identity provider: as to one with a password, or a link that waits for its user (232). */
export type ExternalLoginResponse =
  | LoginResponse
  | PasswordChangeResponse
  | PendingLinkLoginResponse
  | SecondFactorResponse
  | VerificationRequiredResponse;

/** What can be done with identity providers (docs/reference/identity-providers.md). */
export interface IdentityProviderOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    IdentityProviderRequest & Partial<IdInput<"identityProviderId">>,
    { readonly identityProvider: IdentityProvider }
  >;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"identityProviderId">, { readonly identityProvider: IdentityProvider }>;
  /** Returns all records in the caller's scope, or those of one type. */
  readonly list: OperationSignature<
    { readonly type?: IdentityProviderType },
    { readonly identityProviders: readonly IdentityProvider[] }
  >;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<
    IdentityProviderRequest & IdInput<"identityProviderId">,
    { readonly identityProvider: IdentityProvider }
  >;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"identityProviderId">, { readonly identityProvider: IdentityProvider }>;
  /** Removes a record and its links, each with an event; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"identityProviderId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<IdentityProviderCriteria>, SearchOutput<"identityProviders", IdentityProvider>>;
  /** Returns the provider that serves a domain; 404 for none. */
  readonly lookup: OperationSignature<DomainLookupInput, DomainLookupResponse>;
  /** Starts a login by a provider; returns where the browser goes, and the code that finishes it. */
  readonly start: OperationSignature<ExternalLoginStartRequest, ExternalLoginStartResponse>;
  /** Finishes a login by a provider; returns tokens, or what is needed first. */
  readonly login: OperationSignature<ExternalLoginRequest, ExternalLoginResponse>;
  /** Logs in with a token of a known issuer: the older name of `login` for providers of the type `ExternalJWT`. */
  readonly reconcile: OperationSignature<ReconcileRequest, ExternalLoginResponse>;
}

export const identityProvidersTable: Table = defineTable({
  name: "identityProviders",
  tenancy: "optional",
  since: 9,
  // `owner` is the tenant, or empty: a unique key does not see what is null.
  columns: { nameFolded: foldedName, owner: { type: "text" }, type: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["owner", "nameFolded"] }],
  indexes: [],
});

/** Whom providers serve: each row goes with its application. The applications may be a host's own. */
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

/** The tenants that providers have settings for: each row is in the tenant that it names, and goes with it. */
export const identityProviderTenantsTable: Table = defineTable({
  name: "identityProviderTenants",
  tenancy: "tenant",
  since: 9,
  columns: { identityProviderId: { type: "id", references: { table: "identityProviders", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "tenant", columns: ["identityProviderId", "tenantId"] }],
  indexes: [{ columns: ["tenantId"] }],
});

/** The domains whose users a provider logs in. */
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

/** What can be searched and sorted (docs/reference/identity-providers.md#search). */
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

/** The family of identity providers (docs/reference/identity-providers.md). */
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
