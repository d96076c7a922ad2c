import { IdentityError } from "../../errors/identity-error.js";
import { oauthError } from "../../errors/oauth-error.js";
import type { Audience, IssuingTenant, KnownClient } from "../../http/authenticate/principal.js";
import { noStoreHeaders, type OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import type { OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { entityGrantsTable } from "../../records/entity-grants/family.js";
import type { EntityGrant } from "../../records/entity-grants/schema.js";
import type { TokenResponse } from "../../records/oauth2/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { maxTokenLength } from "../../security/compact-jws.js";
import { bindingOf } from "../../sessions/subjects/presented-token.js";
import { type SignTokenOptions, signToken } from "../../sessions/tokens/sign-token.js";
import { parseUuid } from "../../shared/text.js";
import { populateClientToken } from "../issuing/populate-client-token.js";
import { getUserInfo } from "../issuing/user-info.js";
import { readClientCredentials, readForm } from "../steps/read-client.js";
import { recordUnusedOutput } from "../steps/user-lambdas.js";
import { authenticateEntity } from "./authenticate-entity.js";
import { introspectToken } from "./introspect.js";

const tokenHeader = { gty: ["client_credentials"] };
const scimTokenHeader = { ...tokenHeader, use: "scim_server" };
const tokenFields = ["grant_type", "client_id", "client_secret", "scope", "tenantId"];

/**
 * POST /oauth2/token: issues a token for an authenticated entity (RFC 6749, 4.4; docs/reference/oauth.md).
 * @throws OAuthError; `errors/oauth-error.ts` lists the reasons. IdentityError 423 or 429 after too many wrong secrets.
 */
async function issueToken(call: OperationCall): Promise<OperationResult> {
  call.service.availability.assertLicensed("entity");
  if (call.isDryRun) throw oauthError("dry_run");
  const form = readForm(call, tokenFields);
  if (form.grant_type === undefined) throw oauthError("missing_grant_type");
  if (form.grant_type !== "client_credentials") throw oauthError("invalid_grant_type");
  const client = await authenticateEntity(call, readClientCredentials(call, form));
  assertTenant(call, client.tenant, form.tenantId);
  const audience = await findAudience(call, client, form.scope ?? "");
  const cnf = await bindingOf(call).catch(refuseProof);
  const { entityId, isScimClient, keyId, lifetimeSeconds, tenant } = client;
  const header = isScimClient ? scimTokenHeader : tokenHeader;
  const claims = { ...audience, cnf, sub: entityId };
  const population = toPopulation(call, client, audience);
  const { token } = await signToken(call, { tenant, keyId, header, claims, lifetimeSeconds, population });
  // Every verifier would refuse a longer token.
  if (token.length > maxTokenLength) throw oauthError("invalid_target_entity_scope");
  const token_type = cnf === undefined ? "Bearer" : "DPoP";
  const { scope } = audience;
  return toAnswer({ access_token: token, expires_in: lifetimeSeconds, ...(scope !== undefined && { scope }), token_type });
}

// Without a lambda, does nothing.
function toPopulation(call: OperationCall, client: KnownClient, audience: Audience): SignTokenOptions["population"] {
  const { entityId, populateLambdaId: lambdaId, tenant } = client;
  if (lambdaId === undefined) return undefined;
  const options = { lambdaId, entityId, tenantId: tenant.id, audience };
  return {
    populate: (jwt) => populateClientToken(call, options, jwt),
    refuse: (message) =>
      recordUnusedOutput(call, { lambdaId, type: "ClientCredentialsJWTPopulate", tenantId: tenant.id }, message),
  };
}

function toAnswer(answer: TokenResponse): OperationResult {
  return { status: 200, json: toCanonicalJson(answer), headers: noStoreHeaders };
}

function refuseProof(error: unknown): never {
  if (!(error instanceof IdentityError) || error.status >= 500) throw error;
  throw oauthError(error.code.startsWith("[notLicensed]") ? "not_licensed" : "invalid_dpop_proof", { cause: error });
}

function assertTenant(call: OperationCall, tenant: IssuingTenant, named: string | undefined): void {
  const inHeader = call.scope.kind === "tenant" ? call.scope.tenantId : tenant.id;
  if (inHeader !== tenant.id || (named !== undefined && parseUuid(named) !== tenant.id)) throw oauthError("invalid_tenant_id");
}

interface Target {
  readonly entityId: string;
  /** Undefined for all granted permissions. */
  readonly permissions: readonly string[] | undefined;
}

const maxTargets = 100;
const scopeShape = /^target-entity:([^:]*)(?::(.*))?$/s;

function parseScope(scope: string): readonly Target[] {
  const targets = scope.split(" ").filter((one) => one !== "");
  if (targets.length > maxTargets) throw oauthError("invalid_target_entity_scope");
  return mergeTargets(
    targets.map((one) => {
      const [, id = "", list] = scopeShape.exec(one) ?? [];
      const entityId = parseUuid(id);
      if (entityId === undefined) throw oauthError("invalid_target_entity_scope");
      return { entityId, permissions: list === undefined ? undefined : list.split(",") };
    }),
  );
}

// A repeated target gets the permissions of both.
function mergeTargets(targets: readonly Target[]): readonly Target[] {
  const merged = new Map<string, Target["permissions"]>();
  for (const { entityId, permissions } of targets) {
    const before = merged.has(entityId) ? merged.get(entityId) : [];
    merged.set(entityId, before && permissions && [...new Set([...before, ...permissions])]);
  }
  return [...merged].map(([entityId, permissions]) => ({ entityId, permissions }));
}

function toScope({ entityId, permissions }: Target): string {
  return permissions === undefined ? `target-entity:${entityId}` : `target-entity:${entityId}:${permissions.join(",")}`;
}

const maxAudiences = 100;
const maxKeptScope = 1_000;

async function findAudience(call: OperationCall, client: KnownClient, scope: string): Promise<Audience> {
  const known = client.audiences.get(scope);
  if (known !== undefined) return known;
  const audience = await readAudience(call, client, parseScope(scope));
  if (client.audiences.size < maxAudiences && scope.length <= maxKeptScope) client.audiences.set(scope, audience);
  return audience;
}

// Grants are stored in the tenant of their recipient. A missing entity and a missing grant get the same response.
async function readAudience(call: OperationCall, client: KnownClient, targets: readonly Target[]): Promise<Audience> {
  const ids = targets.map(({ entityId }) => entityId);
  const [first, ...others] = ids;
  if (first === undefined) return {};
  const onTargets = { op: "in", column: "entityId", values: ids } as const;
  const filters = [equalsFilter("recipientEntityId", client.entityId), onTargets];
  const grants = await call.reader.find(tenantScope(client.tenant.id), entityGrantsTable, { op: "and", filters });
  const byEntity = new Map(grants.map((grant) => [parseHidden<{ entityId: string }>(grant)?.entityId ?? "", grant]));
  const permissions = targets.map((target) => {
    const grant = byEntity.get(target.entityId);
    if (grant === undefined) throw oauthError("invalid_target_entity_scope");
    return [target.entityId, choosePermissions(target, parseRecord<EntityGrant>(grant).permissions)] as const;
  });
  const aud = others.length === 0 ? first : ids;
  return { aud, permissions: Object.fromEntries(permissions), scope: targets.map(toScope).join(" ") };
}

function choosePermissions({ permissions }: Target, granted: readonly string[]): readonly string[] {
  if (permissions?.every((name) => granted.includes(name)) === false) throw oauthError("invalid_entity_permission_scope");
  return permissions ?? granted;
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  token: issueToken,
  introspect: introspectToken,
  userInfo: getUserInfo,
};
