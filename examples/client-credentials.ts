/** A machine that calls the API with a token of its own instead of an API key: the grant `client_credentials` of OAuth 2. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService, defaultApiEntityId } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";

/** A listening service with a client that may read groups, and nothing else. */
export async function startServer(): Promise<{
  readonly server: Server;
  readonly clientId: string;
  readonly clientSecret: string;
}> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  await identity.groups.create({ group: { name: "Editors" } });

  // A client is an entity; what it may call is granted on the entity that stands for this API.
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "Service" } });
  const { entity } = await identity.entities.create({ entity: { name: "Nightly report", type: { id: entityType.id } } });
  const grant = { recipientEntityId: entity.id, permissions: ["GET:/api/group"] };
  await identity.entityGrants.upsert({ entityId: defaultApiEntityId, grant });

  const server = createServer(nodeHandler(identity));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, clientId: entity.clientId, clientSecret: entity.clientSecret ?? "" };
}

/** A token for the API, as any OAuth client asks for one. */
export async function askToken(origin: string, clientId: string, clientSecret: string, scope: string): Promise<string> {
  const response = await fetch(`${origin}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope }),
  });
  const answer = (await response.json()) as { readonly access_token?: string; readonly error_description?: string };
  if (answer.access_token === undefined) throw new Error(answer.error_description);
  return answer.access_token;
}

if (import.meta.main) {
  const { server, clientId, clientSecret } = await startServer();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = await askToken(origin, clientId, clientSecret, `target-entity:${defaultApiEntityId}:GET:/api/group`);

  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/group`, { headers });
  const { groups } = (await response.json()) as { readonly groups: readonly { readonly name: string }[] };
  console.log(response.status, groups[0]?.name); // 200 Editors
  console.log((await fetch(`${origin}/api/user/search`, { headers })).status); // 401
  server.close();
}
