import { expectOk } from "./answer.js";
import type { Cause, Fields } from "./event-stage.js";
import { makeAction, takeAction } from "./families/user-actions.js";
import { makeProvider } from "./identity-providers.js";
import { makeLambda } from "./lambdas.js";
import { arrangeLogin, ids, logIn } from "./logins.js";
import { uuid, type World } from "./world.js";

const actOnUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const action = await makeAction(world, { preventLogin: false });
  await begin();
  // A little more than an hour, because the server's clock advances.
  const expiry = world.clock.instant + 3_630_000;
  const log = expectOk(await takeAction(world, action, ids.user, { expiry })).at("action") as Fields;
  const told = { actionId: log.id, emailedUser: false, localizedDuration: "1 hour", notifyUser: false, phase: "start" };
  const users = { actioneeUserId: ids.user, actionerUserId: ids.user, applicationIds: [] };
  return { ...told, ...users, action: "Ban", expiry: log.expiry };
};

const account = { identityProviderId: uuid(950), identityProviderUserId: "ann-at-google", userId: ids.user };

/** Links the user; returns the fields of the event, without the token. */
async function link({ caller }: World): Promise<Fields> {
  const body = { identityProviderLink: { ...account, token: "secret" } };
  const made = expectOk(await caller.post("/api/identity-provider/link", body)).at("identityProviderLink") as Fields;
  const { token: _secret, ...identityProviderLink } = made;
  return { identityProviderLink, user: expectOk(await caller.get(`/api/user/${ids.user}`)).at("user") };
}

const linkUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await makeProvider(world.caller, uuid(950));
  await begin();
  return link(world);
};

const unlinkUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await makeProvider(world.caller, uuid(950));
  const told = await link(world);
  await begin();
  expectOk(await world.caller.delete(`/api/identity-provider/link?${new URLSearchParams(account)}`));
  return told;
};

const noteEventLog: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const fields = { body: "function populate() { console.info('noted'); }", debug: true };
  const accessTokenPopulateId = await makeLambda(world, "JWTPopulate", fields);
  const application = { lambdaConfiguration: { accessTokenPopulateId } };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
  await begin();
  await logIn(world);
  return { eventLog: expectOk(await world.caller.get("/api/system/event-log/1")).at("eventLog") };
};

const writeAuditLog: Cause = async ({ world, begin }) => {
  await begin();
  const body = {
    auditLog: { message: "Renamed", insertUser: "ann@example.com", newValue: { name: "b" }, oldValue: { name: "a" } },
  };
  return { auditLog: expectOk(await world.caller.post("/api/system/audit-log", body)).at("auditLog") };
};

/** The causes of events of logs, and of records about users. */
export const recordCauses: Readonly<Record<string, Cause>> = {
  "audit-log.create": writeAuditLog,
  "event-log.create": noteEventLog,
  "user.action": actOnUser,
  "user.identity-provider.link": linkUser,
  "user.identity-provider.unlink": unlinkUser,
};
