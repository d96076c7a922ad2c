import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const ids = [1, 2, 3].map(uuid);

async function arrange(world: World): Promise<World> {
  const users = ids.map((id, index) => ({
    id,
    email: `user${index}@example.com`,
    active: true,
    tenantId: world.defaultTenantId,
  }));
  expect((await world.caller.post("/api/user/import", { users })).status).toBe(200);
  return world;
}

const remove = ({ caller }: World, body: object, query = ""): Promise<Answer> => caller.delete(`/api/user/bulk${query}`, body);

const nothing = { bool: {} };

/** Queries that say nothing: what finds every user, or every user with an email, without being asked for everybody. */
const withoutCondition: readonly object[] = [
  nothing,
  ...["must", "filter", "should", "must_not"].flatMap((clause) => [{ bool: { [clause]: [] } }, { bool: { [clause]: null } }]),
  ...["must", "filter", "should"].map((clause) => ({ bool: { [clause]: [nothing] } })),
  { bool: { should: [nothing, { term: { active: true } }] } },
  { bool: { must_not: [{ terms: { email: [] } }] } },
  { bool: { must_not: [{ bool: { must_not: [nothing] } }] } },
  { nested: { path: "registrations", query: nothing } },
  { nested: { path: "registrations", query: { bool: { must: [nothing] } } } },
  ...["match", "prefix", "wildcard"].flatMap((kind) => ["", "  "].map((text) => ({ [kind]: { email: text } }))),
  { prefix: { email: { value: "" } } },
];

async function left({ storage }: World): Promise<readonly string[]> {
  return (await storage.find(globalScope, usersTable, undefined)).map(({ id }) => id);
}

