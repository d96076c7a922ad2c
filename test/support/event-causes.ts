import { type Answer, expectOk } from "./answer.js";
import { accountCauses } from "./event-causes-accounts.js";
import { groupAndEntityCauses } from "./event-causes-groups.js";
import { loginCauses } from "./event-causes-logins.js";
import type { Cause, Fields, Stage } from "./event-stage.js";
import { makeApplication, makeUser } from "./families.js";
import { generate } from "./keys.js";
import { arrangeLogin, ids, logIn, loginBody } from "./logins.js";
import { codeAt, secret, stepMs } from "./two-factor.js";
import { uuid, type World } from "./world.js";

const email = "ada@example.com";
const userPath = `/api/user/${ids.user}`;
const registrationPath = `/api/user/registration/${ids.user}`;
const ann = "ann@example.com";
const code = (world: World, steps = 0): string => codeAt(secret, world.clock.instant + steps * stepMs);

async function shownUser({ caller }: World, id: string = ids.user): Promise<unknown> {
  return expectOk(await caller.get(`/api/user/${id}`)).at("user");
}

/** Changes an existing user: the event has both states. */
function userChange(act: (world: World) => Promise<Answer>, isOriginalTold = true): Cause {
  return async ({ world, begin }) => {
    await arrangeLogin(world);
    const original = await shownUser(world);
    await begin();
    expectOk(await act(world));
    const user = await shownUser(world);
    return isOriginalTold ? { original, user } : { user };
  };
}

const rename = ({ caller }: World): Promise<Answer> => caller.patch(userPath, { user: { firstName: "Ann" } });

const removeUser: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const user = await shownUser(world);
  await begin();
  await world.caller.delete(`${userPath}?hardDelete=true`);
  return { user };
};

const createRegistration: Cause = async ({ world, begin }) => {
  const { defaultTenantId: tenantId } = world;
  const applicationId = await makeApplication(world, tenantId, "Shop");
  const id = await makeUser(world, tenantId, email);
  await begin();
  const made = expectOk(await world.caller.post(`/api/user/registration/${id}`, { registration: { applicationId } }));
  return { applicationId, registration: made.at("registration"), user: made.at("user") };
};

const updateRegistration: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const path = `${registrationPath}/${ids.application}`;
  const original = expectOk(await world.caller.get(path)).at("registration");
  await begin();
  const changed = expectOk(await world.caller.patch(path, { registration: { timezone: "Europe/Berlin" } }));
  const registration = changed.at("registration");
  return { applicationId: ids.application, original, registration, user: await shownUser(world) };
};

const removeRegistration: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const path = `${registrationPath}/${ids.application}`;
  const registration = expectOk(await world.caller.get(path)).at("registration");
  const user = await shownUser(world);
  await begin();
  await world.caller.delete(path);
  return { applicationId: ids.application, registration, user };
};

/** A user with a second factor, in the middle of a login. */
async function arrangeSecondFactor({ world, begin }: Stage, isBegunBefore: boolean): Promise<Answer> {
  await arrangeLogin(world);
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, { code: code(world), method: "authenticator", secret }));
  world.clock.advance(stepMs);
  if (!isBegunBefore) await begin();
  const begun = await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.1" }));
  if (isBegunBefore) await begin();
  return begun;
}

function toldFactor(user: unknown, ipAddress?: string): Fields {
  return { applicationId: ids.application, user, ...(ipAddress !== undefined && { ipAddress }) };
}

const challenge: Cause = async (stage) => {
  await arrangeSecondFactor(stage, false);
  return toldFactor(await shownUser(stage.world), "192.0.2.1");
};
const failFactor: Cause = async (stage) => {
  const twoFactorId = (await arrangeSecondFactor(stage, true)).textAt("twoFactorId");
  await stage.world.caller.post("/api/two-factor/login", { code: "000000", twoFactorId, ipAddress: "192.0.2.2" });
  return toldFactor(await shownUser(stage.world), "192.0.2.2");
};
const passFactor: Cause = async (stage) => {
  const { world } = stage;
  const twoFactorId = (await arrangeSecondFactor(stage, true)).textAt("twoFactorId");
  const body = { code: code(world), twoFactorId, ipAddress: "192.0.2.2" };
  const answer = expectOk(await world.caller.post("/api/two-factor/login", body));
  // Published before the login is recorded.
  const { lastLoginInstant: _noted, ...user } = answer.at("user") as Record<string, unknown>;
  const registrations = (user.registrations as Record<string, unknown>[]).map(({ lastLoginInstant: _too, ...one }) => one);
  return toldFactor({ ...user, registrations }, "192.0.2.2");
};

