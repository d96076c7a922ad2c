import type { Principal } from "latchkey";
import type { ApiRequest, ApiResponse, ProtocolHost } from "latchkey/ports";
import type { OpenIdClient, OpenIdHost } from "latchkey/types";
import { type PresentedClient, toAuthorizationHeader } from "../http/client-authentication.js";
import type { RequestForm } from "../http/form.js";
import { writeOAuthError } from "../http/refusals.js";
import type { FoundRoute } from "../http/routes.js";
import { recordRefusal } from "./exchange/refusal-log.js";

interface EndpointRequest {
  readonly request: ApiRequest;
  readonly form: RequestForm;
  readonly client: PresentedClient;
  readonly principal: Principal | undefined;
}

const authenticated: ReadonlySet<string> = new Set([
  "device_authorization",
  "introspection",
  "pushed_authorization_request",
  "revocation",
  "token",
]);

/** The endpoints that the library does not handle: tokens of entities, wrong secrets, and the service's access tokens. */
export class TokenEndpoints {
  readonly #host: ProtocolHost;
  readonly #core: OpenIdHost;

  constructor(host: ProtocolHost, core: OpenIdHost) {
    this.#host = host;
    this.#core = core;
  }

  /** Returns the response to such a request; else the request for the library, with the client's secret re-encoded. */
  async answer(route: FoundRoute, given: EndpointRequest): Promise<ApiResponse | { readonly request: ApiRequest }> {
    const { client, request } = given;
    if (!authenticated.has(route.name) || request.method !== "POST") return { request };
    const known = client.clientId === undefined ? undefined : await this.#core.findClient(client.clientId);
    const secrets = [client.secret, client.writtenSecret].filter((secret) => secret !== undefined);
    const right = known === undefined || secrets.length === 0 ? undefined : await this.#core.findSecret(request, known, secrets);
    const headers = { ...request.headers, authorization: toAuthorizationHeader(known?.id ?? "", right ?? "") };
    const isBasic = right !== undefined && client.method === "client_secret_basic";
    const shown = isBasic ? { ...request, headers } : request;
    return (
      (await this.#answer(route, given, { known, isWrong: secrets.length > 0 && right === undefined })) ?? { request: shown }
    );
  }

  async #answer(
    route: FoundRoute,
    given: EndpointRequest,
    { isWrong, known }: { readonly known: OpenIdClient | undefined; readonly isWrong: boolean },
  ): Promise<ApiResponse | undefined> {
    const { client, form } = given;
    if (route.name === "token" && form.params.get("grant_type") === "client_credentials") return this.#serve(given, route.path);
    if (known !== undefined && isWrong) {
      await recordRefusal(this.#host, known, { path: route.path, reason: "invalid_client: the client secret is wrong" });
      return writeOAuthError(401, "invalid_client", "client authentication failed");
    }
    const token = form.params.get("token") ?? "";
    if (token.split(".").length !== 3) return undefined;
    // The core knows its tokens, and checks the client's authentication.
    if (route.name === "introspection") return this.#serve(given, route.path);
    if (route.name === "revocation") return this.#revoke(token, client, known?.id);
    return undefined;
  }

  #serve({ principal, request }: EndpointRequest, path: string): Promise<ApiResponse | undefined> {
    return this.#host.serve({ ...request, path }, principal);
  }

  // An unknown token counts as revoked (RFC 7009, 2.2).
  async #revoke(token: string, { secret }: PresentedClient, applicationId: string | undefined): Promise<ApiResponse> {
    const settings = applicationId === undefined ? undefined : (await this.#core.findClient(applicationId))?.settings;
    if (settings === undefined || (settings.clientAuthenticationPolicy === "Required" && secret === undefined))
      return writeOAuthError(401, "invalid_client", "client authentication failed");
    await this.#core.revokeAccess(token, applicationId ?? "");
    return { status: 200, headers: { "cache-control": "no-store" }, body: "" };
  }
}
