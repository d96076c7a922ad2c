import type { Authenticator } from "./authenticate/authenticate-request.js";
import type { Principal } from "./authenticate/principal.js";
import { authorizeCall } from "./authorize/authorize-call.js";
import { toIdentityError } from "./errors/to-identity-error.js";
import { type AnyOperation, jsonOnly } from "./operations/operation.js";
import { runOperation, type Session, storageSession } from "./operations/run-operation.js";
import type { ServiceContext } from "./operations/service-context.js";
import type { ApiRequest, ApiResponse } from "./ports/transport.js";
import type { Access, Route } from "./route/define-route.js";
import type { RouteMatch, RouteTable } from "./route/match-route.js";
import { parseQuery } from "./transport/parse-query.js";
import { type BodyLimits, readBody } from "./transport/read-body.js";
import { writeError, writeMethodNotAllowed, writeResult } from "./transport/write-response.js";

/** What a request needs on its way. */
export interface HandleContext {
  readonly routes: RouteTable<AnyOperation>;
  readonly authenticator: Authenticator;
  readonly tenantHeaderName: string;
  readonly refusesTenantHeaderOnGlobal: boolean;
  /** Whether PATCH takes the documents of RFC 6902 and RFC 7396. */
  readonly takesPatchDocuments: boolean;
  readonly bodyLimits: BodyLimits;
  readonly service: ServiceContext;
}

/**
 * A whole request. Undefined when the path is not one of ours, so that the host may answer.
 *
 * route → authenticate → authorize → read the body → run the operation (schema, rules, one transaction) → write the response
 */
export async function handle(context: HandleContext, request: ApiRequest): Promise<ApiResponse | undefined> {
  const match = context.routes.match(request.method, request.path);
  if (match === undefined) return undefined;
  try {
    if (match.kind === "otherMethods") return writeMethodNotAllowed(match.methods);
    const { route, params } = match;
    const caller = authenticate(context, route.access, request);
    const principal = caller instanceof Promise ? await caller : caller;
    return await answer(context, storageSession(context.service), principal, { request, route, params });
  } catch (error) {
    return refuse(context, { method: request.method, path: pathToLog(request, match) }, error);
  }
}

function authenticate(
  { authenticator }: HandleContext,
  access: Access,
  request: ApiRequest,
): Principal | Promise<Principal> | undefined {
  if (access === "public") return undefined;
  return access === "optional" ? authenticator.authenticateOptional(request) : authenticator.authenticate(request);
}

/** A request whose route is known. */
export interface RoutedRequest {
  readonly request: ApiRequest;
  readonly route: Route<AnyOperation>;
  readonly params: Readonly<Record<string, string>>;
}

/** The rest of the way, for a known caller: also how kickstart makes its requests inside its own transaction. */
export async function answer(
  context: HandleContext,
  session: Session,
  principal: Principal | undefined,
  { request, route, params }: RoutedRequest,
): Promise<ApiResponse> {
  const { headers } = request;
  const scope = authorizeCall(principal, route, {
    name: context.tenantHeaderName,
    value: single(headers[context.tenantHeaderName.toLowerCase()]),
    isRefusedOnGlobal: context.refusesTenantHeaderOnGlobal,
  });
  const query = parseQuery(request.query);
  const bodyKinds = context.takesPatchDocuments || route.method !== "PATCH" ? route.target.bodyKinds : jsonOnly;
  const body = route.method === "GET" ? undefined : await readBody(request, bodyKinds, context.bodyLimits);
  const result = await runOperation(context.service, session, route.target, {
    principal,
    scope,
    params: request.query === "" ? params : { ...query, ...params },
    body: body?.value,
    bodyKind: body?.kind ?? "json",
    ifMatch: single(headers["if-match"]),
    request,
    isDryRun: query.dryRun === "true",
  });
  return writeResult(result, route.method === "GET" ? single(headers["if-none-match"]) : undefined);
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "object" ? header.join(", ") : header;
}

// What stands in the path of a public route may be what lets its bearer in.
function pathToLog({ path }: ApiRequest, match: RouteMatch<AnyOperation>): string {
  return match.kind === "found" && match.route.access === "public" ? match.route.path : path;
}

function refuse(context: HandleContext, call: Pick<ApiRequest, "method" | "path">, thrown: unknown): ApiResponse {
  const error = toIdentityError(thrown);
  if (error.status >= 500) {
    const { logger } = context.service.runtime;
    logger.error({ err: error.cause ?? error, ...call }, "request failed");
  }
  return writeError(error);
}