forEachStorage(
  (start) => {
    requirement(
      "users.remove-many",
      "users are deactivated by ids, and by either query; who is inactive is not affected again",
      async () => {
        const world = await arrange(await start());
        const answer = expectOk(await remove(world, { userIds: [ids[1], uuid(99)] }));
        expect(answer.body).toEqual({ dryRun: false, hardDelete: false, total: 1, userIds: [ids[1]] });
        expect(expectOk(await world.caller.get(`/api/user/${ids[1]}`)).at("user.active")).toBe(false);
        const query = JSON.stringify({ match_all: {} });
        expect(expectOk(await remove(world, { query, limit: 1 })).at("userIds")).toEqual([ids[0]]);
        expect(expectOk(await remove(world, { queryString: "email:user*" })).at("userIds")).toEqual([ids[2]]);
        expect(expectOk(await remove(world, { query })).at("userIds")).toEqual([]);
        expect(await left(world)).toEqual(ids);
      },
    );

    requirement("users.remove-many", "ids come in the body or repeated in the query, and both must say the same", async () => {
      const world = await arrange(await start());
      const inQuery = `?userIds=${ids[0]}&userIds=${ids[1]}&hardDelete=true`;
      expectRefusal(await remove(world, { userIds: [ids[2]] }, inQuery), 400, "[doNotMatch]userIds");
      expectRefusal(await remove(world, { hardDelete: false }, inQuery), 400, "[doNotMatch]hardDelete");
      expect(expectOk(await world.caller.delete(`/api/user/bulk${inQuery}`)).body).toEqual({
        ...{ dryRun: false, hardDelete: true, total: 2 },
        userIds: ids.slice(0, 2),
      });
      expect(await left(world)).toEqual([ids[2]]);
    });

    requirement("users.remove-many", "a removal says who is meant", async () => {
      const world = await arrange(await start());
      const one = expectOk(await remove(world, {}, `?userId=${ids[2]}&userId=${uuid(99)}&dryRun=true`));
      expect(one.at("userIds")).toEqual([ids[2]]);
      expectRefusal(await remove(world, {}), 400, "[missing]userIds");
      expectRefusal(await remove(world, { query: "" }), 400, "[missing]query");
      expectRefusal(await remove(world, { queryString: "" }), 400, "[missing]queryString");
      expectRefusal(await remove(world, { query: "{" }), 400, "[invalid]query");
      expectRefusal(await remove(world, { userIds: ["no id"] }), 400, "[couldNotConvert]userIds[0]");
      expectRefusal(await remove(world, { userIds: ids, limit: 10_001 }), 400, "[invalid]limit");
      expect(expectOk(await remove(world, { userIds: [] })).at("total")).toBe(0);
      expect(await left(world)).toEqual(ids);
    });

    requirement("users.remove-many", "a query without a condition is meant for nobody", async () => {
      const world = await arrange(await start());
      const before = await left(world);
      for (const query of withoutCondition) {
        expectRefusal(await remove(world, { query: JSON.stringify(query), hardDelete: true }), 400, "[missing]query");
        const search = { query: JSON.stringify(query) };
        for (const path of ["search", "export"])
          expectRefusal(await world.caller.post(`/api/user/${path}`, { search }), 400, "[missing]query");
        const named = await world.caller.post("/api/user/search", { search: { ...search, ids: [ids[0]] } });
        expect(expectOk(named).at("total")).toBe(1);
      }
      for (const queryString of ['""', 'email:""', '"" OR active:true', 'email:" " ""'])
        expectRefusal(await remove(world, { queryString, hardDelete: true }), 400, "[missing]queryString");
      expect(await left(world)).toEqual(before);
      for (const query of [
        { match_all: {} },
        { wildcard: { email: "*" } },
        { bool: { must: [{ bool: {} }, { term: { active: true } }] } },
      ])
        expect(expectOk(await remove(world, { query: JSON.stringify(query), dryRun: true })).at("total")).toBe(before.length);
      expect(expectOk(await remove(world, { queryString: "*", hardDelete: true })).at("total")).toBe(before.length);
    });

    requirement("users.remove-many-events", "each user has the events of a single removal", async () => {
      const removals = /^(?:user\.de|user\.registration\.delete|group\.member\.remove|jwt)/;
      const eventsOf = async ({ storage }: World): Promise<readonly string[]> => {
        const events = (await readEvents(storage)).filter(({ type }) => removals.test(type));
        return events.map(({ type, linkedObjectId }) => `${type} ${type.startsWith("user.de") ? linkedObjectId : ""}`).toSorted();
      };
      for (const hardDelete of [true, false]) {
        const [single, many] = [await arrange(await start()), await arrange(await start())];
        for (const { caller, defaultTenantId, ...world } of [single, many]) {
          const applicationId = await makeApplication({ ...world, caller, defaultTenantId }, defaultTenantId, "Shop");
          const groupId = await makeGroup({ ...world, caller, defaultTenantId }, defaultTenantId, "Group");
          for (const id of ids) expectOk(await caller.post(`/api/user/registration/${id}`, { registration: { applicationId } }));
          expectOk(await caller.post("/api/group/member", { members: { [groupId]: [{ userId: ids[0] }] } }));
        }
        const [one, two] = ids;
        for (const id of [one, two])
          expect((await single.caller.delete(`/api/user/${id}?hardDelete=${hardDelete}`)).status).toBe(200);
        expectOk(await remove(many, { userIds: [one, two] }, `?hardDelete=${hardDelete}`));
        const events = await eventsOf(many);
        expect(events).toEqual(await eventsOf(single));
        expect(events.length).toBeGreaterThan(1);
      }
    });

    requirement("users.remove-many-scope", "users of another tenant stay", async () => {
      const world = await arrange(await start());
      const other = await makeTenant(world, "Other");
      const caller = world.caller.inTenant(other);
      const query = JSON.stringify({ match_all: {} });
      for (const body of [{ userIds: ids }, { query }, { queryString: `tenantId:${world.defaultTenantId}` }])
        expect(expectOk(await caller.delete("/api/user/bulk?hardDelete=true", body)).at("total")).toBe(0);
      expect(await left(world)).toEqual(ids);
    });

    requirement("users.remove-many-dry", "dryRun in the body or the query removes nobody", async () => {
      const world = await arrange(await start());
      for (const answer of [
        await remove(world, { userIds: ids, dryRun: true }),
        await remove(world, { userIds: ids }, "?dryRun=true"),
      ])
        expect(expectOk(answer).body).toEqual({ dryRun: true, hardDelete: false, total: 3, userIds: ids });
      expect(expectOk(await world.caller.get(`/api/user/${ids[0]}`)).at("user.active")).toBe(true);
    });

    requirement("users.remove-many", "thousands of users go in one call", async () => {
      const world = await start();
      const users = Array.from({ length: 2_100 }, (_, index) => ({ username: `user${index}` }));
      expect((await world.caller.post("/api/user/import", { users })).status).toBe(200);
      const { bulkUsers } = world.identity;
      expect((await bulkUsers.remove({ queryString: "username:user*", hardDelete: true })).total).toBe(2_100);
      expect(await left(world)).toEqual([]);
    });
  },
  isLong ? embeddedPostgres() : [],
);
