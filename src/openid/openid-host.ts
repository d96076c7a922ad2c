import type { OperationCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { Clock } from "../ports/runtime.js";
import { globalScope, tenantScope } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import { accessModel, idOfRecord, openIdRecordsTable } from "../records/openid-records.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { type OpenIdTenant, readTenant } from "../sessions/ending/read-tenant.js";
import { findLoginScope, type LoginScope } from "../sessions/subjects/token-subject.js";
import { throttled } from "../sessions/throttle/throttle.js";
import type { Ending } from "../sessions/validity/artifacts.js";
import { findEnding } from "../sessions/validity/check-artifact.js";
import { type OpenIdArtifact, toArtifact } from "../sessions/validity/openid-artifact.js";
import { foldText, parseUuid } from "../shared/text.js";
import { TtlCache } from "../shared/ttl-cache.js";
import { findSecretOf, type OpenIdClient, readClient } from "../sign-in/oauth2/application-client.js";
import { toOpenIdCall } from "./openid-call.js";
import { OpenIdUnit } from "./openid-unit.js";
import { revokeSessions } from "./revoke-sessions.js";
import { OpenIdTokens } from "./sign-tokens.js";
import { type OpenIdUser, toOpenIdUser } from "./user.js";

/** The user to find. */
export interface UserRequest {
  /** The tenant of the user. */
  readonly tenantId: string;
  /** The reads and writes of the current request. */
  readonly unit: OpenIdUnit;
  /** The id of the user. */
  readonly userId: string;
  /** The application of the login; undefined for none. */
  readonly applicationId: string | undefined;
  /** The session or token used on the user's behalf. Default: none, so that only the user is checked. */
  readonly artifact?: OpenIdArtifact | undefined;
}

const noProof: OpenIdArtifact = { kind: "browserSession", content: {} };

/** The core's part of the OpenID provider: tenants, clients and users, stored records and signed tokens. */
export class OpenIdHost {
  readonly #service: ServiceContext;
  readonly #clients: TtlCache<OpenIdClient>;
  readonly #tenants: TtlCache<OpenIdTenant>;
  readonly #scopes: TtlCache<LoginScope>;
  /** Signs tokens. */
  readonly tokens: OpenIdTokens;
  /** Returns the service's time, in epoch milliseconds. */
  readonly clock: Clock;

  constructor(service: ServiceContext) {
    this.#service = service;
    this.tokens = new OpenIdTokens(service);
    const { clock, monotonic } = service.runtime;
    this.clock = clock;
    this.#clients = new TtlCache(monotonic);
    this.#tenants = new TtlCache(monotonic);
    this.#scopes = new TtlCache(monotonic);
    this.whenChanged(() => {
      for (const cache of [this.#clients, this.#tenants, this.#scopes]) cache.invalidate();
    });
  }

  /** Calls back when tenants, applications or keys may have changed, in this process or another one. */
  whenChanged(listener: () => void): void {
    this.#service.whenKeysChange(listener);
  }

  /** Returns a tenant with its issuer and its keys for ID tokens; undefined for one that cannot log users in. */
  async findTenant(tenantId: string): Promise<OpenIdTenant | undefined> {
    return this.#tenants.find(tenantId, () => readTenant(this.#service, tenantId));
  }

  /** Returns an active application by its id; undefined for any other text. */
  async findClient(clientId: string): Promise<OpenIdClient | undefined> {
    const id = parseUuid(clientId);
    return id === undefined ? undefined : this.#clients.find(id, () => readClient(this.#service, id));
  }

  /**
   * Returns the first of these secrets that is the client's; undefined for none. Wrong secrets are throttled, by client and
   * source.
   * @throws IdentityError 423 or 429 after too many wrong secrets.
   */
  async findSecret(request: ApiRequest, client: OpenIdClient, secrets: readonly string[]): Promise<string | undefined> {
    return findSecretOf(toOpenIdCall(this.#service, client.tenantId, request), client, secrets);
  }

  /** Returns a user of a tenant with the claims; undefined if the user may not log in, or the artifact has ended. */
  async findUser(request: ApiRequest, asked: UserRequest): Promise<OpenIdUser | undefined> {
    if ((await this.findEnding(request, asked)) !== undefined) return undefined;
    const subject = await asked.unit.findSubject(request, asked);
    return subject && toOpenIdUser(toOpenIdCall(this.#service, asked.tenantId, request), subject);
  }

  /** Returns the reason that an artifact, or the user's right to log in, has ended; undefined while both are valid. */
  async findEnding(request: ApiRequest, { artifact = noProof, unit, ...asked }: UserRequest): Promise<Ending | undefined> {
    const subject = await unit.findSubject(request, asked);
    if (subject === undefined) return "removal";
    const { application, stored: user, tenant } = subject;
    return findEnding(toOpenIdCall(this.#service, asked.tenantId), toArtifact(artifact, asked), { application, tenant, user });
  }

  /** Returns the tenant of a record of the provider; undefined for an unknown record. */
  async findTenantOf(model: string, name: string): Promise<string | undefined> {
    const stored = await this.#service.storage.retrieve(globalScope, openIdRecordsTable, idOfRecord(model, name));
    return stored?.tenantId ?? undefined;
  }

  /** Ends the session of an application's access token. Ignores other texts. */
  async revokeAccess(token: string, applicationId: string): Promise<void> {
    const principal = await this.#service.verifyToken(token);
    if (principal?.kind !== "user" || principal.claims.client_id !== applicationId) return;
    const { claims, tenantId } = principal;
    const sessionId = String(claims.sid);
    await this.#service.storage.transaction(async (tx) => {
      const ofSession = equalsFilter("id", idOfRecord(accessModel, sessionId));
      await tx.remove(tenantScope(tenantId), openIdRecordsTable, ofSession);
      await revokeSessions(this.#service, tx, { tenantId, filter: equalsFilter("id", sessionId) });
      tx.afterCommit(this.#service.forgetKeys);
    });
  }

  /**
   * Runs a request with a device's user code. Unknown codes are throttled like second factors.
   * @throws IdentityError 423 or 429 after too many unknown codes.
   */
  async enterUserCode<T>(
    request: ApiRequest,
    { tenantId, userCode }: { readonly tenantId: string; readonly userCode: string },
    run: () => Promise<T>,
    isUnknown: (result: T) => boolean,
  ): Promise<T> {
    const id = `device ${tenantId} ${foldText(userCode.replace(/[^\p{L}\p{N}]/gu, ""))}`;
    return throttled(toOpenIdCall(this.#service, tenantId, request), { kind: "twoFactor", id }, run, isUnknown);
  }

  /** Starts the unit of work of one request. */
  begin(tenantId: string, request: ApiRequest): OpenIdUnit {
    const findScope: typeof findLoginScope = (call, ...place) => this.#findScope(call, ...place);
    return new OpenIdUnit(this.#service, { findScope, request, tenantId });
  }

  async #findScope(call: OperationCall, tenantId: string, applicationId: string | undefined): Promise<LoginScope> {
    const read = () => findLoginScope(call, tenantId, applicationId);
    return (await this.#scopes.find(`${tenantId} ${applicationId}`, read)) ?? read();
  }
}
