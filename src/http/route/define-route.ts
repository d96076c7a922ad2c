/** The methods that a route can have. The GET route answers HEAD (docs/reference/wire.md#head-and-options). */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers that may call a route (docs/reference/api-keys.md#permissions, docs/reference/api-keys.md#global-endpoints).
 * - `tenant`: any API key whose grants allow it.
 * - `global`: only keys without a tenant, and no tenant header.
 * - `shared`: records that all tenants share, which a key of one tenant may only read.
 * - `keyManager`: keys that manage keys.
 * - `tenantOrUser`: as `tenant`, and users with their token.
 * - `user`: only users with their token.
 * - `token`: callers with a token; API keys are refused.
 * - `local`: as `global`, and callers on this machine without a credential, where the host allows them
 *   (docs/reference/authentication.md#schemes).
 * - `optional`: as `tenant` for callers with a credential in a header, and anonymous callers as far as the operation permits.
 * - `optionalOrUser`: as `optional`, and users with their token in a header.
 * - `public`: all callers.
 * - `client`: API keys, and clients that authenticate in the form or by HTTP Basic, which the operation checks.
 */
export type Access =
  | "tenant"
  | "global"
  | "shared"
  | "keyManager"
  | "tenantOrUser"
  | "user"
  | "token"
  | "local"
  | "optional"
  | "optionalOrUser"
  | "public"
  | "client";

/** Whether callers may omit their credential. */
export function isOptional(access: Access): boolean {
  return access === "optional" || access === "optionalOrUser" || access === "client";
}

/** One way to reach a target over HTTP, as data. */
export interface Route<Target> {
  readonly method: Method;
  /** Segments that begin with `:` are parameters: `/api/group/:groupId`. */
  readonly path: string;
  /** The name in endpoint grants: the path without its parameters (docs/reference/api-keys.md#fields). */
  readonly endpoint: string;
  readonly access: Access;
  readonly target: Target;
}

/** Derives the endpoint of a route. */
export function defineRoute<Target>(row: Omit<Route<Target>, "endpoint">): Route<Target> {
  return { ...row, endpoint: row.path.replace(/\/:\w+/g, "") };
}

/** Routes as a table: method, path, access, target. */
export function defineRoutes<const Target>(
  rows: readonly (readonly [method: Method, path: string, access: Access, target: Target])[],
): readonly Route<Target>[] {
  return rows.map(([method, path, access, target]) => defineRoute({ method, path, access, target }));
}

/** Routes at a path whose last segment is an id parameter, and without it: the id may be in the query or the body. */
export function defineIdRoutes<const Target>(
  path: string,
  access: Access,
  targets: Readonly<Partial<Record<Method, Target>>>,
): readonly Route<Target>[] {
  const paths = [path.slice(0, path.lastIndexOf("/")), path];
  return (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).flatMap((method) => {
    const target = targets[method];
    return target === undefined ? [] : paths.map((one) => defineRoute({ method, path: one, access, target }));
  });
}

/** The standard operations of a record family at one path. */
export type RecordVerb = "create" | "retrieve" | "list" | "update" | "patch" | "remove";

/** The routes of records at a path whose last segment is their id parameter, and without it. */
export function defineRecordRoutes(path: string, access: Access): readonly Route<RecordVerb>[] {
  const collection = path.slice(0, path.lastIndexOf("/"));
  return [
    ...defineRoutes([
      ["GET", collection, access, "list"],
      ["GET", path, access, "retrieve"],
    ]),
    ...defineIdRoutes(path, access, { POST: "create", PUT: "update", PATCH: "patch", DELETE: "remove" }),
  ];
}

/** The routes of a search: with criteria in the query, or in a body. */
export function defineSearchRoutes(path: string, access: Access): readonly Route<"search">[] {
  return (["GET", "POST"] as const).map((method) => defineRoute({ method, path, access, target: "search" }));
}
