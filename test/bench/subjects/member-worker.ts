/**
 * Goals 27 to 29: 100,000 members of one group through the in-process API, against statements by hand in the same process, and the roles
 * that a user has by 50 groups. The users are the host's own, so that only memberships are measured.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createIdentityService } from "latchkey";
import type { Directory } from "latchkey/ports";
import { scim } from "latchkey/scim";
import { sqliteStorage } from "latchkey/sqlite";
import { apiKey } from "../harness/fixtures.ts";
import { settings } from "../harness/subject.ts";
import { type HandMember, openHandMembers } from "../yardsticks/members-table.ts";

/**
 * What is measured: members that are added to an empty group; PUT of the same, of a tenth of others, of others altogether; roles; one member by a
 * PATCH of SCIM, against the calls of group members.
 */
export type MemberWork =
  | "insert"
  | "identical"
  | "tenth"
  | "all"
  | "roles"
  | "identicalByDifference"
  | "tenthByDifference"
  | "scim";

export interface MemberJob {
  readonly work: MemberWork;
  readonly seconds: number;
}

/** What each side did per second, and for how long ours kept everybody else from being served, in milliseconds. */
export interface MemberReport {
  readonly ours: number;
  readonly base: number;
  readonly block: number;
}

const size = 100_000;
const groupCount = 50;

const applicationId = randomUUID();
const roles = Array.from({ length: groupCount }, (_, index) => ({ id: randomUUID(), name: `role ${index}` }));
let tenantId = "";
const directory: Directory = {
  findUsers: async (_context, ids) => ids.map((id) => ({ id, tenantId })),
  findApplications: async () => [{ id: applicationId, tenantId, name: "bench" }],
  findRoles: async () => roles.map((role) => ({ ...role, applicationId, tenantId })),
  findRegistrations: async (_context, ids) => ids.map((userId) => ({ userId, applicationId, roles: [] })),
};
const storage = sqliteStorage({ filename: join(settings.directory, "latchkey.db") });
const secret = "a-benchmark-secret-of-at-least-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey, directory, protocols: [scim()] });
const { group } = await identity.groups.create({ group: { name: "Everybody" } });
tenantId = group.tenantId;
const byHand = openHandMembers();

const newUsers = (count: number): readonly string[] => Array.from({ length: count }, () => randomUUID());
const users = newUsers(size);
const others = newUsers(size);
const tenth = [...others.slice(0, size / 10), ...users.slice(size / 10)];
const toHand = (userIds: readonly string[]): readonly HandMember[] => userIds.map((userId) => ({ id: randomUUID(), userId }));
const toOurs = (userIds: readonly string[]) => ({ members: { [group.id]: userIds.map((userId) => ({ userId })) } });

const seconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
};

/** For how long, at most, nothing else was served while `work` was done, in milliseconds. */
const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  longest = 0;
  await work();
  longest = Math.max(longest, performance.now() - last);
  clearInterval(timer);
  return longest;
};

type HandWork = "insert" | "replace" | "replaceByDifference";

/** What is done by hand, once all is at hand that it is done with. */
const prepareByHand = (work: HandWork, userIds: readonly string[]): (() => unknown) => {
  if (work === "replaceByDifference") return () => byHand.replaceByDifference(group.id, userIds);
  const members = toHand(userIds);
  return () => byHand[work](group.id, members);
};

const measure = async (wanted: readonly string[], from: readonly string[], work: HandWork): Promise<MemberReport> => {
  const write = work === "insert" ? "add" : "replace";
  await identity.groupMembers.replace(toOurs(from));
  byHand.replace(group.id, toHand(from));
  const input = toOurs(wanted);
  // The log of what was written for it is written back by then.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  let block = 0;
  const ours = await seconds(async () => {
    block = await longestBlock(() => identity.groupMembers[write](input));
  });
  const base = await seconds(prepareByHand(work, wanted));
  return { ours: 1 / ours, base: 1 / base, block };
};

const addRoles = async (userId: string): Promise<void> => {
  for (const { id, name } of roles) {
    const made = await identity.groups.create({ group: { name }, roleIds: [id] });
    await identity.groupMembers.add({ members: { [made.group.id]: [{ userId }] } });
    byHand.insert(made.group.id, toHand([userId]));
    byHand.addRole(made.group.id, name);
  }
};

let reader: string | undefined;
const measureRoles = async (duration: number): Promise<MemberReport> => {
  if (reader === undefined) {
    reader = randomUUID();
    await addRoles(reader);
  }
  const userId = reader;
  const find = { ours: () => identity.effectiveRoles({ userId, applicationId }), base: () => byHand.rolesOf(userId) };
  const sides = ["ours", "base"] as const;
  for (const side of sides) if ((await find[side]()).length !== groupCount) throw new Error(`${side} found other roles`);
  const rate = { ours: 0, base: 0 };
  for (const side of sides) {
    let count = 0;
    const end = performance.now() + duration * 500;
    for (; performance.now() < end; count++) await find[side]();
    rate[side] = (count * 1_000) / (duration * 500);
  }
  return { ...rate, block: 0 };
};

const send = async (method: string, url: string, body: object): Promise<void> => {
  const { status } = await identity.inject({ method, url, headers: { authorization: apiKey }, body });
  if (status !== 200 && status !== 204) throw new Error(`${method} ${url} answered ${status}`);
};

const patchMember = (op: object): Promise<void> => {
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
  return send("PATCH", `/api/scim/resource/v2/Groups/${group.id}`, { schemas, Operations: [op] });
};

/** A member comes and goes, by either API. */
const comeAndGo = {
  ours: async (userId: string): Promise<void> => {
    await patchMember({ op: "add", path: "members", value: [{ value: userId }] });
    await patchMember({ op: "remove", path: `members[value eq "${userId}"]` });
  },
  base: async (userId: string): Promise<void> => {
    await send("POST", "/api/group/member", { members: { [group.id]: [{ userId }] } });
    await send("DELETE", "/api/group/member", { members: { [group.id]: [userId] } });
  },
};

const measureScim = async (duration: number): Promise<MemberReport> => {
  const patch = { tenant: { scimServerConfiguration: { enabled: true } } };
  await identity.tenants.patch({ tenantId, mode: "merge", patch });
  await identity.groupMembers.replace(toOurs(users));
  const rate = { ours: 0, base: 0 };
  for (const side of ["ours", "base"] as const) {
    let count = 0;
    const end = performance.now() + duration * 500;
    for (; performance.now() < end; count++) await comeAndGo[side](others[count % size] ?? "");
    rate[side] = (count * 1_000) / (duration * 500);
  }
  return { ...rate, block: 0 };
};

const runs: Readonly<Record<MemberWork, (duration: number) => Promise<MemberReport>>> = {
  insert: () => measure(users, [], "insert"),
  identical: () => measure(users, users, "replace"),
  identicalByDifference: () => measure(users, users, "replaceByDifference"),
  tenth: () => measure(tenth, users, "replace"),
  tenthByDifference: () => measure(tenth, users, "replaceByDifference"),
  all: () => measure(others, users, "replace"),
  roles: measureRoles,
  scim: measureScim,
};

process.on("message", async ({ work, seconds: duration }: MemberJob) => process.send?.(await runs[work](duration)));
