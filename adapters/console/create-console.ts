import { IdentityError, type IdentityService } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
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
  const now = (): number => identity.clock();
  let built: Promise<BuiltFiles> | undefined;
  const read = (): Promise<BuiltFiles> => {
    built ??= readBuiltFiles();
    return built;
  };
  const links = new SetUpLinks(identity, options.tenantId);
  const find = toFinder(identity, options, now);
  const reader = identity.as(consoleReader);
  return {
    async handle(request) {
      const found = findMount(request, options.proxyPrefix);
      if (found === undefined) return notFound;
      const context = {
        identity,
        reader,
        mount: found.mount,
        now,
        links,
        findPerson: find,
      };
      return (
        (await answerCall(context, { ...request, path: found.path }, options)) ??
        answerFile(context, request, found.path, options, await read())
      );
    },
    issueSetUp: async ({ isStored = true } = {}) => (options.authorize === undefined ? links.issue(now(), isStored) : undefined),
  };
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

async function answerCall(
  context: SessionContext,
  request: ApiRequest,
  { authorize }: ConsoleOptions,
): Promise<ApiResponse | undefined> {
  const { method, path } = request;
  const isApi = path.startsWith("/api/");
  const key = `${method} ${path}`;
  const endpoint = sessionEndpoints[key] ?? pageEndpoints[key];
  if (!isApi && endpoint === undefined) return undefined;
  try {
    assertSameOrigin(request);
    if (isApi) return await handleApi(context, request);
    if (authorize !== undefined && method !== "GET" && key in sessionEndpoints)
      throw createError(404, "[notFound]", "The host signs its persons in.");
    return await endpoint?.(context, request);
  } catch (error) {
    if (error instanceof IdentityError) return writeError(error);
    throw error;
  }
}

function answerFile(
  { identity, mount }: SessionContext,
  request: ApiRequest,
  path: string,
  options: ConsoleOptions,
  { files, page }: BuiltFiles,
): ApiResponse | Promise<ApiResponse> {
  if (request.method !== "GET" && request.method !== "HEAD") return notAllowed;
  if (path === "/brand.css") return writeBrand(options);
  const file = files.get(path.slice(1));
  if (file !== undefined) return writeFile(file, request);
  if (path.startsWith("/assets/")) return notFound;
  const { publicUrl, tenantHeaderName: tenantHeader } = identity;
  const { random } = identity;
  return writePage({ template: page, mount, publicUrl, tenantHeader, options, random }, request);
}
