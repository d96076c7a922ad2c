import { IdentityError, type Principal } from "latchkey";
import type { ApiRequest, ApiResponse, ProtocolHandler, ProtocolHost } from "latchkey/ports";
import { type Access, resolveAccess } from "./access.js";
import type { OperationRequest } from "./bulk/bulk-operation.js";
import { runBulk } from "./bulk/run-bulk.js";
import { matchRoute, type ScimRoute, toPattern } from "./routes.js";
import { ScimError } from "./schema/errors.js";
import { withBareKey } from "./server/bearer-key.js";
import type { ScimCall, ScimResponse } from "./server/call.js";
import { RequestLog } from "./server/request-log.js";
import { findFailure, toApiResponse, toErrorResponse, toScimError } from "./server/responses.js";

const bodyTypes = ["application/scim+json", "application/json"] as const;

// Lists of members, and operations with such lists, are limited by their bytes instead.
const bulkLists = {
  group: [["members"], ["Operations", "*", "value"], ["Operations", "*", "value", "members"]],
  bulk: [
    ["Operations", "*", "data", "members"],
    ["Operations", "*", "data", "Operations", "*", "value"],
    ["Operations", "*", "data", "Operations", "*", "value", "members"],
  ],
} as const;

/** Creates the handler of requests below `root`, such as `/api/scim/resource/v2`. */
export async function createScimServer(host: ProtocolHost, root: string): Promise<ProtocolHandler> {
  const server = new ScimServer(host, root);
  return (request, principal) => server.handle(request, principal);
}

/** The state of a request for its log entry. */
interface RequestProgress {
  readonly request: ApiRequest;
  /** The path below the root. */
  readonly path: string;
  readonly ignored: string[];
  caller?: Principal;
  tenantId?: string;
}

class ScimServer {
  readonly #host: ProtocolHost;
  readonly #root: string;
  readonly #log: RequestLog;

  constructor(host: ProtocolHost, root: string) {
    this.#host = host;
    this.#root = root;
    this.#log = new RequestLog(host);
  }

  async handle(request: ApiRequest, given: Principal | undefined): Promise<ApiResponse> {
    const progress: RequestProgress = { request, path: request.path.slice(this.#root.length).replace(/\/$/, ""), ignored: [] };
    try {
      return await this.#answer(progress, given);
    } catch (error) {
      return this.#refuse(progress, error);
    }
  }

  async #answer(progress: RequestProgress, given: Principal | undefined): Promise<ApiResponse> {
    const { request, path, ignored } = progress;
    progress.caller = given ?? (await this.#host.authenticate(withBareKey(request)));
    const route = matchRoute(request.method, path);
    const access = await this.#authorize(progress.caller, route, request);
    progress.tenantId = access.tenant.id;
    const call = this.#toCall(access, progress);
    const response = await (route.kind === "bulk" ? runBulk(call, (inner) => this.#runInBulk(call, inner)) : route.run(call));
    const answer = toApiResponse(response);
    this.#log.note(progress, { status: answer.status, ignored });
    return answer;
  }

  #authorize(caller: Principal, { endpoint, method, permission }: ScimRoute, request: ApiRequest): Promise<Access> {
    return resolveAccess(this.#host, caller, { endpoint: this.#root + endpoint, method, permission, request });
  }

  #toCall(access: Access, { request, path, ignored }: RequestProgress): ScimCall {
    const [, name = ""] = path.toLowerCase().split("/");
    const lists = name === "bulk" ? bulkLists.bulk : name === "groups" ? bulkLists.group : [];
    return {
      host: this.#host,
      api: this.#host.as(access.principal),
      ...access,
      request,
      path,
      query: new URLSearchParams(request.query),
      root: this.#host.urlOf({ ...request, path: this.#root }) ?? `${request.basePath ?? ""}${this.#root}`,
      assertReadable: async (endpoint) => {
        await this.#authorize(access.caller, matchRoute("GET", endpoint), request);
      },
      readBody: () => this.#host.readBody(request, { types: bodyTypes, bulkLists: lists }),
      ignored,
    };
  }

  // Each operation of a bulk request is a separate request, with its own authorization and transaction.
  async #runInBulk(call: ScimCall, operation: OperationRequest): Promise<ScimResponse> {
    try {
      return await this.#runOperation(call, operation);
    } catch (error) {
      this.#logFailure({ ...call.request, ...operation }, error);
      throw error;
    }
  }

  async #runOperation(call: ScimCall, { method, path, data, version }: OperationRequest): Promise<ScimResponse> {
    const route = matchRoute(method, path);
    if (route.kind === "bulk") throw new ScimError(400, "invalidPath", "A bulk request cannot contain another one.");
    const headers = { ...call.request.headers, "if-match": version };
    const request: ApiRequest = { ...call.request, method, path: this.#root + path, query: "", headers };
    const access = await this.#authorize(call.caller, route, request);
    const inner = this.#toCall(access, { request, path, ignored: call.ignored });
    return route.run({ ...inner, readBody: async () => data });
  }

  // `path`: below the root.
  #logFailure({ method, path, requestId }: Pick<ApiRequest, "method" | "path" | "requestId">, error: unknown): void {
    const failure = findFailure(error);
    const fields = { err: failure, method, path: this.#root + toPattern(path), requestId };
    if (failure !== undefined) this.#host.logger.error(fields, "SCIM request failed");
  }

  #refuse(progress: RequestProgress, error: unknown): ApiResponse {
    const { ignored, path, request } = progress;
    const known = toScimError(error);
    this.#logFailure({ ...request, path }, error);
    const refusal = known ?? new ScimError(500, undefined, "The server failed. Its log has the reason.");
    this.#log.note(progress, { status: refusal.status, ignored, error: refusal });
    return toErrorResponse(refusal, error instanceof IdentityError ? error.headers : {});
  }
}
