import { timingSafeEqual } from "node:crypto";
import { oauthError } from "../../errors/oauth-error.js";
import type { KnownClient } from "../../http/authenticate/principal.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import { globalScope } from "../../ports/storage.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Entity } from "../../records/entities/schema.js";
import { entityTypesTable } from "../../records/entity-types/family.js";
import type { EntityType } from "../../records/entity-types/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { throttled } from "../../sessions/throttle/throttle.js";
import { loadTenant } from "../../sessions/tokens/sign-token.js";
import { foldText } from "../../shared/text.js";
import { type ClientCredentials, secretsOf } from "../steps/read-client.js";

/** Authenticates a client as an entity. @throws OAuthError 401; IdentityError 429 after too many wrong secrets. */
export async function authenticateEntity(call: OperationCall, credentials: ClientCredentials): Promise<KnownClient> {
  // Invalid client ids are looked up, and counted, as the empty id.
  const id = clientIdShape.test(credentials.clientId) ? foldText(credentials.clientId) : "";
  const secrets = secretsOf(credentials);
  const read = (): Promise<KnownClient | undefined> => findClient(call, id, secrets);
  // Cached by id and secret: a wrong secret is looked up each time, like an unknown client.
  const attempt = (): Promise<KnownClient | undefined> =>
    isInsideHost(call) ? read() : call.service.clients.find([id, ...secrets].join(" "), read);
  const client = await throttled(call, { kind: "clientSecret", id }, attempt, (found) => found === undefined);
  if (client?.tenant.state !== "Active") throw oauthError("invalid_client_authentication");
  return client;
}

interface HiddenEntity {
  readonly secretDigest: string;
}

// An unknown client takes the same steps as a wrong secret.
const nobody = { hidden: JSON.stringify({ secretDigest: digestSecret("") }) };
const clientIdShape = /^[\x21-\x7e]{1,191}$/;

async function findClient(call: OperationCall, id: string, secrets: readonly string[]): Promise<KnownClient | undefined> {
  const ofClient = equalsFilter("clientIdFolded", id);
  const [stored] = await call.reader.find(globalScope, entitiesTable, ofClient, { limit: 1 });
  const expected = parseHidden<HiddenEntity>(stored ?? nobody)?.secretDigest ?? "";
  const isRight = secrets.some((secret) => timingSafeEqual(Buffer.from(expected), Buffer.from(digestSecret(secret))));
  return isRight && stored !== undefined ? toKnownClient(call, parseRecord<Entity>(stored)) : undefined;
}

// The lifetime and key come from the type of the client: a token has one client but may have many targets.
async function toKnownClient(call: OperationCall, { id, tenantId, type }: Entity): Promise<KnownClient> {
  const tenant = await loadTenant(call, tenantId);
  const stored = await call.reader.retrieve(globalScope, entityTypesTable, type.id);
  const configuration = stored && parseRecord<EntityType>(stored).jwtConfiguration;
  const own = configuration?.enabled === true ? configuration : undefined;
  const lifetimeSeconds = own?.timeToLiveInSeconds ?? tenant.jwtConfiguration.timeToLiveInSeconds;
  const populateLambdaId = tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId;
  const isScimClient = tenant.scimServerConfiguration?.clientEntityTypeId === type.id;
  const keyId = own?.accessTokenKeyId;
  return { entityId: id, tenant, lifetimeSeconds, keyId, isScimClient, populateLambdaId, audiences: new Map() };
}
