/** The paths of the endpoints. */
export const routes = {
  authorization: "/oauth2/authorize",
  code_verification: "/oauth2/device",
  device_authorization: "/oauth2/device_authorize",
  end_session: "/oauth2/logout",
  introspection: "/oauth2/introspect",
  jwks: "/.well-known/jwks.json",
  pushed_authorization_request: "/oauth2/par",
  revocation: "/oauth2/revoke",
  token: "/oauth2/token",
  userinfo: "/oauth2/userinfo",
} as const;

/** A path of the provider. */
export interface FoundRoute {
  readonly name: keyof typeof routes | "discovery";
  /** The path for the library's routes. */
  readonly path: string;
  /** The tenant at the start of the path. */
  readonly tenantId: string | undefined;
  /** The part of the path before {@link path}. */
  readonly prefix: string;
  /** Whether a browser shows it, in contrast to endpoints for clients. */
  readonly isPage: boolean;
}

const pages: ReadonlySet<string> = new Set(["authorization", "code_verification", "device_authorization", "end_session"]);
const discovery = /^\/\.well-known\/(openid-configuration|oauth-authorization-server)(?:\/([\da-fA-F-]{36}))?\/?$/;

/** Returns the pattern of a path, for lines of the log: it contains no id. */
export function toPattern(path: string): string {
  const route = findRoute(path);
  if (route === undefined) return "/oauth2/*";
  return route.name === "discovery" ? route.path : routes[route.name];
}

/** Returns the route of a path; undefined for a login page, and for an unknown path. */
export function findRoute(path: string): FoundRoute | undefined {
  const [, prefix = "", id] = /^(\/([\da-fA-F-]{36}))?(?=\/)/.exec(path) ?? [];
  const rest = path.slice(prefix.length);
  const [, document, named] = discovery.exec(rest) ?? [];
  if (document !== undefined)
    return { name: "discovery", path: `/.well-known/${document}`, tenantId: named ?? id, prefix: "", isPage: false };
  const found = Object.entries(routes).find(([, route]) => rest === route || rest.startsWith(`${route}/`));
  if (found === undefined) return undefined;
  const [name] = found;
  return { name: name as keyof typeof routes, path: rest, tenantId: id, prefix, isPage: pages.has(name) };
}
