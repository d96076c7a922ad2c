import { SignJWT } from "jose";
import { defaultApiEntityId, IdentityError } from "latchkey";
import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { allPermissions, apiScope, askToken, callerWithToken, grantTo, startOffice } from "../support/clients.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { grantPath } from "../support/grants.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const bearer = (token: string): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${token}` });

forEachStorage((start) => {
  describe("a client with a token", () => {
    requirement("client.call", "calls what its permissions name, and nothing else", async () => {
      const { world, client } = await startOffice(start);
      await grantTo(world, client, ["get:/API/group", "POST:/api/group", "GET:/api/user"]);
      const caller = await callerWithToken(world, client);
      const { id } = expectOk(await caller.post("/api/group", { group: { name: "Made" } })).at("group") as { id: string };
      expectOk(await caller.get(`/api/group/${id}`));
      expectOk(await caller.get("/api/group"));
      for (const scheme of ["bearer", "JWT"]) {
        const token = expectOk(await askToken(world, client, { scope: apiScope })).textAt("access_token");
        expectOk(await new Caller(world.identity, { Authorization: `${scheme} ${token}` }).get("/api/group"));
      }
      for (const answer of [
        await caller.put(`/api/group/${id}`, { group: { name: "Changed" } }),
        await caller.delete(`/api/group/${id}`),
        await caller.get("/api/group/search"),
        await caller.get("/api/application"),
      ])
        expectEmpty(answer, 401);
      const narrow = await callerWithToken(world, client, `${apiScope}:GET:/api/group`);
      expectOk(await narrow.get("/api/group"));
      expectEmpty(await narrow.post("/api/group", { group: { name: "Other" } }), 401);
    });

    requirement("client.refused", "calls nothing with a token for another target, an expired one or a forged one", async () => {
      const { world, client } = await startOffice(start);
      const typeId = await makeEntityType(world, "Target", [{ name: "GET:/api/group" }]);
      const target = await makeEntity(world, world.defaultTenantId, typeId, "Target");
      await grantTo(world, client, ["GET:/api/group"]);
      await grantTo(world, client, ["GET:/api/group"], target);
      expectEmpty(await (await callerWithToken(world, client, `target-entity:${target}`)).get("/api/group"), 401);
      expectEmpty(await (await callerWithToken(world, client, "")).get("/api/group"), 401);
      const both = await callerWithToken(world, client, `target-entity:${target} ${apiScope}`);
      expectOk(await both.get("/api/group"));
      const permissions = { [defaultApiEntityId]: ["GET:/api/group"] };
      const forged = await new SignJWT({ permissions, tid: world.defaultTenantId })
        .setProtectedHeader({ alg: "HS256", gty: ["client_credentials"], kid: "x" } as never)
        .setAudience(defaultApiEntityId)
        .setSubject(client.id)
        .setExpirationTime("1h")
        .sign(Buffer.alloc(32));
      expectEmpty(await new Caller(world.identity, bearer(forged)).get("/api/group"), 401);
      world.clock.advance(3_599_999);
      expectOk(await both.get("/api/group"));
      world.clock.advance(1);
      expectEmpty(await both.get("/api/group"), 401);
    });

    requirement("client.tenant", "is bound to the tenant of its entity", async () => {
      const { world, client, foreign } = await startOffice(start);
      for (const one of [client, foreign]) await grantTo(world, one, ["GET:/api/group", "POST:/api/group"]);
      const { id } = expectOk(await world.caller.inTenant(client.tenantId).post("/api/group", { group: { name: "Ours" } })).at(
        "group",
      ) as { id: string };
      const [own, other] = [await callerWithToken(world, client), await callerWithToken(world, foreign)];
      expectOk(await own.get(`/api/group/${id}`));
      expectEmpty(await other.get(`/api/group/${id}`), 404);
      expect((await other.get("/api/group")).text).toBe('{"groups":[]}');
      expectOk(await other.inTenant(foreign.tenantId).get("/api/group"));
      expectEmpty(await other.inTenant(client.tenantId).get("/api/group"), 401);
      const made = expectOk(await other.post("/api/group", { group: { name: "Theirs", tenantId: client.tenantId } }));
      expect(made.at("group.tenantId")).toBe(foreign.tenantId);
    });

    requirement("client.tenant", "with every permission there is calls what a key of its tenant may, and no more", async () => {
      const { world, foreign } = await startOffice(start);
      await grantTo(world, foreign, allPermissions);
      const caller = await callerWithToken(world, foreign);
      const key = await callerOfTenant(world, foreign.tenantId);
      for (const { method, path, access } of routes) {
        if (access === "public" || access === "token" || access === "keyManager") continue;
        const send = (who: Caller): Promise<{ readonly status: number; readonly text: string }> =>
          who.send(method, path.replaceAll(/:\w+/g, uuid(1)), method === "GET" ? undefined : {});
        const [byClient, byKey] = [await send(caller), await send(key)];
        expect([method, path, byClient.status]).toEqual([method, path, byKey.status]);
        if (access === "global") expect(byClient.status).toBe(401);
      }
      expectEmpty(await caller.get("/api/api-key"), 401);
      expectEmpty(await caller.post("/api/api-key", { apiKey: {} }), 401);
    });

    requirement("client.own-names", "calls what the host's own names stand for", async () => {
      const entityPermissions = { "groups:read": ["GET:/api/group", "GET:/api/group/search"], nothing: [] };
      const { world, client } = await startOffice(start, { entityPermissions });
      await grantTo(world, client, ["GROUPS:read", "nothing"]);
      const { entity: _entity, ...grant } = (
        await world.caller.get(`${grantPath(defaultApiEntityId)}?recipientEntityId=${client.id}`)
      ).at("grant") as Record<string, unknown>;
      expect(grant.permissions).toEqual(["groups:read", "nothing"]);
      const caller = await callerWithToken(world, client, `${apiScope}:groups:read`);
      expectOk(await caller.get("/api/group"));
      expectOk(await caller.get("/api/group/search"));
      expectEmpty(await caller.post("/api/group", { group: { name: "G" } }), 401);
      expectEmpty(await (await callerWithToken(world, client, `${apiScope}:nothing`)).get("/api/group"), 401);
    });

    requirement(
      "client.own-names",
      "cannot be given names that no scope can carry, or calls that no client may make",
      async () => {
        const wrong: readonly Readonly<Record<string, readonly string[]>>[] = [
          { "a b": [] },
          { "a,b": [] },
          { "": [] },
          { "GET:/api/group": ["GET:/api/user"] },
          { webhooks: ["GET:/api/webhook"] },
          { keys: ["GET:/api/api-key"] },
          { "api-key": ["GET:/api/grup"] },
          { lower: ["get:/api/group"] },
        ];
        for (const entityPermissions of wrong) await expect(start({ entityPermissions })).rejects.toThrow(/^entityPermissions/);
      },
    );

    requirement("client.in-process", "calls in process with the same rights", async () => {
      const { world, client, foreign } = await startOffice(start);
      const { identity } = world;
      await grantTo(world, foreign, ["GET:/api/group", "POST:/api/group"]);
      const { access_token } = await identity.oauth2.token({
        grant_type: "client_credentials",
        client_id: foreign.clientId,
        client_secret: foreign.clientSecret,
        scope: apiScope,
      });
      const principal = await identity.verifyToken(access_token);
      expect(principal).toMatchObject({ kind: "client", entityId: foreign.id, tenantId: foreign.tenantId });
      if (principal === undefined) return;
      const { group } = await identity.as(principal).groups.create({ group: { name: "Theirs" } });
      expect(group.tenantId).toBe(foreign.tenantId);
      for (const refused of [
        identity.as(principal).groups.remove({ groupId: group.id }),
        identity.as(principal).webhooks.list(),
        identity.as(principal).apiKeys.create({}),
        identity.as(principal).groups.list({}, { tenantId: client.tenantId }),
      ])
        await expect(refused).rejects.toMatchObject({ status: 401 });
      expect(await identity.verifyToken("x")).toBeUndefined();
      await expect(identity.as(principal).groups.remove({ groupId: group.id })).rejects.toBeInstanceOf(IdentityError);
    });
  });
});
