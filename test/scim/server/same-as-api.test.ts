// Every write is the operation of the API: the same events, audit entries and mails as the same change by the API.
import { scim } from "latchkey/scim";
import { describe, expect } from "vitest";
import type { Answer } from "../../support/answer.js";
import { startFlows } from "../../support/flows.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { readEvents, type Start, type World } from "../../support/world.js";
import { createUser, type Directory, enableScim, openDirectory, patchOf, startDirectory } from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";
import { readEntries, traceOf } from "../support/traces.js";

/** A change by SCIM and by the API. */
interface Step {
  readonly name: string;
  readonly scim: (call: Directory["call"], ids: Ids) => Promise<Answer>;
  readonly api: (caller: World["caller"], ids: Ids) => Promise<Answer>;
}

interface Ids {
  user: string;
  group: string;
  others: readonly string[];
}

const data = { scim: { externalId: "1", title: "Captain" } };
const ann = { username: "ann", email: "ann@example.com", firstName: "Ann", data };
const anna = { username: "anna", email: "ann@example.com", firstName: "Anna", data };
const resource = {
  userName: "ann",
  emails: [{ value: "ann@example.com", type: "work", primary: true }],
  name: { givenName: "Ann" },
  externalId: "1",
  title: "Captain",
};

const ofUser: readonly Step[] = [
  {
    name: "create",
    scim: (call) => call("POST", "/Users", { ...resource, password: "correct horse battery" }),
    api: (caller) => caller.post("/api/user", { user: { ...ann, password: "correct horse battery" } }),
  },
  {
    name: "put",
    scim: (call, { user }) => call("PUT", `/Users/${user}`, { ...resource, userName: "anna", name: { givenName: "Anna" } }),
    api: (caller, { user }) => caller.put(`/api/user/${user}`, { user: anna }),
  },
  {
    name: "change the email address by PATCH",
    scim: (call, { user }) =>
      call(
        "PATCH",
        `/Users/${user}`,
        patchOf({ op: "replace", path: 'emails[type eq "work"].value', value: "anna@example.com" }),
      ),
    api: (caller, { user }) => caller.put(`/api/user/${user}`, { user: { ...anna, email: "anna@example.com" } }),
  },
  {
    name: "change the password",
    scim: (call, { user }) =>
      call("PATCH", `/Users/${user}`, patchOf({ op: "replace", value: { password: "another horse battery" } })),
    api: (caller, { user }) =>
      caller.put(`/api/user/${user}`, { user: { ...anna, email: "anna@example.com", password: "another horse battery" } }),
  },
  {
    name: "deactivate",
    scim: (call, { user }) => call("PATCH", `/Users/${user}`, patchOf({ op: "Replace", path: "active", value: "False" })),
    api: (caller, { user }) => caller.delete(`/api/user/${user}`),
  },
  {
    name: "reactivate",
    scim: (call, { user }) => call("PATCH", `/Users/${user}`, patchOf({ op: "replace", value: { active: true } })),
    api: (caller, { user }) => caller.put(`/api/user/${user}?reactivate=true`),
  },
  {
    name: "change nothing",
    scim: (call, { user }) =>
      call("PATCH", `/Users/${user}`, patchOf({ op: "replace", value: { active: true, title: "Captain" } })),
    api: (caller, { user }) => caller.get(`/api/user/${user}`),
  },
];

const member = (group: string, ids: readonly string[]) => ({ members: { [group]: ids.map((userId) => ({ userId })) } });