const addFactor: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, { code: code(world), method: "authenticator", secret }));
  const user = (await shownUser(world)) as { readonly twoFactor: { readonly methods: readonly unknown[] } };
  return { method: user.twoFactor.methods[0], user };
};
const removeFactor: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const path = `/api/user/two-factor/${ids.user}`;
  expectOk(await world.caller.post(path, { code: code(world), method: "authenticator", secret }));
  const before = (await shownUser(world)) as { readonly twoFactor: { readonly methods: readonly { readonly id: string }[] } };
  const [method] = before.twoFactor.methods;
  await begin();
  await world.caller.delete(`${path}?code=${code(world, 1)}&methodId=${method?.id}`);
  // Its last use was its own removal.
  return { method: { ...method, lastUsed: true }, user: await shownUser(world) };
};

const duplicateOf = (answer: Answer, existing: unknown, attempted: unknown): Fields => {
  if (answer.status !== 400) throw new Error(`It was not refused: ${answer.text}`);
  return { duplicateEmail: ann, duplicateIdentities: [{ type: "email", value: ann }], existing, user: attempted };
};

const duplicateCreate: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  const body = { user: { email: ` ${ann.toUpperCase()}`, firstName: "Eve" } };
  const answer = await world.caller.post(`/api/user/${uuid(8)}`, body);
  const example = expectOk(await world.caller.post(`/api/user/${uuid(8)}?dryRun=true`, { user: { email, firstName: "Eve" } }));
  const told = JSON.parse(JSON.stringify(example.at("user")).replaceAll(email, ann)) as unknown;
  return duplicateOf(answer, await shownUser(world), told);
};
const duplicateUpdate: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const id = await makeUser(world, world.defaultTenantId, email);
  await begin();
  const answer = await world.caller.patch(`/api/user/${id}`, { user: { email: ann } });
  const told = JSON.parse(JSON.stringify(await shownUser(world, id)).replaceAll(email, ann)) as unknown;
  return duplicateOf(answer, await shownUser(world), told);
};

const changeSigningKey: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await generate(world.caller, {}, uuid(9));
  await begin();
  const jwtConfiguration = { enabled: true, accessTokenKeyId: uuid(9) };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: { jwtConfiguration } }));
  return { applicationIds: [ids.application] };
};

// Events show a token without its signature, so that they contain no valid token.
const withoutSignature = (token: string): string => token.slice(0, token.lastIndexOf("."));

const refresh: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  const { refreshToken, refreshTokenId, token } = await logIn(world);
  await begin();
  const answer = expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken, token }));
  const original = withoutSignature(token);
  const renewed = withoutSignature(answer.textAt("token"));
  return { applicationId: ids.application, original, refreshToken: refreshTokenId, token: renewed, userId: ids.user };
};
const revoke: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await logIn(world);
  await begin();
  await world.caller.delete(`/api/jwt/refresh?userId=${ids.user}`);
  const applicationTimeToLiveInSeconds = { [ids.application]: 3_600 };
  return { applicationTimeToLiveInSeconds, user: await shownUser(world), userId: ids.user };
};

const changeEmail = ({ caller }: World): Promise<Answer> => caller.patch(userPath, { user: { email } });
const withFields =
  (cause: Cause, fields: Fields): Cause =>
  async (stage) => {
    const { user } = await cause(stage);
    return { ...fields, user };
  };

const createUser: Cause = async ({ world, begin }) => {
  await begin();
  return { user: expectOk(await world.caller.post("/api/user", { user: { email } })).at("user") };
};
const deactivate: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await begin();
  await world.caller.delete(userPath);
  return { user: await shownUser(world) };
};
const reactivate: Cause = async ({ world, begin }) => {
  await arrangeLogin(world);
  await world.caller.delete(userPath);
  await begin();
  await world.caller.put(`${userPath}?reactivate=true`);
  return { user: await shownUser(world) };
};

/** The cause of each event; one event also stands for its twin. */
export const causes: Readonly<Record<string, Cause>> = {
  ...accountCauses,
  ...groupAndEntityCauses,
  ...loginCauses,
  "jwt.public-key.update": changeSigningKey,
  "jwt.refresh": refresh,
  "jwt.refresh-token.revoke": revoke,
  "user.create": createUser,
  "user.deactivate": deactivate,
  "user.delete": removeUser,
  "user.email.update": withFields(userChange(changeEmail), { previousEmail: ann }),
  "user.identity.update": withFields(userChange(changeEmail), {
    loginIdType: "email",
    newLoginId: email,
    previousLoginId: ann,
  }),
  "user.loginId.duplicate.create": duplicateCreate,
  "user.loginId.duplicate.update": duplicateUpdate,
  "user.password.update": userChange(({ caller }) => caller.patch(userPath, { user: { password: "another horse" } }), false),
  "user.reactivate": reactivate,
  "user.registration.create": createRegistration,
  "user.registration.delete": removeRegistration,
  "user.registration.update": updateRegistration,
  "user.two-factor.challenge": challenge,
  "user.two-factor.failed-attempt": failFactor,
  "user.two-factor.method.add": addFactor,
  "user.two-factor.method.remove": removeFactor,
  "user.two-factor.success": passFactor,
  "user.update": userChange(rename),
};
