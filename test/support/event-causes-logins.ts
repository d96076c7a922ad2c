import { expectOk } from "./answer.js";
import { receiveLogins } from "./devices.js";
import type { Cause } from "./event-stage.js";
import { arrangeLogin, ids, loginBody } from "./logins.js";
import type { World } from "./world.js";

async function shownUser({ caller }: World): Promise<unknown> {
  return expectOk(await caller.get(`/api/user/${ids.user}`)).at("user");
}

const failLogin: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  await world.caller.post("/api/login", loginBody({ password: "wrong", ipAddress: "192.0.2.1" }));
  const fields = { authenticationType: "PASSWORD", ipAddress: "192.0.2.1", reason: { code: "credentials" } };
  return { ...fields, applicationId: ids.application, user: await shownUser(world) };
};
const passLogin: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  const answer = expectOk(await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1" })));
  const fields = { authenticationType: "PASSWORD", connectorId: answer.at("user.connectorId"), ipAddress: "192.0.2.1" };
  return { ...fields, applicationId: ids.application, user: answer.at("user") };
};

const useNewDevice: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await receiveLogins(world);
  expectOk(await world.caller.post("/api/login", loginBody()));
  await begin();
  const answer = expectOk(await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1" })));
  const fields = { authenticationType: "PASSWORD", connectorId: answer.at("user.connectorId"), ipAddress: "192.0.2.1" };
  return { ...fields, applicationId: ids.application, user: answer.at("user") };
};

const suspect: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await receiveLogins(world);
  expectOk(await world.caller.post("/api/login", loginBody()));
  world.clock.advance(1);
  const password = "another horse battery";
  expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { password } }));
  const user = await shownUser(world);
  await begin();
  const answer = expectOk(await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1", password })));
  const fields = { authenticationType: "PASSWORD", connectorId: answer.at("user.connectorId"), ipAddress: "192.0.2.1" };
  return { ...fields, applicationId: ids.application, threatsDetected: ["RecentPasswordChange", "UnrecognizedDevice"], user };
};

/** The causes of events of logins. */
export const loginCauses: Readonly<Record<string, Cause>> = {
  "user.login.failed": failLogin,
  "user.login.new-device": useNewDevice,
  "user.login.success": passLogin,
  "user.login.suspicious": suspect,
};
