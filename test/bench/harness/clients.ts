import { type createIdentityService, defaultApiEntityId } from "latchkey";

type IdentityService = Awaited<ReturnType<typeof createIdentityService>>;

/** An entity that may read groups, and what it proves itself with. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scope to ask for. */
  readonly scope: string;
}

/** Makes a client whose tokens are signed with EdDSA. */
export const makeClient = async (identity: IdentityService): Promise<Client> => {
  const { key } = await identity.keys.generate({ key: { name: "bench", algorithm: "Ed25519" } });
  const jwtConfiguration = { enabled: true, accessTokenKeyId: key.id, timeToLiveInSeconds: 86_400 };
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "bench", jwtConfiguration } });
  const { entity } = await identity.entities.create({ entity: { name: "bench", type: { id: entityType.id } } });
  const grant = { recipientEntityId: entity.id, permissions: ["GET:/api/group"] };
  await identity.entityGrants.upsert({ entityId: defaultApiEntityId, grant });
  const { clientId, clientSecret = "" } = entity;
  return { clientId, clientSecret, scope: `target-entity:${defaultApiEntityId}:GET:/api/group` };
};

/** A token of a fresh client that may read groups. */
export const issueToken = async (identity: IdentityService): Promise<string> => {
  const { clientId, clientSecret, scope } = await makeClient(identity);
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope };
  return (await identity.oauth2.token(form)).access_token;
};

/** The value of an `Authorization` header with HTTP Basic. */
export const toBasic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
