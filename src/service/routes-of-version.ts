import { endpointVersions, existsIn } from "../availability/versions.js";
import { routes } from "../families/index.js";
import type { Route } from "../http/route/define-route.js";
import { RouteTable } from "../http/route/match-route.js";
import { defineFamilies, type OperationLookup } from "../in-process.js";
import type { AnyOperation } from "../operations/operation.js";
import type { Settings } from "../options.js";
import { withDocs } from "../system/docs-routes.js";

type ToOwn = OperationLookup["toOwn"];

/** The routes that a service answers. */
export interface RoutesOfVersion {
  readonly list: readonly Route<AnyOperation>[];
  readonly table: RouteTable<AnyOperation>;
  /** Finds the operations of in-process calls. */
  readonly lookup: Omit<OperationLookup, "isHost">;
}

interface LastRoutes {
  readonly version: string;
  readonly docs: boolean;
  readonly toOwn: ToOwn;
  /** The last of all routes, to notice routes that tests add. */
  readonly end: unknown;
  readonly routes: RoutesOfVersion;
}

let last: LastRoutes | undefined;

/** Returns the routes of a version of the API, with a service's own operations. Services with the same options share them. */
export function findRoutesOfVersion({ version, docs }: Pick<Settings, "docs" | "version">, toOwn: ToOwn): RoutesOfVersion {
  const end = routes.at(-1);
  if (last?.version !== version || last.docs !== docs || last.toOwn !== toOwn || last.end !== end)
    last = { version, docs, toOwn, end, routes: makeRoutes(version, docs, toOwn) };
  return last.routes;
}

function makeRoutes(version: string, docs: boolean, toOwn: ToOwn): RoutesOfVersion {
  const exists = (key: string): boolean => existsIn(version, endpointVersions[key]);
  const list = (docs ? withDocs(routes) : routes)
    .filter(({ method, endpoint }) => exists(endpoint) && exists(`${method} ${endpoint}`))
    .map((route) => Object.freeze({ ...route, target: toOwn(route.target) }));
  // The first of several routes of an operation sets its access requirement.
  const byOperation = new Map(routes.toReversed().map((route) => [route.target, route]));
  const lookup = { families: defineFamilies(), routeOf: (operation: AnyOperation) => byOperation.get(operation), toOwn };
  return { list: Object.freeze(list), table: new RouteTable(list), lookup };
}
