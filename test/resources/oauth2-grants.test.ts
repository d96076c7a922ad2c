import { defaultApiEntityId } from "latchkey";
import type { GrantMethod } from "latchkey/types";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { allPermissions, apiScope, askToken, grantTo, refusalOf, startOffice } from "../support/clients.js";
import { grantPath } from "../support/grants.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid, type World } from "../support/world.js";

/** Calls with a key for these endpoints. */
async function callerWith(world: World, endpoints: Record<string, GrantMethod[]>): Promise<Caller> {
  await world.identity.apiKeys.create({ apiKey: { key: "narrow-key", permissions: { endpoints } } });
  return world.as("narrow-key");
}

forEachStorage((start) => {
  describe("a grant on the API", () => {
    requirement("client.grant-names", "names a call that a key of a tenant may make, and nothing else", async () => {
      const { world, client } = await startOffice(start);
      await grantTo(world, client, allPermissions);
      const path = `${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`;
      expect((await world.caller.get(path)).at("grant.permissions")).toEqual(allPermissions);
      expect(allPermissions).toContain("PATCH:/api/entity");
      expect(allPermissions).toContain("GET:/api/entity/type/permission");
      await grantTo(world, client, []);
      expect((await world.caller.get(path)).at("grant.permissions")).toEqual([]);
      for (const name of [
        "GET:/api/webhook",
        "POST:/api/entity/type/permission",
        "GET:/api/api-key",
        "GET:/.well-known/jwks.json",
        "POST:/oauth2/token",
        "GET:/api/grup",
        "PATCH:/api/group/member",
        "read",
        "GET",
      ]) {
        const grant = { recipientEntityId: client.id, permissions: ["GET:/api/group", name] };
        expectRefusal(await world.caller.post(grantPath(defaultApiEntityId), { grant }), 400, "[invalid]grant.permissions");
      }
    });

    requirement("client.grant", "belongs to the tenant of who holds it", async () => {
      const { world, client, foreign } = await startOffice(start);
      const path = grantPath(defaultApiEntityId);
      const [ours, theirs] = [await callerOfTenant(world, client.tenantId), await callerOfTenant(world, foreign.tenantId)];
      const grant = (recipientEntityId: string): object => ({ grant: { recipientEntityId, permissions: ["GET:/api/group"] } });
      expectEmpty(await theirs.post(path, grant(foreign.id)), 200);
      expectEmpty(await ours.post(path, grant(client.id)), 200);
      for (const [caller, stranger] of [
        [theirs, client],
        [ours, foreign],
      ] as const) {
        expectRefusal(await caller.put(path, grant(stranger.id)), 400, "[invalid]grant.recipientEntityId");
        expectEmpty(await caller.get(`${path}?recipientEntityId=${stranger.id}`), 404);
        expectEmpty(await caller.delete(`${path}?recipientEntityId=${stranger.id}`), 404);
      }
      expect((await theirs.get(path)).each("grants", "recipientEntityId")).toEqual([foreign.id]);
      expect((await theirs.get("/api/entity/grant/search?name=administrative*")).each("grants", "recipientEntityId")).toEqual([
        foreign.id,
      ]);
      expect((await world.caller.get(path)).each("grants", "recipientEntityId").sort()).toEqual([client.id, foreign.id].sort());
      // The entity itself stays where it is.
      expectEmpty(await theirs.get(`/api/entity/${defaultApiEntityId}`), 404);
      expectEmpty(await theirs.put(grantPath(client.id), grant(foreign.id)), 404);
      expectEmpty(await theirs.delete(`${path}?recipientEntityId=${foreign.id}`), 200);
      expect(refusalOf(await askToken(world, foreign, { scope: apiScope }))[2]).toBe("invalid_target_entity_scope");
    });

    requirement("client.grant", "goes with its tenant and with its client", async () => {
      const { world, client, foreign } = await startOffice(start);
      for (const one of [client, foreign]) await grantTo(world, one, ["GET:/api/group"]);
      await world.identity.tenants.remove({ tenantId: foreign.tenantId });
      const recipients = async (): Promise<unknown[]> =>
        (await world.caller.get(grantPath(defaultApiEntityId))).each("grants", "recipientEntityId");
      expect(await recipients()).toEqual([client.id]);
      expectEmpty(await world.caller.delete(`/api/entity/${client.id}`), 200);
      expect(await recipients()).toEqual([]);
    });

    requirement("client.grant-held", "cannot give what the own key does not hold", async () => {
      const { world, client } = await startOffice(start, {
        entityPermissions: { everything: ["GET:/api/group", "DELETE:/api/user"] },
      });
      const caller = await callerWith(world, { "/api/entity/grant": ["POST"], "/api/group": ["GET"] });
      const give = (permissions: readonly string[]): ReturnType<Caller["post"]> =>
        caller.post(grantPath(defaultApiEntityId), { grant: { recipientEntityId: client.id, permissions } });
      expectEmpty(await give(["GET:/api/group"]), 200);
      for (const name of ["DELETE:/api/group", "GET:/api/user", "everything"])
        expectRefusal(await give(["GET:/api/group", name]), 400, "[invalid]grant.permissions");
      const granted = await world.caller.get(`${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`);
      expect(granted.at("grant.permissions")).toEqual(["GET:/api/group"]);
    });

    requirement("client.grant-held", "does not follow a permission of the type that is renamed", async () => {
      const { world, client } = await startOffice(start);
      await grantTo(world, client, ["GET:/api/group"]);
      const typeId = (await world.caller.get(`/api/entity/${defaultApiEntityId}`)).textAt("entity.type.id");
      const path = `/api/entity/type/${typeId}/permission`;
      const made = expectOk(await world.caller.post(path, { permission: { name: "GET:/api/group" } }));
      expectOk(await world.caller.put(`${path}/${made.textAt("permission.id")}`, { permission: { name: "DELETE:/api/user" } }));
      const granted = await world.caller.get(`${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`);
      expect(granted.at("grant.permissions")).toEqual(["GET:/api/group"]);
    });

    requirement("client.secret-held", "keeps the secret of who holds it from a caller that may do less", async () => {
      const { world, client, foreign } = await startOffice(start);
      const path = `/api/entity/${client.id}`;
      const caller = await callerWith(world, { "/api/entity": ["GET", "PUT", "PATCH", "DELETE"], "/api/entity/search": ["GET"] });
      const seen = async (): Promise<readonly unknown[]> => {
        const one = expectOk(await caller.get(path)).at("entity.clientSecret");
        const all = expectOk(await caller.get("/api/entity/search")).at("entities") as Record<string, unknown>[];
        return [one, ...[client.id, foreign.id].map((id) => all.find((entity) => entity.id === id)?.clientSecret)];
      };
      expect(await seen()).toEqual([client.clientSecret, client.clientSecret, foreign.clientSecret]);
      await grantTo(world, client, ["GET:/api/entity"]);
      expect(await seen()).toEqual([client.clientSecret, client.clientSecret, foreign.clientSecret]);
      await grantTo(world, client, ["GET:/api/entity", "GET:/api/user"]);
      expect(await seen()).toEqual([undefined, undefined, foreign.clientSecret]);
      const copy = [{ op: "copy", from: "/entity/clientSecret", path: "/entity/data/x" }];
      expectEmpty(await caller.jsonPatch(path, copy), 401);
      expectEmpty(await caller.patch(path, { entity: { clientSecret: "known" } }), 401);
      expectEmpty(await caller.put(path, { entity: { name: "X", type: { id: uuid(1) }, clientSecret: "known" } }), 401);
      expectOk(await askToken(world, client));
      expect((await world.caller.get(path)).at("entity.clientSecret")).toBe(client.clientSecret);
      await grantTo(world, client, ["GET:/api/entity"]);
      expectOk(await caller.patch(path, { entity: { name: "Renamed" } }));
    });
  });
});
