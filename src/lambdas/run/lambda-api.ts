import { type LambdaType, lambdaTypes } from "../../availability/lambda-types.js";
import { hasGrants, type LambdaPrincipal } from "../../http/authenticate/principal.js";
import type { Method } from "../../http/route/define-route.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import type { ApiRequest } from "../../ports/transport.js";
import type { LambdaPermissions } from "../../records/lambdas/schema.js";
import { isObjectOrList } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";

interface ApiCall {
  /** The function, such as `api.user.patch`. */
  readonly name: string;
  readonly method: Extract<Method, "GET" | "PATCH">;
  readonly endpoint: string;
  /** The number of ids after the endpoint. */
  readonly ids: 1 | 2;
  /** The member of request and answer that holds the record. */
  readonly wrapper: string;
}

const user = { endpoint: "/api/user", ids: 1, wrapper: "user" } as const;
const registration = { endpoint: "/api/user/registration", ids: 2, wrapper: "registration" } as const;
const group = { endpoint: "/api/group", ids: 1, wrapper: "group" } as const;

const calls: readonly ApiCall[] = [
  { name: "api.user.retrieve", method: "GET", ...user },
  { name: "api.user.patch", method: "PATCH", ...user },
  { name: "api.registration.retrieve", method: "GET", ...registration },
  { name: "api.registration.patch", method: "PATCH", ...registration },
  { name: "api.group.retrieve", method: "GET", ...group },
  { name: "api.group.patch", method: "PATCH", ...group },
];

interface ApiAccess {
  readonly call: OperationCall;
  readonly principal: LambdaPrincipal;
  readonly type: LambdaType;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Marks a request as made by the lambda, so that it runs no other. */
  readonly toMark: () => Readonly<Record<string, string>>;
  readonly isDryRun: boolean;
}

const maxCalls = 20;

interface ApiRun {
  readonly lambda: { readonly id: string; readonly type: LambdaType; readonly permissions?: LambdaPermissions | undefined };
  readonly tenantId: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly isTrial?: boolean;
}

type ApiFunctions = ReadonlyMap<string, (args: readonly unknown[]) => Promise<unknown>>;

/** The grants of a lambda's permissions: none where it has none. */
export function toGrants({ endpoints }: LambdaPermissions = { endpoints: {} }): LambdaPrincipal["grants"] {
  return new Map(Object.entries(endpoints).map(([endpoint, methods]) => [endpoint, new Set(methods)]));
}

/**
 * The functions of `api` in one run; none without permissions or a tenant. `toMark` marks its requests as made by a lambda. A
 * caller that tests the lambda must hold its saved permissions, which are the author's.
 */
export function apiOfRun(call: OperationCall, run: ApiRun, toMark: ApiAccess["toMark"]): ApiFunctions {
  const { lambda, tenantId, arguments: given, isTrial = false } = run;
  const grants = toGrants(lambda.permissions);
  if (tenantId === undefined || grants.size === 0 || (isTrial && !hasGrants(call.principal, grants))) return new Map();
  const principal: LambdaPrincipal = { kind: "lambda", lambdaId: lambda.id, tenantId, isKeyManager: false, grants };
  return apiFunctions({ call, principal, type: lambda.type, arguments: given, toMark, isDryRun: isTrial || call.isDryRun });
}

// They throw the refusals of the API.
function apiFunctions(access: ApiAccess): ApiFunctions {
  let made = 0;
  const run = (row: ApiCall) => (args: readonly unknown[]) => {
    made++;
    if (made > maxCalls) throw new RangeError(`A run may call the API ${maxCalls} times at most.`);
    return callApi(access, row, args);
  };
  return new Map(calls.map((row) => [row.name, run(row)]));
}

async function callApi(access: ApiAccess, row: ApiCall, args: readonly unknown[]): Promise<unknown> {
  // Another transaction would wait for the host's locks until the end of the run.
  if (isInsideHost(access.call)) throw new Error("Inside of a transaction of the host, a lambda cannot call the API.");
  const { endpoint, method, name } = row;
  if (access.principal.grants.get(endpoint)?.has(method) !== true)
    throw new Error(`${name}: the lambda has no permission ${method} ${endpoint}.`);
  const ids = args.slice(0, row.ids).map((id) => (typeof id === "string" ? parseUuid(id) : undefined));
  if (ids.length < row.ids || ids.includes(undefined))
    throw new TypeError(`${name} needs ${row.ids === 1 ? "an id" : "two ids"}.`);
  if (method === "PATCH") assertStoredNowhereElse(access, row, ids[0]);
  const patch = args[row.ids];
  if (method === "PATCH" && !isObjectOrList(patch)) throw new TypeError(`${name} needs an object with the changes.`);
  return send(access, row, { path: `${endpoint}/${ids.join("/")}`, patch });
}

/** The arguments that the service stores after the run, where the type of the lambda may change them. */
const storedAfterwards = ["user", "registration", "group"] as const;

// The service stores the whole record after the run: a patch meanwhile would be lost.
function assertStoredNowhereElse({ type, arguments: given }: ApiAccess, { name, wrapper }: ApiCall, id?: string): void {
  const { changes } = lambdaTypes[type];
  const owners = wrapper === "group" ? ["group"] : storedAfterwards.filter((argument) => argument !== "group");
  if (!owners.some((argument) => changes.includes(argument))) return;
  const record = given[wrapper === "group" ? "group" : "user"];
  if (isObjectOrList(record) && record.id === id)
    throw new Error(`${name}: this record is stored with what the lambda changes. Change the argument ${wrapper} instead.`);
}

interface Sent {
  readonly path: string;
  readonly patch: unknown;
}

async function send(access: ApiAccess, { method, name, wrapper }: ApiCall, { path, patch }: Sent): Promise<unknown> {
  const { call, isDryRun, principal, toMark } = access;
  const request: ApiRequest = {
    method,
    path,
    query: isDryRun && method === "PATCH" ? "dryRun=true" : "",
    headers: { ...toMark(), "content-type": "application/json" },
    basePath: "",
    isEncrypted: true,
    remoteAddress: undefined,
    body: method === "PATCH" ? { kind: "text", text: JSON.stringify({ [wrapper]: patch }) } : undefined,
  };
  const response = await call.service.lambdas.answer(request, principal);
  if (response?.status === 404 && method === "GET") return undefined;
  if (response === undefined || response.status >= 300) throw new Error(`${name}: ${describeRefusal(response)}`);
  return JSON.parse(response.body)[wrapper];
}

interface ErrorList {
  readonly fieldErrors?: Readonly<Record<string, readonly { readonly code: string }[]>>;
  readonly generalErrors?: readonly { readonly code: string }[];
}

function describeRefusal(response: { readonly status: number; readonly body: string } | undefined): string {
  if (response === undefined) return "404";
  const { fieldErrors = {}, generalErrors = [] }: ErrorList = response.body === "" ? {} : JSON.parse(response.body);
  const codes = [...Object.values(fieldErrors).flat(), ...generalErrors].map(({ code }) => code);
  return [response.status, ...codes.slice(0, 10)].join(" ");
}
