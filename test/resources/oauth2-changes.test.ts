// What the token endpoint keeps of a client must not outlive a change that this process made.
import { defaultApiEntityId } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { apiScope, askToken, type Client, grantTo, type Office, refusalOf, startOffice } from "../support/clients.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { grantPath } from "../support/grants.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start } from "../support/world.js";

/** An office whose client has just been given a token. */
async function startKnown(start: Start): Promise<Office> {
  const office = await startOffice(start);
  await grantTo(office.world, office.client, ["GET:/api/group"]);
  expectOk(await askToken(office.world, office.client, { scope: apiScope }));
  return office;
}

const reasonFor = async ({ world }: Office, client: Client): Promise<unknown> =>
  refusalOf(await askToken(world, client, { scope: apiScope }))[2];

forEachStorage((start) => {
  describe("a client that has just been given a token", () => {
    requirement("client.grant", "has no grant any more once it was removed", async () => {
      const office = await startKnown(start);
      const { world, client } = office;
      expectOk(await world.caller.get(`${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`));
      await world.caller.delete(`${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`);
      expect(await reasonFor(office, client)).toBe("invalid_target_entity_scope");
      await grantTo(world, client, ["GET:/api/user"]);
      const scope = `${apiScope}:GET:/api/group`;
      expect(refusalOf(await askToken(world, client, { scope }))[2]).toBe("invalid_entity_permission_scope");
      expectOk(await askToken(world, client, { scope: `${apiScope}:GET:/api/user` }));
    });

    requirement("oauth.scope-listed", "has no permission any more that its type has lost", async () => {
      const { world, client } = await startKnown(start);
      const typeId = await makeEntityType(world, "Thing", [{ name: "read" }]);
      const thing = await makeEntity(world, world.defaultTenantId, typeId, "Thing");
      await grantTo(world, client, ["read"], thing);
      const scope = `target-entity:${thing}:read`;
      expectOk(await askToken(world, client, { scope }));
      await world.caller.delete(`/api/entity/type/${typeId}/permission?name=read`);
      expect(refusalOf(await askToken(world, client, { scope }))[2]).toBe("invalid_entity_permission_scope");
    });

    requirement("oauth.client-alike", "does not pass with its former secret, nor once it is gone", async () => {
      const office = await startKnown(start);
      const { world, client } = office;
      const clientSecret = "another-secret-of-the-client";
      expectOk(await world.caller.patch(`/api/entity/${client.id}`, { entity: { clientSecret } }));
      expect(await reasonFor(office, client)).toBe("invalid_client_authentication");
      expectOk(await askToken(world, { ...client, clientSecret }, { scope: apiScope }));
      await world.caller.delete(`/api/entity/${client.id}`);
      expect(await reasonFor(office, { ...client, clientSecret })).toBe("invalid_client_authentication");
    });

    requirement("oauth.configuration", "has the lifetime that its type says from now on", async () => {
      const { world, client, typeId } = await startKnown(start);
      const jwtConfiguration = { enabled: true, timeToLiveInSeconds: 77 };
      expectOk(await world.caller.patch(`/api/entity/type/${typeId}`, { entityType: { jwtConfiguration } }));
      expect((await askToken(world, client, { scope: apiScope })).at("expires_in")).toBe(77);
    });

    requirement(
      "client.grant",
      "is seen inside of a transaction as the transaction leaves it, and after it as it was",
      async () => {
        const { world, client } = await startKnown(start);
        const { clientId: client_id, clientSecret: client_secret } = client;
        const form = { grant_type: "client_credentials", client_id, client_secret, scope: apiScope };
        const attempt = world.identity.transaction(async (tx) => {
          await tx.entityGrants.remove({ entityId: defaultApiEntityId, recipientEntityId: client.id });
          await tx.oauth2.token(form);
        });
        await expect(attempt).rejects.toMatchObject({ reason: "invalid_target_entity_scope" });
        expect((await world.identity.oauth2.token(form)).token_type).toBe("Bearer");
      },
    );
  });
});
