import type { StorageReader, TenantScope } from "./storage.js";

/**
 * The port to users, applications and registrations. By default the service's own tables store them; a host that
 * has tables of its own answers here instead, and groups, members and effective roles work on its people.
 */

/** A user as the port must know it; further fields of the wire's user object may be given and are shown. */
export interface DirectoryUser {
  readonly id: string;
  readonly tenantId: string;
  readonly [field: string]: unknown;
}

/** A role of an application (docs/reference/groups.md). */
export interface DirectoryRole {
  readonly id: string;
  readonly applicationId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly isDefault?: boolean;
  readonly isSuperRole?: boolean;
  readonly insertInstant?: number;
  readonly lastUpdateInstant?: number;
}

/** An application; `roles` are asked for apart. */
export interface DirectoryApplication {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A user's registration to an application with the names of the roles that were given explicitly. */
export interface DirectoryRegistration {
  readonly userId: string;
  readonly applicationId: string;
  readonly roles: readonly string[];
  readonly [field: string]: unknown;
}

/** Where a question comes from: which tenant may be seen, and what to read with inside of a running transaction. */
export interface DirectoryContext {
  readonly scope: TenantScope;
  readonly reader: StorageReader;
  /**
   * Inside a transaction: its database handle, a Kysely on SQLite and Postgres, for a host whose tables share the database. Made when it is
   * read, which throws when `kysely` is not installed.
   */
  readonly native?: unknown;
}

/** Answers what the service asks about people and applications. Unknown ids are left out of answers. */
export interface Directory {
  findUsers(context: DirectoryContext, userIds: readonly string[]): Promise<readonly DirectoryUser[]>;
  /** All applications when `applicationIds` is undefined. */
  findApplications(
    context: DirectoryContext,
    applicationIds: readonly string[] | undefined,
  ): Promise<readonly DirectoryApplication[]>;
  findRoles(
    context: DirectoryContext,
    by: { readonly roleIds: readonly string[] } | { readonly applicationIds: readonly string[] },
  ): Promise<readonly DirectoryRole[]>;
  findRegistrations(context: DirectoryContext, userIds: readonly string[]): Promise<readonly DirectoryRegistration[]>;
}
