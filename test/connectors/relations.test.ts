import { describe, expect } from "vitest";
import { type Answer, expectOk } from "../support/answer.js";
import { ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";
import {
  entryOf,
  genericId,
  ldapId,
  makeGeneric,
  makeLdap,
  policy,
  remotePassword,
  setPolicies,
  startConnected,
  startPasswords,
} from "./support/connectors.js";
import { startLdapServer } from "./support/ldap-server.js";

const email = "ann@example.com";
const userId = uuid(75);
const other = { application: uuid(503), group: uuid(505) };
const groupId = uuid(504);

/** A service with an application and a group, and both in another tenant too. */
async function startWithPlaces(start: Start): Promise<World> {
  const world = await startConnected(start);
  const tenants = [world.defaultTenantId, await makeTenant(world, "Other")];
  const roles = [{ name: "admin" }, { name: "reader", isDefault: true }];
  for (const [index, tenantId] of tenants.entries()) {
    const caller = await callerOfTenant(world, tenantId);
    const [applicationId, id] = index === 0 ? [ids.application, groupId] : [other.application, other.group];
    expectOk(await caller.post(`/api/application/${applicationId}`, { application: { name: "Shop", roles } }));
    expectOk(await caller.post(`/api/group/${id}`, { group: { name: "Staff" } }));
  }
  return world;
}

/** A service whose generic connector answers a user with what is given, which may change. */
async function startGeneric(start: Start, said: Record<string, unknown>, fields: object = {}): Promise<World> {
  const users = { [email]: said };
  Object.assign(said, { email, id: userId });
  const sink = await startPasswords(users);
  const world = await startWithPlaces(start);
  await makeGeneric(world, sink.url);
  await setPolicies(world, [policy(genericId, fields)], world.defaultTenantId);
  return world;
}

function logIn(world: World): Promise<Answer> {
  const body = { applicationId: ids.application, loginId: email, password: remotePassword };
  return world.as(`key-of-${world.defaultTenantId}`).post("/api/login", body);
}

interface Shown {
  readonly registrations: readonly { readonly applicationId: string; readonly roles: readonly string[] }[];
  readonly memberships: readonly { readonly groupId: string; readonly data: object }[];
}

async function show({ identity }: World): Promise<Shown> {
  const { user } = await identity.users.retrieve({ userId });
  return user as unknown as Shown;
}

async function errorsOf(world: World): Promise<readonly (string | undefined)[]> {
  const { eventLogs } = await world.identity.eventLogs.search({ search: { type: "Error" } });
  return eventLogs.map(({ message }) => message);
}

const registration = { applicationId: ids.application, roles: ["ADMIN"], data: { plan: "gold" } };
const membership = { groupId, data: { since: 2020 } };

forEachStorage((start) => {
  describe("the registrations and memberships of a connector's user", () => {
    for (const migrate of [false, true])
      requirement("connector.relations", `are stored with the first login, migrate: ${migrate}`, async () => {
        const world = await startGeneric(start, { registrations: [registration], memberships: [membership] }, { migrate });
        const answer = expectOk(await logIn(world));
        expect(answer.at("user.registrations")).toMatchObject([{ ...registration, roles: ["admin"], verified: true }]);
        expect(answer.at("user.memberships")).toMatchObject([membership]);
        for (const type of ["user.create", "user.registration.create", "group.member.add"])
          expect(await readEvents(world.storage, type), type).toHaveLength(1);
        expect(await errorsOf(world)).toEqual([]);
      });

    requirement("connector.relations", "follow each login, without events where nothing differs", async () => {
      const said: Record<string, unknown> = { registrations: [registration], memberships: [membership] };
      const world = await startGeneric(start, said);
      expectOk(await logIn(world));
      expectOk(await logIn(world));
      for (const type of ["user.update", "user.registration.update", "group.member.update"])
        expect(await readEvents(world.storage, type), type).toEqual([]);
      said.registrations = [{ applicationId: ids.application.toUpperCase(), roles: ["reader"] }];
      said.memberships = [{ groupId, data: { since: 2021 } }];
      expectOk(await logIn(world));
      // What is left out stays as it is.
      expect(await show(world)).toMatchObject({
        registrations: [{ roles: ["reader"], data: { plan: "gold" } }],
        memberships: [{ groupId, data: { since: 2021 } }],
      });
      delete said.registrations;
      said.memberships = [];
      expectOk(await logIn(world));
      const { registrations, memberships } = await show(world);
      expect([registrations.length, memberships.length]).toEqual([1, 1]);
      expect(await readEvents(world.storage, "user.registration.update")).toHaveLength(1);
      expect(await readEvents(world.storage, "group.member.update")).toHaveLength(1);
      expect(await readEvents(world.storage, "user.update")).toEqual([]);
    });

    requirement("connector.relations-foreign", "of another tenant, or unknown, are left out and noted", async () => {
      const said = {
        registrations: [{ ...registration, applicationId: other.application }, { applicationId: uuid(599) }, 7, registration],
        memberships: [{ groupId: other.group }, { groupId: "no id" }, membership, membership],
      };
      const world = await startGeneric(start, said);
      expectOk(await logIn(world));
      const { registrations, memberships } = await show(world);
      expect(registrations.map(({ applicationId }) => applicationId)).toEqual([ids.application]);
      expect(memberships.map((one) => one.groupId)).toEqual([groupId]);
      const [error = "", ...more] = await errorsOf(world);
      expect(more).toEqual([]);
      expect(error).toContain(`says of the user ${userId} what is not stored: `);
      for (const path of ["registrations[0]", "registrations[1]", "registrations[2]", "memberships[0]", "memberships[1]"])
        expect(error).toContain(path);
      expect(error).not.toContain("registrations[3]");
    });

    requirement("connector.relations-foreign", "gives no role that the application lacks, and lists are lists", async () => {
      const said = { registrations: [{ applicationId: ids.application, roles: ["owner"] }], memberships: { groupId } };
      const world = await startGeneric(start, said);
      expect((await logIn(world)).status).toBe(202);
      expect(await show(world)).toMatchObject({ registrations: [], memberships: [] });
      const [error] = await errorsOf(world);
      expect(error).toContain("[invalid]registration.roles");
      expect(error).toContain("memberships is no list");
    });

    requirement("connector.relations", "are what the lambda of a directory makes of them", async () => {
      const server = await startLdapServer({ entries: [entryOf("ann")] });
      const world = await startWithPlaces(start);
      const body = `function reconcile(user, userAttributes) {
        user.email = userAttributes.mail;
        user.registrations = user.registrations.filter((one) => one.applicationId !== "${ids.application}");
        user.registrations.push({ applicationId: "${ids.application}", roles: ["admin"] });
        if (user.memberships.length === 0) user.memberships.push({ groupId: "${groupId}" });
      }`;
      await makeLdap(world, server.url, {}, body);
      await setPolicies(world, [policy(ldapId)], world.defaultTenantId);
      for (const _time of [1, 2]) {
        const answer = expectOk(await logIn(world));
        expect(answer.at("user.registrations")).toMatchObject([{ applicationId: ids.application, roles: ["admin"] }]);
        expect(answer.at("user.memberships")).toMatchObject([{ groupId }]);
      }
      expect(await readEvents(world.storage, "user.registration.create")).toHaveLength(1);
      expect(await readEvents(world.storage, "user.registration.update")).toEqual([]);
      expect(await readEvents(world.storage, "group.member.add")).toHaveLength(1);
    });
  });
});
