import { userActionReasonRequest } from "../../../src/records/user-action-reasons/schema.js";
import { userActionRequest } from "../../../src/records/user-actions/schema.js";
import { type Answer, expectOk } from "../answer.js";
import type { FamilyCase } from "../families.js";
import { arrangeLogin, ids } from "../logins.js";
import type { World } from "../world.js";

const shared = {
  takesId: true,
  hasGet: true,
  isKeptByDelete: false,
  texts: ["Secret1", "Two"],
  hasData: false,
  isGlobal: true,
} as const;

const userActions: FamilyCase = {
  ...shared,
  name: "userActions",
  request: userActionRequest,
  wrapper: "userAction",
  idParameter: "userActionId",
  deleteQuery: "?hardDelete=true",
  textField: ["name"],
  requiredFields: ["name"],
  arrange: async () => ({
    collection: "/api/user-action",
    url: (id) => `/api/user-action/${id}`,
    body: (number) => ({ userAction: { name: `Action ${number}`, options: [{ name: "One" }] } }),
  }),
};

const userActionReasons: FamilyCase = {
  ...shared,
  name: "userActionReasons",
  request: userActionReasonRequest,
  wrapper: "userActionReason",
  idParameter: "userActionReasonId",
  deleteQuery: "",
  textField: ["text"],
  requiredFields: ["code", "text"],
  arrange: async () => ({
    collection: "/api/user-action-reason",
    url: (id) => `/api/user-action-reason/${id}`,
    body: (number) => ({ userActionReason: { code: `R${number}`, text: `Reason ${number}` } }),
  }),
};

/** The families of actions, outside of tenants. */
export const userActionCases: readonly FamilyCase[] = [userActions, userActionReasons];

/** Makes a time-based action, by default one that prevents logins; returns its id. */
export async function makeAction(world: World, fields: object = {}): Promise<string> {
  const userAction = { name: "Ban", temporal: true, preventLogin: true, ...fields };
  return expectOk(await world.caller.post("/api/user-action", { userAction })).textAt("userAction.id");
}

/** Takes an action on a user, with that user as the actioner, for an hour. */
export function takeAction(world: World, userActionId: string, userId: string, fields: object = {}): Promise<Answer> {
  const { broadcast, ...action } = { broadcast: true, ...fields };
  const expiry = world.clock.instant + 3_600_000;
  const body = { action: { actioneeUserId: userId, actionerUserId: userId, expiry, userActionId, ...action }, broadcast };
  return world.caller.post("/api/user/action", body);
}

/** Takes such an action on the user of `arrangeLogin`; returns its id. */
export async function startBan(world: World, fields: object = {}): Promise<string> {
  await arrangeLogin(world);
  return expectOk(await takeAction(world, await makeAction(world), ids.user, fields)).textAt("action.id");
}
