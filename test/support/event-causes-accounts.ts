import { expect } from "vitest";
import { expectEmpty, expectOk } from "./answer.js";
import { recordCauses } from "./event-causes-records.js";
import type { Cause, Fields } from "./event-stage.js";
import { anybody, arrangeLogin, ids, loginBody } from "./logins.js";
import { makeTemplate } from "./mails.js";
import { uuid, type World } from "./world.js";

const loginId = "ann@example.com";

async function userOf({ caller }: World): Promise<Fields> {
  return { user: expectOk(await caller.get(`/api/user/${ids.user}`)).at("user") };
}

function setTenant({ caller, defaultTenantId }: World, tenant: object): Promise<unknown> {
  return caller.patch(`/api/tenant/${defaultTenantId}`, { tenant }).then(expectOk);
}

const verifyEmail: Cause = async ({ begin, world }) => {
  await arrangeLogin(world, { user: { verified: false } });
  await begin();
  expectEmpty(await world.caller.post("/api/user/verify-email", { userId: ids.user }), 200);
  return userOf(world);
};

const verifyRegistration: Cause = async ({ begin, world }) => {
  await arrangeLogin(world, { application: { verifyRegistration: true } });
  const query = `email=${loginId}&applicationId=${ids.application}&sendVerifyPasswordEmail=false`;
  const verificationId = expectOk(await world.caller.put(`/api/user/verify-registration?${query}`)).textAt("verificationId");
  await begin();
  expectEmpty(await anybody(world).post("/api/user/verify-registration", { verificationId }), 200);
  const path = `/api/user/registration/${ids.user}/${ids.application}`;
  const registration = expectOk(await world.caller.get(path)).at("registration");
  return { applicationId: ids.application, registration, ...(await userOf(world)) };
};

const forget =
  (isBegunBefore: boolean): Cause =>
  async ({ begin, world }) => {
    await makeTemplate(world, {}, uuid(800));
    await setTenant(world, { emailConfiguration: { forgotPasswordEmailTemplateId: uuid(800) } });
    await arrangeLogin(world);
    if (!isBegunBefore) await begin();
    const { caller } = world;
    const changePasswordId = expectOk(await caller.post("/api/user/forgot-password", { loginId })).textAt("changePasswordId");
    if (!isBegunBefore) return userOf(world);
    await begin();
    const body = { changePasswordId, password: "another password" };
    expectOk(await anybody(world).post("/api/user/change-password", body));
    return userOf(world);
  };

const breach: Cause = async ({ begin, world }) => {
  await arrangeLogin(world, { user: { password: "iloveyou" } });
  const breachDetection = { enabled: true, onLogin: "RequireChange" };
  await setTenant(world, { passwordValidationRules: { breachDetection } });
  await begin();
  expect((await world.caller.post("/api/login", loginBody({ password: "iloveyou" }))).status).toBe(203);
  return userOf(world);
};

const importUsers: Cause = async ({ begin, world }) => {
  await begin();
  expectEmpty(await world.caller.post("/api/user/import", { users: [{ id: ids.user, email: loginId }] }), 200);
  const { user } = await userOf(world);
  return { users: [user] };
};

/** The causes of events of account flows, and of user records. */
export const accountCauses: Readonly<Record<string, Cause>> = {
  ...recordCauses,
  "user.bulk.create": importUsers,
  "user.email.verified": verifyEmail,
  "user.identity.verified": async (stage) => ({
    ...(await verifyEmail(stage)),
    loginId,
    loginIdType: "email",
  }),
  "user.password.breach": breach,
  "user.password.reset.send": forget(false),
  "user.password.reset.start": forget(false),
  "user.password.reset.success": forget(true),
  "user.registration.verified": verifyRegistration,
};
