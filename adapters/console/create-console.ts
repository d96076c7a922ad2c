import { IdentityError, type IdentityService } from "latchkey";
import { type ApiRequest, type ApiResponse, readRequestId } from "latchkey/ports";
import { handleApi } from "./api.js";
import { type BuiltFiles, findFolder, readBuiltFiles, writeFile } from "./built-files.js";
import { findMount } from "./mount.js";
import { assertConsoleOptions, type ConsoleOptions } from "./options.js";
import { notAllowed, notFound, writeBrand, writePage } from "./page.js";
import { type SetUp, SetUpLinks } from "./sign-in/administrators.js";
import { assertSameOrigin, createError, writeError } from "./sign-in/requests.js";
import { type ConsolePerson, findPerson, toPrincipal } from "./sign-in/session.js";
import { type SessionContext, sessionEndpoints } from "./sign-in/sign-in.js";
import { consoleReader } from "./sign-in/visitor.js";
import { previewTheme } from "./theme-preview.js";

/** Options of a link for the first administrator. */
export interface SetUpOptions {
  /**
   * Whether to store the link's digest, so that every process on the storage accepts it. Default true. Otherwise only this
   * process accepts it, and nothing is written before its use.
   */
  readonly isStored?: boolean;
}

/** Serves the requests below the mount point. */
export interface Console {
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>;
  /** Issues a link for the first administrator; undefined when one exists, or when the host authorizes administrators. */
  readonly issueSetUp: (options?: SetUpOptions) => Promise<SetUp | undefined>;
}

/**
 * The console of a service, for every framework. Reads no file and creates no record before the first request.
 * @throws TypeError when an option is wrong. Error when the built files are missing.
 */
export function createConsole(identity: IdentityService, options: ConsoleOptions): Console {
  assertConsoleOptions(identity, options);
  findFolder();
  const server = new ConsoleServer(identity, options);
  return {
    handle: (request) => server.handle(request),
    issueSetUp: (given) => server.issueSetUp(given),
  };
}

class ConsoleServer {
  readonly #identity: IdentityService;
  readonly #options: ConsoleOptions;
  readonly #shared: Omit<SessionContext, "mount">;
  #built: Promise<BuiltFiles> | undefined;

  constructor(identity: IdentityService, options: ConsoleOptions) {
    this.#identity = identity;
    this.#options = options;
    const now = (): number => identity.clock();
    const links = new SetUpLinks(identity, options.tenantId);
    this.#shared = { identity, reader: identity.as(consoleReader), now, links, findPerson: toFinder(identity, options, now) };
  }

  async handle(given: ApiRequest): Promise<ApiResponse> {
    const requestId = readRequestId(given) ?? Buffer.from(this.#identity.random(16)).toString("hex");
    const request = { ...given, requestId };
    const { headers, ...answer } = await this.#answer(request).catch((error: unknown) => this.#refuse(request, error));
    return { ...answer, headers: { ...headers, "x-request-id": requestId } };
  }

  async issueSetUp({ isStored = true }: SetUpOptions = {}): Promise<SetUp | undefined> {
    const { links, now } = this.#shared;
    return this.#options.authorize === undefined ? links.issue(now(), isStored) : undefined;
  }

  async #answer(request: ApiRequest): Promise<ApiResponse> {
    const found = findMount(request, this.#options.proxyPrefix);
    if (found === undefined) return notFound;
    const context = { ...this.#shared, mount: found.mount };
    const routed = { ...request, path: found.path };
    return (await this.#answerCall(context, routed)) ?? this.#answerFile(context, routed);
  }

  async #answerCall(context: SessionContext, request: ApiRequest): Promise<ApiResponse | undefined> {
    const { method, path } = request;
    const key = `${method} ${path}`;
    const endpoint = sessionEndpoints[key] ?? pageEndpoints[key] ?? (isApi(path) ? handleApi : undefined);
    if (endpoint === undefined) return undefined;
    assertSameOrigin(request);
    if (this.#options.authorize !== undefined && method !== "GET" && key in sessionEndpoints)
      throw createError(404, "[notFound]", "The host signs its persons in.");
    return endpoint(context, request);
  }

  async #answerFile({ mount }: SessionContext, request: ApiRequest): Promise<ApiResponse> {
    const { method, path } = request;
    if (method !== "GET" && method !== "HEAD") return notAllowed;
    if (path === "/brand.css") return writeBrand(this.#options);
    this.#built ??= readBuiltFiles();
    const { files, page } = await this.#built;
    const file = files.get(path.slice(1));
    if (file !== undefined) return writeFile(file, request);
    if (path.startsWith("/assets/")) return notFound;
    const { publicUrl, random, tenantHeaderName: tenantHeader } = this.#identity;
    return writePage({ template: page, mount, publicUrl, tenantHeader, options: this.#options, random }, request);
  }

  #refuse({ method, path: given, requestId }: ApiRequest, error: unknown): ApiResponse {
    const refusal =
      error instanceof IdentityError ? error : createError(500, "[internal]", "The server failed. Its log has the reason.");
    if (refusal.status < 500) return writeError(refusal);
    const err = refusal.cause ?? error;
    // A path of the API contains ids.
    const path = isApi(given) ? "/api/*" : given;
    this.#identity.logger.error({ err, method, path, requestId }, "console request failed");
    return writeError(refusal);
  }
}

function isApi(path: string): boolean {
  return path.startsWith("/api/");
}

function toFinder(identity: IdentityService, { authorize }: ConsoleOptions, now: () => number): SessionContext["findPerson"] {
  if (authorize === undefined) return (request) => findPerson(identity, request, now());
  return async (request): Promise<ConsolePerson | undefined> => {
    const person = await authorize(request);
    if (person === undefined) return undefined;
    const principal = toPrincipal(person.id, person.role, identity.endpoints);
    const { name, role } = person;
    return { principal, role, name, needsConfirmation: false, expirationInstant: now() + 3_600_000 };
  };
}

/** Endpoints besides the API and the session; also available when the host signs its administrators in. */
const pageEndpoints: typeof sessionEndpoints = { "POST /theme-preview": previewTheme };
