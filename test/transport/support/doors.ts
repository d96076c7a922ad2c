import { existsSync } from "node:fs";
import type { IdentityService, IdentityServiceOptions } from "latchkey";
import { adminConsole } from "latchkey/console";
import { oidc } from "latchkey/oidc";
import { saml } from "latchkey/saml";
import { scim } from "latchkey/scim";
import { routes as openIdRoutes } from "../../../adapters/oidc/http/routes.js";
import { pageRoots } from "../../../adapters/oidc/pages/server/paths.js";
import { pages } from "../../../adapters/oidc/pages/table.js";
import { routes } from "../../../src/families/index.js";
import { createTestService, type TestService } from "./service.js";

/** A method and a path that the service answers. */
export interface Door {
  readonly method: string;
  readonly path: string;
}

const id = "7ab98b7b-7b7b-4b7b-8b7b-7b7b7b7b7b7b";

const ofApi: readonly Door[] = routes.map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, id) }));

const discovery = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

const openIdPaths = [...Object.values(openIdRoutes), ...discovery];
// The keys of one tenant are those of all.
const ofTenants = openIdPaths.filter((path) => path !== openIdRoutes.jwks).map((path) => `/${id}${path}`);

const pagePaths = [
  ...Object.keys(pages).map((name) => `/oauth2/interaction/abc/${name}`),
  ...[...pageRoots, "/oauth2/register", "/oauth2/registered", "/oauth2/callback", "/oauth2/passwordless"].flatMap((path) => [
    path,
    `${path}/abc`,
  ]),
  "/oauth2/pages/styles.css",
  "/oauth2/pages/pages.js",
];

const samlPaths = [
  "/samlv2/acs",
  ...["sp/metadata", "metadata", "login", "initiate", "callback"].map((name) => `/samlv2/${name}/${id}`),
];

const scimRoot = "/api/scim/resource/v2";
const scimPaths = [
  "/Users",
  `/Users/${id}`,
  "/Users/.search",
  "/Groups",
  `/Groups/${id}`,
  "/EnterpriseUsers",
  "/Bulk",
  "/Schemas",
]
  .concat(["/ResourceTypes", "/ServiceProviderConfig", "/.search"])
  .map((path) => scimRoot + path);

// Its files are there once it is built.
const consoleFiles = existsSync("dist/console/index.html") ? ["/", "/users", "/set-up", "/brand.css"] : [];
const consolePaths = ["/session", "/session/two-factor", "/session/set-up", "/session/confirm", "/theme-preview", "/api/user"];

const bothMethods = (paths: readonly string[]): readonly Door[] =>
  paths.flatMap((path) => ["GET", "POST", "OPTIONS"].map((method) => ({ method, path })));

/** Every route of the API, page and path of a protocol. */
export const doors: readonly Door[] = [
  ...ofApi,
  ...bothMethods([...openIdPaths, ...ofTenants, ...pagePaths, ...samlPaths, ...scimPaths]),
];

/** What the console answers, below its mount point. */
export const consoleDoors: readonly Door[] = [
  ...consolePaths.map((path) => ({ method: "POST", path })),
  ...consoleFiles.map((path) => ({ method: "GET", path })),
];

/** A service with all of it. */
export interface OpenHouse extends TestService {
  readonly admin: Pick<IdentityService, "handle" | "paths">;
}

export async function createOpenHouse(options: Partial<IdentityServiceOptions> = {}): Promise<OpenHouse> {
  const protocols = [scim(), oidc(), saml()];
  const service = await createTestService({ publicUrl: "http://127.0.0.1", protocols, throttle: false, ...options });
  return { ...service, admin: adminConsole(service.identity) };
}
