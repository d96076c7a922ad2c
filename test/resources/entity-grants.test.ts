import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeEntity } from "../support/families/entities.js";
import { grantOn, grantPath, type Mall, startMall } from "../support/grants.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

/** What a recipient may do with the API, or undefined without a grant. */
async function heldBy({ caller, api }: Mall, recipient: string): Promise<unknown> {
  const answer = await caller.get(`${grantPath(api)}?${recipient}`);
  return answer.status === 404 ? undefined : expectOk(answer).at("grant.permissions");
}

forEachStorage((start) => {
  describe("granting", () => {
    requirement(["grant.upsert", "grant.find"], "makes a grant to an entity and to a user, and answers nothing", async () => {
      const mall = await startMall(start);
      const { caller, world, api, client, ann, typeId } = mall;
      const made = world.clock.instant;
      expectEmpty(await grantOn(mall, { recipientEntityId: client, permissions: ["read"], data: { a: [1] } }), 200);
      const later = world.clock.advance(1);
      expectEmpty(await caller.put(grantPath(api), { grant: { userId: ann.toUpperCase(), permissions: ["admin"] } }), 200);
      const { clientSecret, ...entity } = (await caller.get(`/api/entity/${api}`)).at("entity") as Record<string, unknown>;
      expect(entity).toMatchObject({ id: api, name: "API", type: { id: typeId } });
      const own = { id: expect.any(String), entity, insertInstant: made, lastUpdateInstant: made };
      const toClient = await caller.get(`${grantPath(api)}?recipientEntityId=${client}`);
      expect(expectOk(toClient).body).toEqual({
        grant: { ...own, data: { a: [1] }, permissions: ["read"], recipientEntityId: client },
      });
      const toAnn = await caller.get(`${grantPath(api)}?userId=${ann}`);
      const instants = { insertInstant: later, lastUpdateInstant: later };
      expect(expectOk(toAnn).body).toEqual({ grant: { ...own, ...instants, data: {}, permissions: ["admin"], userId: ann } });
      expect(toAnn.text).not.toContain(String(clientSecret));
      expect((await caller.get(grantPath(api))).body).toEqual({ grants: [toClient.at("grant"), toAnn.at("grant")] });
    });

    requirement("grant.upsert", "replaces what was granted to the same recipient before, by POST and by PUT", async () => {
      const mall = await startMall(start);
      const { caller, world, api, client, ann } = mall;
      const recipients: readonly Record<string, string>[] = [{ recipientEntityId: client }, { userId: ann }];
      for (const recipient of recipients) {
        const query = `${grantPath(api)}?${new URLSearchParams(recipient)}`;
        expectOk(await grantOn(mall, { ...recipient, permissions: ["read", "admin"], data: { a: 1 } }));
        const before = (await caller.get(query)).at("grant") as object;
        const lastUpdateInstant = world.clock.advance(1_000);
        const replaced = { ...before, lastUpdateInstant, permissions: ["Write"], data: {} };
        expectEmpty(await caller.put(grantPath(api), { grant: { ...recipient, permissions: ["Write"], id: uuid(1) } }), 200);
        expect((await caller.get(query)).at("grant")).toEqual(replaced);
        expectEmpty(await grantOn(mall, { ...recipient, permissions: [], entity: { id: client } }), 200);
        expect((await caller.get(query)).at("grant")).toEqual({ ...replaced, permissions: [] });
      }
      expect((await caller.get(grantPath(api))).at("grants")).toHaveLength(2);
    });

    requirement("grant.recipient", "needs one recipient, an entity or a user of the entity's tenant", async () => {
      const mall = await startMall(start);
      const { caller, api, client, ann, foreignClient, foreignUser } = mall;
      const [entity, user] = ["grant.recipientEntityId", "grant.userId"];
      expectRefusal(await grantOn(mall, { permissions: [] }), 400, `[missing]${entity}`, `[missing]${user}`);
      const both = await grantOn(mall, { recipientEntityId: client, userId: ann });
      expectRefusal(both, 400, `[invalid]${entity}`, `[invalid]${user}`);
      for (const recipientEntityId of [foreignClient, ann, uuid(99)])
        expectRefusal(await grantOn(mall, { recipientEntityId }), 400, `[invalid]${entity}`);
      for (const userId of [foreignUser, client, uuid(99)])
        expectRefusal(await grantOn(mall, { userId }), 400, `[invalid]${user}`);
      expectRefusal(await grantOn(mall, { userId: "x" }), 400, `[couldNotConvert]${user}`);
      for (const body of [undefined, {}, { grant: null }])
        expectRefusal(await caller.put(grantPath(api), body), 400, "[missing]grant");
      expectRefusal(await caller.put(grantPath(api), { grant: [] }), 400, "[invalidJSON]grant");
      expect((await caller.get(grantPath(api))).text).toBe('{"grants":[]}');
      // An entity may hold permissions on itself.
      expectOk(await grantOn(mall, { recipientEntityId: api }));
    });

    requirement("grant.permissions", "takes names in any case, keeps one of each, and refuses unknown ones", async () => {
      const mall = await startMall(start);
      const { client, ann } = mall;
      expectOk(await grantOn(mall, { userId: ann, permissions: ["WRITE", "read", "Write", "READ"] }));
      expect(await heldBy(mall, `userId=${ann}`)).toEqual(["Write", "read"]);
      const unknown = await grantOn(mall, { userId: ann, permissions: ["read", "fly"] });
      expectRefusal(unknown, 400, "[invalid]grant.permissions");
      const both = await grantOn(mall, { userId: uuid(99), permissions: ["fly"] });
      expectRefusal(both, 400, "[invalid]grant.permissions", "[invalid]grant.userId");
      const wrong = await grantOn(mall, { userId: ann, permissions: ["read", 7], data: [] });
      expectRefusal(wrong, 400, "[invalidJSON]grant.data", "[invalidJSON]grant.permissions[1]");
      expect(await heldBy(mall, `userId=${ann}`)).toEqual(["Write", "read"]);
      // The permissions are those of the target's type, not of the recipient's.
      const elsewhere = await mall.caller.post(grantPath(client), { grant: { userId: ann, permissions: ["read"] } });
      expectRefusal(elsewhere, 400, "[invalid]grant.permissions");
    });

    requirement("grant.defaults", "gives a new grant without permissions the default ones", async () => {
      const mall = await startMall(start);
      const { client, ann } = mall;
      expectOk(await grantOn(mall, { userId: ann }));
      expect(await heldBy(mall, `userId=${ann}`)).toEqual(["read"]);
      expectOk(await grantOn(mall, { recipientEntityId: client, permissions: [] }));
      expect(await heldBy(mall, `recipientEntityId=${client}`)).toEqual(["read"]);
      expectOk(await grantOn(mall, { userId: ann }));
      expect(await heldBy(mall, `userId=${ann}`)).toEqual([]);
    });

    requirement("grant.conditional", "keeps to If-Match, and stores nothing in a dry run", async () => {
      const mall = await startMall(start);
      const { caller, api, ann } = mall;
      const query = `${grantPath(api)}?userId=${ann}`;
      const grant = { userId: ann, permissions: ["admin"] };
      expectEmpty(await caller.put(`${grantPath(api)}?dryRun=true`, { grant }), 200);
      expectRefusal(await caller.put(grantPath(api), { grant }, { "if-match": "*" }), 412, "[preconditionFailed]");
      expectEmpty(await caller.get(query), 404);
      expectOk(await caller.put(grantPath(api), { grant }));
      const { etag } = await caller.get(query);
      expect((await caller.get(query, { "if-none-match": etag })).status).toBe(304);
      expectEmpty(await caller.put(`${grantPath(api)}?dryRun=true`, { grant: { ...grant, permissions: ["read"] } }), 200);
      expectEmpty(await caller.delete(`${query}&dryRun=true`), 200);
      expect(await heldBy(mall, `userId=${ann}`)).toEqual(["admin"]);
      expectEmpty(await caller.put(grantPath(api), { grant: { userId: ann, data: { a: 1 } } }, { "if-match": etag }), 200);
      expectRefusal(await caller.put(grantPath(api), { grant }, { "if-match": etag }), 412, "[preconditionFailed]");
      expectRefusal(await caller.delete(query, undefined, { "if-match": etag }), 412, "[preconditionFailed]");
    });
  });

  describe("finding and removing grants", () => {
    requirement(["grant.find", "grant.upsert", "grant.remove"], "are for entities that are there", async () => {
      const { caller, ann } = await startMall(start);
      const path = grantPath(uuid(99));
      for (const body of [{ grant: { userId: ann } }, {}, undefined]) {
        expectEmpty(await caller.post(path, body), 404);
        expectEmpty(await caller.put(path, body), 404);
      }
      for (const query of ["", `?userId=${ann}`]) expectEmpty(await caller.get(path + query), 404);
      expectEmpty(await caller.delete(`${path}?userId=${ann}`), 404);
      for (const method of ["GET", "POST", "PUT", "DELETE"])
        expectRefusal(await caller.send(method, "/api/entity/x/grant"), 400, "[couldNotConvert]entityId");
      expectEmpty(await caller.patch(path, { grant: { userId: ann } }), 405);
    });

    requirement("grant.find", "answers 404 for a recipient without a grant, and 400 for what is none", async () => {
      const { caller, api, client, ann } = await startMall(start);
      for (const query of [`userId=${ann}`, `recipientEntityId=${client}`, `userId=${client}`])
        expectEmpty(await caller.get(`${grantPath(api)}?${query}`), 404);
      expectRefusal(await caller.get(`${grantPath(api)}?userId=x`), 400, "[couldNotConvert]userId");
      const both = await caller.get(`${grantPath(api)}?userId=${ann}&recipientEntityId=${client}`);
      expectRefusal(both, 400, "[invalid]recipientEntityId", "[invalid]userId");
      expect((await caller.get(`${grantPath(api)}?userId=&recipientEntityId=`)).text).toBe('{"grants":[]}');
    });

    requirement("grant.remove", "removes the grant to the recipient that is named, and no other", async () => {
      const mall = await startMall(start);
      const { caller, api, client, ann } = mall;
      expectOk(await grantOn(mall, { userId: ann }));
      expectOk(await grantOn(mall, { recipientEntityId: client }));
      const path = grantPath(api);
      expectRefusal(await caller.delete(path), 400, "[missing]recipientEntityId", "[missing]userId");
      const both = await caller.delete(`${path}?userId=${ann}&recipientEntityId=${client}`);
      expectRefusal(both, 400, "[invalid]recipientEntityId", "[invalid]userId");
      expectRefusal(await caller.delete(`${path}?recipientEntityId=x`), 400, "[couldNotConvert]recipientEntityId");
      expectEmpty(await caller.delete(`${path}?userId=${ann}`), 200);
      expectEmpty(await caller.delete(`${path}?userId=${ann}`), 404);
      expect((await caller.get(path)).each("grants", "recipientEntityId")).toEqual([client]);
      expectEmpty(await caller.delete(`${path}?recipientEntityId=${client}`), 200);
      expect((await caller.get(path)).at("grants")).toEqual([]);
    });

    requirement(
      ["grant.cascade", "entity.delete"],
      "loses grants with their entity, their recipient and their user",
      async () => {
        const mall = await startMall(start);
        const { caller, world, api, client, ann, typeId } = mall;
        const another = await makeEntity(world, world.defaultTenantId, typeId, "Another API");
        for (const target of [api, another])
          for (const grant of [{ userId: ann }, { recipientEntityId: client }, { recipientEntityId: api }])
            expectOk(await caller.post(grantPath(target), { grant }));
        const left = async (): Promise<unknown> => (await caller.get("/api/entity/grant/search")).at("total");
        expect(await left()).toBe(6);
        expectEmpty(await caller.delete(`/api/user/${ann}`), 200);
        expect(await left()).toBe(6);
        expectEmpty(await caller.delete(`/api/user/${ann}?hardDelete=true`), 200);
        expect(await left()).toBe(4);
        expectEmpty(await caller.delete(`/api/entity/${client}`), 200);
        expect(await left()).toBe(2);
        expectEmpty(await caller.delete(`/api/entity/${api}`), 200);
        expect((await caller.get(grantPath(another))).text).toBe('{"grants":[]}');
        expect(await left()).toBe(0);
      },
    );
  });
});
