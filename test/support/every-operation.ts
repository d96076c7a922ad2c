// Calls every operation of every family, over HTTP and in process, on any service.
import { IdentityError, type InjectedRequest } from "latchkey";
import { routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import { headersOf } from "./matrix-flows.js";
import { type MatrixRequest, setStage, toRequest } from "./matrix-stage.js";
import { bootstrapKey, type World } from "./world.js";

/** Sends a request to a service, over a socket or in process; returns the status. */
export type Send = (request: InjectedRequest) => Promise<number>;

/** The result of a call: its status, or the error if there is no response. */
export type Outcome = readonly [call: string, status: number | string];

/** The results of {@link callEveryOperation}. */
export interface Outcomes {
  readonly overHttp: readonly Outcome[];
  readonly inProcess: readonly Outcome[];
}

const table = new RouteTable(routes);

/** Reads and dry runs of every operation, then the operations themselves, removals last. */
export async function callEveryOperation(world: World, send: Send): Promise<Outcomes> {
  const stage = await setStage(world, world.defaultTenantId);
  const all = routes.map((route) => ({ route, request: toRequest(route, stage) }));
  const rank = ({ method }: Route<AnyOperation>): number => (method === "DELETE" ? 1 : 0);
  const real = all
    .map(({ request, route }) => ({ route, request: { ...request, url: withoutDryRun(request.url) } }))
    .sort((one, other) => rank(one.route) - rank(other.route));
  const overHttp: Outcome[] = [];
  const inProcess: Outcome[] = [];
  for (const { request, route } of [...all, ...real]) {
    const call = `${request.method} ${request.url} (${route.target.name})`;
    inProcess.push([call, await callInProcess(world, route, request)]);
    overHttp.push([call, await send(toInjected(request))]);
  }
  return { overHttp, inProcess };
}

/** The calls that failed in the service: status 500 or above, or an unexpected error. */
export function failuresOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(([, status]) => typeof status === "string" || status >= 500);
}

/** The operations with at least one success. */
export function succeededOf(outcomes: readonly Outcome[]): ReadonlySet<string> {
  const ok = outcomes.filter(([, status]) => typeof status === "number" && status < 400);
  return new Set(ok.map(([call]) => /\((.*)\)$/.exec(call)?.[1] ?? ""));
}

/** A URL of the matrix without `dryRun`, so that the call changes data. */
export function withoutDryRun(url: string): string {
  const [path = "", query] = url.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("dryRun");
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** A request of the matrix with all permissions. */
export function toInjected({ body, method, url }: MatrixRequest): InjectedRequest {
  const isForm = typeof body === "string";
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = { Authorization: bootstrapKey, "content-type": type, ...headersOf(body) };
  return { method, url, headers, ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }) };
}

async function callInProcess({ identity }: World, route: Route<AnyOperation>, request: MatrixRequest): Promise<number | string> {
  const [family = "", verb = ""] = route.target.name.split(".");
  const families: object = identity;
  const call = (families as Record<string, Record<string, (input: object, options: object) => Promise<unknown>>>)[family]?.[verb];
  if (call === undefined) return 404;
  try {
    await drain(await call(toInput(route, request), { dryRun: request.url.includes("dryRun=true") }));
    return 200;
  } catch (error) {
    return error instanceof IdentityError ? error.status : `${error}`;
  }
}

/** Reads a stream to its end, because the number of open streams is limited. */
export async function drain(answer: unknown): Promise<void> {
  if (typeof answer !== "object" || answer === null || !(Symbol.asyncIterator in answer)) return;
  for await (const _piece of answer as AsyncIterable<unknown>);
}

/** Converts a request to the input of the in-process call. */
export function toInput({ method }: Route<AnyOperation>, { body, url }: MatrixRequest): object {
  const [path = "", query] = url.split("?");
  const match = table.match(method, path);
  const params = match?.kind === "found" ? match.params : {};
  const { dryRun: _dryRun, ...asked } = Object.fromEntries(new URLSearchParams(query));
  const content = typeof body === "string" ? Object.fromEntries(new URLSearchParams(body)) : body;
  return { ...params, ...asked, ...(method === "PATCH" ? { patch: content, mode: "merge" } : content) };
}
