/** A service with a SCIM server, and a tenant for each directory. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { IdentityService } from "latchkey";
import { nodeHandler } from "latchkey/node";
import { scimClientTypeId, scimPath, scimServerTypeId } from "latchkey/scim";

/** A listening server. */
export interface Listening {
  readonly url: string;
  close(): void;
}

/** Serves the API and SCIM on a free port of this machine. */
export async function listen(identity: IdentityService): Promise<Listening> {
  const server = createServer(nodeHandler(identity));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close().closeAllConnections() };
}

/** Makes a tenant for whose directory SCIM is turned on. */
export async function createTenant(identity: IdentityService, name: string): Promise<string> {
  const scimServerConfiguration = {
    enabled: true,
    clientEntityTypeId: scimClientTypeId,
    serverEntityTypeId: scimServerTypeId,
  };
  return (await identity.tenants.create({ tenant: { name, scimServerConfiguration } })).tenant.id;
}

/** Makes an API key of a tenant that reaches SCIM and nothing else, for directories that take a secret token. */
export async function createKey(identity: IdentityService, tenantId: string): Promise<string> {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
  const endpoints = { [`${scimPath}/Users`]: methods, [`${scimPath}/Groups`]: methods };
  const { apiKey } = await identity.apiKeys.create({
    apiKey: { name: `SCIM of ${tenantId}`, tenantId, permissions: { endpoints } },
  });
  return apiKey.key ?? "";
}

/** Makes a client that may do everything in SCIM, and returns a token of it, for directories that know client credentials. */
export async function createToken(identity: IdentityService, tenantId: string, url: string): Promise<string> {
  const options = { tenantId };
  const { entity: target } = await identity.entities.create(
    { entity: { name: "SCIM", type: { id: scimServerTypeId } } },
    options,
  );
  const { entity } = await identity.entities.create({ entity: { name: "Directory", type: { id: scimClientTypeId } } }, options);
  await identity.entityGrants.upsert({ entityId: target.id, grant: { recipientEntityId: entity.id } }, options);
  const response = await fetch(`${url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: `target-entity:${target.id}`,
      client_id: entity.clientId,
      client_secret: entity.clientSecret ?? "",
    }),
  });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}
