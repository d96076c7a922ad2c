import type { StorageReader, TenantScope } from "./storage.js";

/**
 * The port to users, applications and registrations. By default the service's own tables store them; a host that
 * has tables of its own answers here instead, and groups, members and effective roles work on its people.
 */

/** A user as the port must know it; further fields of the wire's user object may be given and are shown. */
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
  /** A text for administrators. Default: none. */
  readonly description?: string | undefined;
  /** Whether a registration without roles gets this one. Default false. */
  readonly isDefault?: boolean;
  /** Whether the role stands for all roles of its application. Default false. */
  readonly isSuperRole?: boolean;
  /** When it was created, in epoch milliseconds. */
  readonly insertInstant?: number;
  /** When it was last changed, in epoch milliseconds. */
  readonly lastUpdateInstant?: number;
}

/** An application; `roles` are asked for apart. */
export interface DirectoryApplication {
  /** The application's UUID. */
  readonly id: string;
  /** The UUID of its tenant. */
  readonly tenantId: string;
  /** The display name. */
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A user's registration to an application with the names of the roles that were given explicitly. */
export interface DirectoryRegistration {
  /** The UUID of the registered user. */
  readonly userId: string;
  /** The UUID of the application that the user is registered to. */
  readonly applicationId: string;
  /** Names of the roles granted explicitly; roles by group membership are not among them. */
  readonly roles: readonly string[];
  readonly [field: string]: unknown;
}

/** Context of a directory call: the visible tenant, and the transaction to read in. */
export interface DirectoryContext {
  /** The tenant that the caller may see, or all of them. Return nothing outside of it. */
  readonly scope: TenantScope;
  /** Reads from the service's own storage, inside the running transaction if there is one. */
  readonly reader: StorageReader;
  /**
   * Inside a transaction: its database handle, a Kysely on SQLite and Postgres, for a host whose tables share the database. Made when it is
   * read, which throws when `kysely` is not installed.
   */
  readonly native?: unknown;
}

/** Reads users, applications and registrations in batches. Leave unknown ids out of results. */
export interface Directory {
  /** Returns the users with these ids, in any order, without unknown ones. */
  findUsers(context: DirectoryContext, userIds: readonly string[]): Promise<readonly DirectoryUser[]>;
  /** All applications when `applicationIds` is undefined. */
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
