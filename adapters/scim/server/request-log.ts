import type { Principal } from "latchkey";
import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import type { ScimError } from "../schema/errors.js";

/** A request, its caller and tenant. */
export interface LoggedRequest {
  readonly request: ApiRequest;
  readonly caller?: Principal | undefined;
  /** Undefined when the request was refused before its tenant was known. */
  readonly tenantId?: string | undefined;
}

/** The result of a request. */
export interface RequestOutcome {
  readonly status: number;
  /** Undeclared attributes and schemas. */
  readonly ignored: readonly string[];
  readonly error?: ScimError;
}

const minuteMs = 60_000;

/** The maximum number of entries that a process writes in a minute. */
const maxEntries = 60;

/** Writes refused requests, and those with undeclared attributes, to the event log for administrators. */
export class RequestLog {
  readonly #host: ProtocolHost;
  #minute = 0;
  #count = 0;

  constructor(host: ProtocolHost) {
    this.#host = host;
  }

  /** Writes an entry, without delaying the response. Fully successful requests have none. */
  note(logged: LoggedRequest, outcome: RequestOutcome): void {
    // Unauthenticated callers must not fill the log.
    if (logged.caller === undefined || isOrdinary(logged.request, outcome) || !this.#hasRoom()) return;
    const message = describeRequest(logged, outcome);
    const type = outcome.error === undefined ? "Information" : "Error";
    this.#host.recordEvent({ type, message }).catch((err: unknown) => {
      this.#host.logger.error({ err, requestId: logged.request.requestId }, "SCIM request was not recorded");
    });
  }

  #hasRoom(): boolean {
    const minute = Math.floor(this.#host.clock() / minuteMs);
    if (minute !== this.#minute) this.#count = 0;
    this.#minute = minute;
    this.#count += 1;
    return this.#count <= maxEntries;
  }
}

// Directories look up resources that may not exist.
function isOrdinary({ method }: ApiRequest, { error, ignored, status }: RequestOutcome): boolean {
  if (error === undefined) return ignored.length === 0;
  return status === 404 && method === "GET";
}

function describeRequest({ caller, request, tenantId = caller?.tenantId }: LoggedRequest, outcome: RequestOutcome): string {
  const { error, ignored, status } = outcome;
  const { method, path, query } = request;
  const what = `SCIM ${method} ${path}${query === "" ? "" : `?${decode(query)}`}`.slice(0, 500);
  const who = `${describeCaller(caller)}${tenantId === undefined ? "" : `, tenant ${tenantId}`}`;
  const why = error === undefined ? "." : `${error.scimType === undefined ? "" : ` ${error.scimType}`}: ${error.detail}`;
  const left = ignored.length === 0 ? "" : ` Ignored, because not declared: ${ignored.join(", ")}.`;
  return `${what} of ${who}: ${status}${why}${left}`.slice(0, 2_000);
}

function describeCaller(caller: Principal | undefined): string {
  switch (caller?.kind) {
    case "client":
      return `client ${caller.entityId}`;
    case "apiKey":
      return `API key ${caller.keyId}`;
    case "lambda":
      return `lambda ${caller.lambdaId}`;
    case "user":
    case "administrator":
      return `user ${caller.userId}`;
    case "host":
    case undefined:
      return "the host";
    case "visitor":
      return "nobody";
  }
}

function decode(query: string): string {
  try {
    return decodeURIComponent(query.replaceAll("+", " "));
  } catch {
    return query;
  }
}
