import { toIdentityError } from "./errors/identity-error.js";
import type { Authenticator } from "./http/authenticate/authenticate-request.js";
import type { Principal } from "./http/authenticate/principal.js";
import { hasHeader } from "./http/authenticate/read-credential.js";
import { isLocalRequest } from "./http/authenticate/source-address.js";
import { authorizeCall } from "./http/authorize/authorize-call.js";
import { followRequest } from "./http/follow-request.js";
import { type Access, isOptional, type Method, type Route } from "./http/route/define-route.js";
import type { RouteTable } from "./http/route/match-route.js";
import { type CorsOptions, withCors, writePreflight } from "./http/transport/cors.js";
import { openStream } from "./http/transport/open-stream.js";
import { readBody } from "./http/transport/read-body.js";
import type { BodyLimits } from "./http/transport/read-bytes.js";
import { checkHeaderTexts, checkPathTexts, parseQuery, readParameters } from "./http/transport/read-parameters.js";
import {
  readRequestId,
  type UnsentAnswers,
  withRequestId,
  writeError,
  writeMethodNotAllowed,
  writeNotFound,
  writeResult,
} from "./http/transport/write-response.js";
import { checkResponseSize } from "./operations/family/response-size.js";
import { assertKnownBody, isStrict } from "./operations/family/unknown-members.js";
import { type AnyOperation, jsonOnly } from "./operations/operation.js";
import { runOperation } from "./operations/run-operation.js";
import type { ServiceContext } from "./operations/service-context.js";
import { type Session, storageSession } from "./operations/session.js";
import type { ApiRequest, ApiResponse, ByteStream } from "./ports/transport.js";

/** The parts of the service that handle requests. */
export interface HandleContext {
  readonly routes: RouteTable<AnyOperation>;
  /** The same routes as a list. */
  readonly endpoints: readonly Route<AnyOperation>[];
  readonly authenticator: Authenticator;
  readonly tenantHeaderName: string;
  readonly refusesTenantHeaderOnGlobal: boolean;
  /** Whether PATCH accepts the formats of RFC 6902 and RFC 7396. */
  readonly takesPatchDocuments: boolean;
  /** Whether callers on this machine may read status and metrics without a credential. */
  readonly allowsLocalReads: boolean;
  /** The other origins that may call; undefined for none. */
  readonly cors: CorsOptions | undefined;
  readonly bodyLimits: BodyLimits;
  /** The largest body with bulk lists, in bytes. */
  readonly maxImportBytes: number;
  readonly unsent: UnsentAnswers;
  /** Whether requests without an id get one. */
  readonly makesRequestIds: boolean;
  readonly service: ServiceContext;
}

/**
 * Handles a request. Undefined when the path is not the service's, so that the host may answer.
 *
 * route → authenticate → authorize → read the body → run the operation (schema, rules, one transaction) → write the response
 *
 * `principal`: the caller, when the host has authenticated it.
 */
