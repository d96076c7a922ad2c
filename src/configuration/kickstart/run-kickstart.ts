import { IdentityError } from "../../errors/identity-error.js";
import type { ApiKeyPrincipal } from "../../http/authenticate/principal.js";
import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest, ApiResponse } from "../../ports/transport.js";
import type { KickstartApiKey, KickstartDocument, KickstartRequest } from "./resolve-kickstart.js";

/** What the run of a kickstart needs: the service, and the one transaction that all of it happens in. */
export interface KickstartRun {
  readonly logger: Logger;
  /** The header that names a tenant. */
  readonly tenantHeaderName: string;
  /** Makes an API key as the host does, inside of that transaction. */
  readonly createApiKey: (input: object) => Promise<unknown>;
  /** Answers a request inside of that transaction; undefined where there is no such path and method. */
  readonly handle: (principal: ApiKeyPrincipal, request: ApiRequest) => Promise<ApiResponse | undefined>;
  readonly findPrincipal: (key: string) => Promise<ApiKeyPrincipal | undefined>;
}

/**
 * Makes the API keys and the requests of a kickstart, in their order; keys of what the requests make come last. A request that is refused is logged and the rest goes
 * on, as with the reference.
 * @throws Error when there is no key that could make the requests.
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
  for (const [index, request] of requests.entries()) await makeRequest(run, principal, request, index);
  for (const key of postponed) await createKey(run, key);
}

// A key may name a tenant or an access list that a request of the same file makes.
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
  // The bootstrap key of the options is there already; a kickstart that names it too means the same key.
  if (typeof apiKey.key === "string" && (await run.findPrincipal(apiKey.key)) !== undefined) return;
  const { id, description, ...fields } = apiKey;
  const attributes: Record<string, string> = description === undefined ? {} : { description };
  const request = { apiKey: { ...(fields as object), metaData: { attributes } } };
  await run.createApiKey(id === undefined ? request : { ...request, keyId: id });
}

async function makeRequest(
  run: KickstartRun,
  principal: ApiKeyPrincipal,
  request: KickstartRequest | string,
  index: number,
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
