/** The methods that a route can have. HEAD is answered by the GET route (docs/reference/wire.md#head-and-options). */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route (docs/reference/api-keys.md#permissions, docs/reference/api-keys.md#global-endpoints).
 * `tenant`: any API key whose grants allow it. `global`: only keys without a tenant, and no tenant header.
 * `shared`: what all tenants share, which a key of one tenant may read and not change. `keyManager`: keys that manage keys.
 * `tenantOrUser`: as `tenant`, and users with a token of theirs. `user`: users with a token of theirs, and nobody else.
 * `token`: callers with a token; API keys are refused.
 * `local`: as `global`, and callers on this machine who do not say who they are, where the host lets them (docs/reference/authentication.md#schemes).
 * `optional`: as `tenant` for callers with a credential in a header, and anonymous callers as far as the operation permits.
 * `optionalOrUser`: as `optional`, and users with a token of theirs in a header. `public`: everybody.
 * `client`: API keys, and callers that prove in the form or by HTTP Basic which client they are, which the operation checks.
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

/** Whether callers need not say who they are. */
export function isOptional(access: Access): boolean {
  return access === "optional" || access === "optionalOrUser" || access === "client";
}

/** One way to reach something over HTTP, as data. */
export interface Route<Target> {
  readonly method: Method;
  /** Segments that begin with `:` are parameters: `/api/group/:groupId`. */
  readonly path: string;
  /** What endpoint grants name: the path without its parameters (docs/reference/api-keys.md#fields). */
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

/** Routes at a path whose last segment is the parameter of an id, and without it: the id may stand in the query or the body. */
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

/** What can be done with the records of a family that stand below one path. */
export type RecordVerb = "create" | "retrieve" | "list" | "update" | "patch" | "remove";

/** The routes of records at a path whose last segment is the parameter of their id. Without an id they are reached too. */
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
