import { expectOk } from "./answer.js";
import type { Cause, Fields } from "./event-stage.js";
import { makeAction, takeAction } from "./families/user-actions.js";
import { arrangeLogin, ids } from "./logins.js";
import { uuid, type World } from "./world.js";

const actOnUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const action = await makeAction(world, { preventLogin: false });
  await begin();
  const log = expectOk(await takeAction(world, action, ids.user)).at("action") as Fields;
  const told = { actionId: log.id, emailedUser: false, localizedDuration: "1 hour", notifyUser: false, phase: "start" };
  const users = { actioneeUserId: ids.user, actionerUserId: ids.user, applicationIds: [] };
  return { ...told, ...users, action: "Ban", expiry: log.expiry };
};

const account = { identityProviderId: uuid(950), identityProviderUserId: "ann-at-google", userId: ids.user };

/** Links the user; what the event says of it, without the token. */
async function link({ caller }: World): Promise<Fields> {
  const body = { identityProviderLink: { ...account, token: "secret" } };
  const made = expectOk(await caller.post("/api/identity-provider/link", body)).at("identityProviderLink") as Fields;
  const { token: _secret, ...identityProviderLink } = made;
  return { identityProviderLink, user: expectOk(await caller.get(`/api/user/${ids.user}`)).at("user") };
}

const linkUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  return link(world);
};

const unlinkUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const told = await link(world);
  await begin();
  expectOk(await world.caller.delete(`/api/identity-provider/link?${new URLSearchParams(account)}`));
  return told;
};

/** What causes the events of records about users. */
export const recordCauses: Readonly<Record<string, Cause>> = {
  "user.action": actOnUser,
  "user.identity-provider.link": linkUser,
  "user.identity-provider.unlink": unlinkUser,
};
