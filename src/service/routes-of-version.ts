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
  /** Finds one by its path. */
  readonly table: RouteTable<AnyOperation>;
  /** How calls in process find their operations. */
  readonly lookup: Omit<OperationLookup, "isHost">;
}

interface LastRoutes {
  readonly version: string;
  readonly docs: boolean;
  readonly toOwn: ToOwn;
  /** The last of the routes that it was made of: tests add some. */
  readonly end: unknown;
  readonly routes: RoutesOfVersion;
}

let last: LastRoutes | undefined;

/** The routes of a version of the API, with the operations as a service runs them. A service shares those of one that was started like it before. */
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
  // Of several routes of an operation, the first says what it requires.
  const byOperation = new Map(routes.toReversed().map((route) => [route.target, route]));
  const lookup = { families: defineFamilies(), routeOf: (operation: AnyOperation) => byOperation.get(operation), toOwn };
  return { list: Object.freeze(list), table: new RouteTable(list), lookup };
}