const ofGroup: readonly Step[] = [
  {
    name: "create a group with members",
    scim: (call, { user, others }) =>
      call("POST", "/Groups", { displayName: "Staff", externalId: "g", members: [user, others[0]] }),
    api: async (caller, { user, others }) => {
      const answer = await caller.post("/api/group", { group: { name: "Staff", data: { scim: { externalId: "g" } } } });
      await caller.post("/api/group/member", member(answer.textAt("group.id"), [user, others[0] ?? ""]));
      return answer;
    },
  },
  {
    name: "rename",
    scim: (call, { group }) => call("PATCH", `/Groups/${group}`, patchOf({ op: "replace", value: { displayName: "Crew" } })),
    api: (caller, { group }) =>
      caller.put(`/api/group/${group}`, { group: { name: "Crew", data: { scim: { externalId: "g" } } } }),
  },
  {
    name: "add a member",
    scim: (call, { group, others }) =>
      call("PATCH", `/Groups/${group}`, patchOf({ op: "add", path: "members", value: [{ value: others[1] }] })),
    api: (caller, { group, others }) => caller.post("/api/group/member", member(group, [others[1] ?? ""])),
  },
  {
    name: "remove a member",
    scim: (call, { group, others }) =>
      call("PATCH", `/Groups/${group}`, patchOf({ op: "remove", path: `members[value eq "${others[0]}"]` })),
    api: (caller, { group, others }) => caller.delete("/api/group/member", { members: { [group]: [others[0]] } }),
  },
  {
    name: "put the members that are there and one more",
    scim: (call, { group, user, others }) =>
      call("PUT", `/Groups/${group}`, {
        displayName: "Crew",
        externalId: "g",
        members: [others[0], others[1], user].map((value) => ({ value })),
      }),
    api: (caller, { group, others }) => caller.post("/api/group/member", member(group, [others[0] ?? ""])),
  },
  {
    name: "remove a group",
    scim: (call, { group }) => call("DELETE", `/Groups/${group}`),
    api: (caller, { group }) => caller.delete(`/api/group/${group}`),
  },
  {
    name: "remove a user",
    scim: (call, { user }) => call("DELETE", `/Users/${user}`),
    api: (caller, { user }) => caller.delete(`/api/user/${user}?hardDelete=true`),
  },
];

const emailConfiguration = { verifyEmail: true, verifyEmailWhenChanged: true, implicitEmailVerificationAllowed: false };

async function startMailingDirectory(start: Start): Promise<Directory> {
  const { world } = await startFlows(start, { emailConfiguration }, { protocols: [scim()], auditChanges: true });
  await enableScim(world, world.defaultTenantId);
  return openDirectory(world, world.defaultTenantId);
}

/** Runs the steps one way in a service of its own, and returns what each leaves behind. */
async function tracesOf(start: Start, way: "scim" | "api"): Promise<readonly unknown[]> {
  const { call, world } = await startMailingDirectory(start);
  const ids: Ids = { user: "", group: "", others: [await createUser(call, "bob"), await createUser(call, "cid")] };
  const names = () =>
    new Map(Object.entries({ tenant: world.defaultTenantId, ...ids, ...ids.others }).map(([name, id]) => [id, name]));
  const nameOf = (id: string) => (id.startsWith("00000000-") ? id : names().get(id));
  const traces: unknown[] = [];
  for (const { name, ...ways } of [...ofUser, ...ofGroup]) {
    const trace = await traceOf(world, nameOf, async () => {
      const answer = way === "scim" ? await ways.scim(call, ids) : await ways.api(world.caller, ids);
      expect([name, answer.status < 300, answer.text]).toEqual([name, true, answer.text]);
      if (name === "create") ids.user = answer.textAt(way === "scim" ? "id" : "user.id");
      if (name.startsWith("create a group")) ids.group = answer.textAt(way === "scim" ? "id" : "group.id");
    });
    traces.push({ name, ...trace });
  }
  return traces;
}

forEachStorageInFull(isLong, (start) => {
  describe("a change by SCIM and the same by the API", () => {
    requirement("scim.writes", "have the same events, audit entries and mails", async () => {
      const [byScim, byApi] = [await tracesOf(start, "scim"), await tracesOf(start, "api")];
      expect(byScim).toEqual(byApi);
    });
  });

  requirement("scim.actor", "events and audit entries name the client", async () => {
    const { call, client, world } = await startDirectory(start, { auditChanges: true });
    await createUser(call, "ann");
    expect((await readEntries(world)).at(-1)?.insertUser).toContain(client.id);
    const [event] = await readEvents(world.storage, "user.create");
    expect(event?.actor).toEqual({ type: "client", id: client.id });
  });
});
