import type { StorageReader, TenantScope } from "./storage.js";

/**
 * Port for users, applications and registrations. By default the service's own tables store them. A host with tables of its own
 * implements this port, and groups, members and effective roles then use its users.
 */

/** A user of the directory. Further fields of the API's user object are optional and shown as given. */
export interface DirectoryUser {
  /** The user's UUID. */
  readonly id: string;
  /** The UUID of the user's tenant. */
  readonly tenantId: string;
  readonly [field: string]: unknown;
}

/** A role of an application (docs/reference/groups.md). */
export interface DirectoryRole {
  /** The role's UUID. */
  readonly id: string;
  /** The UUID of the application that defines the role. */
  readonly applicationId: string;
  /** The UUID of the application's tenant. */
  readonly tenantId: string;
  /** Unique within the application; the value in registrations and in the claim `roles`. */
  readonly name: string;
  /** A description for administrators. Default: none. */
  readonly description?: string | undefined;
  /** Whether a registration without roles gets this one. Default false. */
  readonly isDefault?: boolean;
  /** Whether the role includes all roles of its application. Default false. */
  readonly isSuperRole?: boolean;
  /** When it was created, in epoch milliseconds. */
  readonly insertInstant?: number;
  /** When it was last changed, in epoch milliseconds. */
  readonly lastUpdateInstant?: number;
}

/** An application. `findRoles` returns its roles. */
export interface DirectoryApplication {
  /** The application's UUID. */
  readonly id: string;
  /** The UUID of its tenant. */
  readonly tenantId: string;
  /** The display name. */
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A user's registration to an application, with the names of the roles that were granted explicitly. */
export interface DirectoryRegistration {
  /** The UUID of the registered user. */
  readonly userId: string;
  /** The UUID of the application that the user is registered to. */
  readonly applicationId: string;
  /** Names of the roles that were granted explicitly, without roles from group membership. */
  readonly roles: readonly string[];
  readonly [field: string]: unknown;
}

/** Context of a directory call: the visible tenant, and the transaction to read in. */
export interface DirectoryContext {
  /** The tenant that the caller may see, or all tenants. Return nothing outside of it. */
  readonly scope: TenantScope;
  /** Reads from the service's own storage, inside the running transaction if there is one. */
  readonly reader: StorageReader;
  /**
   * Inside a transaction: its database handle, a Kysely on SQLite and Postgres, for hosts with tables in the same database.
   * Created when read, which throws if `kysely` is not installed.
   */
  readonly native?: unknown;
}

/** Reads users, applications and registrations in batches. Leave unknown ids out of results. */
export interface Directory {
  /** Returns the users with these ids, in any order, without unknown ones. */
  findUsers(context: DirectoryContext, userIds: readonly string[]): Promise<readonly DirectoryUser[]>;
  /** Returns the applications with these ids, or all applications when `applicationIds` is undefined. */
  findApplications(
    context: DirectoryContext,
    applicationIds: readonly string[] | undefined,
  ): Promise<readonly DirectoryApplication[]>;
  /** Returns roles by their ids, or all roles of applications, in any order. */
  findRoles(
    context: DirectoryContext,
    by: { readonly roleIds: readonly string[] } | { readonly applicationIds: readonly string[] },
  ): Promise<readonly DirectoryRole[]>;
  /** Returns all registrations of these users, in any order. */
  findRegistrations(context: DirectoryContext, userIds: readonly string[]): Promise<readonly DirectoryRegistration[]>;
}
