import { IdentityError } from "../../errors/identity-error.js";
import type { ApiKeyPrincipal } from "../../http/authenticate/principal.js";
import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest, ApiResponse } from "../../ports/transport.js";
import type { KickstartApiKey, KickstartDocument, KickstartRequest } from "./resolve-kickstart.js";

/** The service functions that a kickstart needs, all inside of one transaction. */
export interface KickstartRun {
  readonly logger: Logger;
  readonly tenantHeaderName: string;
  /** Creates an API key as the host, inside of that transaction. */
  readonly createApiKey: (input: object) => Promise<unknown>;
  /** Answers a request inside of that transaction; undefined for an unknown path or method. */
  readonly handle: (principal: ApiKeyPrincipal, request: ApiRequest) => Promise<ApiResponse | undefined>;
  readonly findPrincipal: (key: string) => Promise<ApiKeyPrincipal | undefined>;
}

/**
 * Creates the API keys and runs the requests of a kickstart, in order; keys that depend on the requests come last. Logs a refused
 * request and continues, as the reference does.
 * @throws Error without a key for the requests.
 */
export async function runKickstart(run: KickstartRun, document: KickstartDocument): Promise<void> {
  const { apiKeys, requests = [] } = document;
  const postponed: KickstartApiKey[] = [];
  for (const key of apiKeys ?? []) if (!(await isCreated(run, key))) postponed.push(key);
  const first = apiKeys?.[0];
  const principal = typeof first?.key === "string" ? await run.findPrincipal(first.key) : undefined;
  const isUnrestricted = principal?.grants === "all" && principal.tenantId === undefined && principal.tenantIds === undefined;
  if (principal === undefined || !isUnrestricted)
    throw new Error("A kickstart needs at least one API key, and the first must be global and unrestricted.");
  for (const entry of requests.entries()) await makeRequest(run, principal, entry);
  for (const key of postponed) await createKey(run, key);
}

// A key may refer to a tenant or an access list from a request of the same file.
async function isCreated(run: KickstartRun, key: KickstartApiKey): Promise<boolean> {
  if (key.tenantId === undefined && key.ipAccessControlListId === undefined) {
    await createKey(run, key);
    return true;
  }
  return createKey(run, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof IdentityError && error.status === 400) return false;
      throw error;
    },
  );
}

async function createKey(run: KickstartRun, apiKey: KickstartApiKey): Promise<void> {
  // A kickstart may repeat the bootstrap key of the options.
  if (typeof apiKey.key === "string" && (await run.findPrincipal(apiKey.key)) !== undefined) return;
  const { id, description, ...fields } = apiKey;
  const attributes: Record<string, string> = description === undefined ? {} : { description };
  const request = { apiKey: { ...(fields as object), metaData: { attributes } } };
  await run.createApiKey(id === undefined ? request : { ...request, keyId: id });
}

async function makeRequest(
  run: KickstartRun,
  principal: ApiKeyPrincipal,
  [index, request]: readonly [number, KickstartRequest | string],
): Promise<void> {
  try {
    if (typeof request === "string") throw new Error("A request is an object, or includes a file with one.");
    const status = await send(run, principal, request);
    if (status >= 400) throw new Error(`The answer was ${status}.`);
  } catch (error) {
    run.logger.error(
      { err: error, index, ...(typeof request === "object" && { method: request.method, url: request.url }) },
      "kickstart request failed",
    );
  }
}

async function send(run: KickstartRun, principal: ApiKeyPrincipal, request: KickstartRequest): Promise<number> {
  const { method, url, contentType = "application/json", tenantId, body } = request;
  const [path = "", query = ""] = url.split("?", 2);
  const tenantHeader = tenantId === undefined ? {} : { [run.tenantHeaderName.toLowerCase()]: tenantId };
  const response = await run.handle(principal, {
    method: method.toUpperCase(),
    path,
    query,
    headers: { ...tenantHeader, "content-type": contentType },
    ...(body !== undefined && { body: { kind: "parsed", value: body } }),
  });
  if (response === undefined) throw new Error("There is no such path and method.");
  return response.status;
}
