import { expectOk } from "./answer.js";
import type { Cause, Fields } from "./event-stage.js";
import { makeAction, takeAction } from "./families/user-actions.js";
import { arrangeLogin, ids } from "./logins.js";

const actOnUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const action = await makeAction(world, { preventLogin: false });
  await begin();
  const log = expectOk(await takeAction(world, action, ids.user)).at("action") as Fields;
  const told = { actionId: log.id, emailedUser: false, localizedDuration: "1 hour", notifyUser: false, phase: "start" };
  const users = { actioneeUserId: ids.user, actionerUserId: ids.user, applicationIds: [] };
  return { ...told, ...users, action: "Ban", expiry: log.expiry };
};

/** What causes the events of records about users. */
export const recordCauses: Readonly<Record<string, Cause>> = { "user.action": actOnUser };