export function handle(context: HandleContext, request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined> {
  const { cors } = context;
  const { origin } = request.headers;
  if (cors === undefined) return answer(context, request, principal);
  return answer(context, request, principal).then((response) => response && withCors(cors, origin, response));
}

function answer(context: HandleContext, request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined> {
  const match = context.routes.match(request.method, request.path);
  if (match === undefined) return Promise.resolve(undefined);
  const { runtime, telemetry } = context.service;
  const requestId = readRequestId(request) ?? (context.makesRequestIds ? (request.requestId ?? runtime.newId()) : undefined);
  if (match.kind !== "found") {
    const refusal = match.kind === "notServed" ? writeNotFound() : answerOtherMethod(context, request, match.methods);
    return Promise.resolve(withRequestId(refusal, requestId, runtime.newId));
  }
  const { route, params } = match;
  const routed = { request, route, params, requestId };
  if (telemetry === undefined) return respond(context, routed, principal);
  return followRequest(telemetry, routed, () => respond(context, routed, principal));
}

function answerOtherMethod({ cors }: HandleContext, request: ApiRequest, methods: readonly Method[]): ApiResponse {
  return writePreflight(cors, request, methods) ?? writeMethodNotAllowed(methods);
}

async function respond(context: HandleContext, routed: RoutedRequest, known?: Principal): Promise<ApiResponse> {
  const { request, requestId, route } = routed;
  const { measurements, runtime } = context.service;
  const began = runtime.monotonic();
  let response: ApiResponse;
  try {
    context.unsent.assertRoom();
    checkHeaderTexts(request);
    const caller = known ?? authenticate(context, route.access, request);
    const principal = caller instanceof Promise ? await caller : caller;
    response = await handleAuthenticated(context, storageSession(context.service), principal, routed);
    if (response.stream !== undefined) response = { ...response, stream: follow(context, routed, response.stream) };
    context.unsent.count(request, response, route.method === "GET" || route.path.endsWith("/search"));
  } catch (error) {
    response = refuse(context, routed, error);
  }
  measurements.requests.note(route, response.status, runtime.monotonic() - began);
  return withRequestId(response, requestId, runtime.newId);
}

// After the first byte, the response cannot become an error: the failure is logged, and the transport closes the connection.
function follow({ service }: HandleContext, { request, requestId, route }: RoutedRequest, stream: ByteStream): ByteStream {
  if (request.method === "HEAD") return { async *[Symbol.asyncIterator]() {} };
  return {
    [Symbol.asyncIterator]() {
      const iterator = stream[Symbol.asyncIterator]();
      const fail = (error: unknown): never => {
        service.runtime.logger.error({ err: error, method: route.method, path: route.path, requestId }, "response broke off");
        throw error;
      };
      return {
        next: () => iterator.next().catch(fail),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

function authenticate(
  { authenticator, allowsLocalReads }: HandleContext,
  access: Access,
  request: ApiRequest,
): Principal | Promise<Principal> | undefined {
  if (access === "public") return undefined;
  if (access === "client") return authenticator.authenticateUnlessClient(request);
  if (access === "local" && allowsLocalReads && !hasHeader(request) && isLocalRequest(request)) return undefined;
  return isOptional(access) ? authenticator.authenticateOptional(request) : authenticator.authenticate(request);
}

/** A request with its route. */
export interface RoutedRequest {
  readonly request: ApiRequest;
  readonly route: Route<AnyOperation>;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId?: string | undefined;
}

/** Handles a request of an authenticated caller. Kickstart uses it for requests inside its own transaction. */
export async function handleAuthenticated(
  context: HandleContext,
  session: Session,
  caller: Principal | undefined,
  { request, route, params }: RoutedRequest,
): Promise<ApiResponse> {
  const { headers } = request;
  const { principal, scope } = authorizeCall(caller, route, {
    name: context.tenantHeaderName,
    value: single(headers[context.tenantHeaderName.toLowerCase()]),
    isRefusedOnGlobal: context.refusesTenantHeaderOnGlobal,
  });
  checkPathTexts(params);
  const query = parseQuery(request.query);
  const bodyKinds = context.takesPatchDocuments || route.method !== "PATCH" ? route.target.bodyKinds : jsonOnly;
  const { streamedBody } = route.target;
  const isUnread = route.method === "GET" || streamedBody !== undefined;
  const body = isUnread ? undefined : await readBody(request, bodyKinds, limitsFor(principal, context, route.target));
  if (isStrict(route.target)) await assertKnownBody(route.target, body?.value, context.service);
  const { method } = route;
  const isPlain = request.query === "" && method !== "DELETE";
  const result = await runOperation(context.service, route.target, {
    session,
    principal,
    scope,
    params: isPlain ? params : readParameters({ method, known: route.target.parameters, query, path: params, body: body?.value }),
    body: body?.value,
    bodyKind: body?.kind ?? "json",
    stream: streamedBody && openStream(request, streamedBody.types, context.bodyLimits),
    ifMatch: single(headers["if-match"]),
    request,
    auditReason: single(headers["x-audit-reason"]),
    isDryRun: query.dryRun === "true",
  });
  checkResponseSize(context.service, result);
  return writeResult(result, route.method === "GET" ? single(headers["if-none-match"]) : undefined);
}

// Bodies of logins and logouts are short: an anonymous caller must not make the service read more.
const maxAnonymousBytes = 131_072;

function limitsFor(
  principal: Principal | undefined,
  { bodyLimits, maxImportBytes }: HandleContext,
  { bulkLists }: AnyOperation,
): BodyLimits {
  if (principal !== undefined && bulkLists !== undefined) return { ...bodyLimits, maxBytes: maxImportBytes };
  if (principal !== undefined || bodyLimits.maxBytes <= maxAnonymousBytes) return bodyLimits;
  return { ...bodyLimits, maxBytes: maxAnonymousBytes };
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "object" ? header.join(", ") : header;
}

function refuse(context: HandleContext, routed: RoutedRequest, thrown: unknown): ApiResponse {
  const { request, route } = routed;
  const known = toIdentityError(thrown);
  const error = route.target.toRefusal?.(known, request) ?? known;
  // Metrics count overload by slow clients; logging each refusal would flood the log.
  if (error.status < 500 || error.code === "[overloaded]") return writeError(error);
  const { logger, newId } = context.service.runtime;
  const requestId = routed.requestId ?? request.requestId ?? newId();
  // The path itself can contain a credential: a caller without a key changes a password by a one-time id in it.
  logger.error({ err: error.cause ?? error, method: request.method, path: route.path, requestId }, "request failed");
  return withRequestId(writeError(error), requestId, newId);
}
