// Who has a second factor changes factors and passkeys after a login that showed one: a password alone does not.
import { simpleWebAuthn } from "latchkey/passkeys";
import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import type { Caller } from "../support/caller.js";
import { anybody, arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import {
  base,
  beginLogin,
  beginRegistration,
  register,
  sendLogin,
  sendRegistration,
  webAuthnConfiguration,
} from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

const lax = uuid(880);
const other = "An0therSecretOfTheUser";

/** A user who may log in to one application by the password alone. */
async function arrange(start: Start, settings: object = {}): Promise<World> {
  const world = await start({ passkeys: simpleWebAuthn() });
  const tenant = { webAuthnConfiguration: { ...webAuthnConfiguration, ...settings } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
  await arrangeLogin(world);
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: true };
  const application = { name: "Lax", loginConfiguration, multiFactorConfiguration: { loginPolicy: "Disabled" } };
  expectOk(await world.caller.post(`/api/application/${lax}`, { application }));
  expectOk(await world.caller.post(`/api/user/registration/${ids.user}`, { registration: { applicationId: lax } }));
  return world;
}

async function addAuthenticator({ caller, clock }: World): Promise<void> {
  const body = { code: codeAt(secret, clock.instant), method: "authenticator", secret };
  expectOk(await caller.post(`/api/user/two-factor/${ids.user}`, body));
  clock.advance(60_000);
}

const withToken = (world: World, token: string): Caller => anybody(world, { Authorization: `Bearer ${token}` });

/** The tokens of a login by the password alone: as issued, and refreshed. */
async function passwordCallers(world: World): Promise<readonly Caller[]> {
  const { refreshToken, token } = await logIn(world, { applicationId: lax });
  const fresh = expectOk(await anybody(world).post("/api/jwt/refresh", { refreshToken })).textAt("token");
  return [token, fresh].map((one) => withToken(world, one));
}

async function factorCaller(world: World): Promise<Caller> {
  const begun = await world.caller.post("/api/login", loginBody());
  const body = { code: codeAt(secret, world.clock.instant), twoFactorId: begun.textAt("twoFactorId") };
  return withToken(world, expectOk(await anybody(world).post("/api/two-factor/login", body)).textAt("token"));
}

const enable = (caller: Caller, { clock }: World) =>
  caller.post("/api/user/two-factor", { code: codeAt(other, clock.instant), method: "authenticator", secret: other });
const begin = (caller: Caller) => caller.post(`${base}/register/start`, { displayName: "Phone" });

forEachStorage((start) => {
  requirement("two-factor.factor-changes", "a password alone adds no factor to others, and removes no passkey", async () => {
    const world = await arrange(start);
    const passkey = await register(world.caller, new SoftwareAuthenticator());
    const [early = world.caller] = await passwordCallers(world);
    const begun = await beginRegistration(early);
    await addAuthenticator(world);
    for (const caller of await passwordCallers(world)) {
      expectRefusal(await begin(caller), 400, "[factorRequired]");
      expectRefusal(await enable(caller, world), 400, "[factorRequired]");
      for (const path of [`${base}/${passkey.id}`, base]) expectRefusal(await caller.delete(path), 400, "[factorRequired]");
    }
    const made = new SoftwareAuthenticator().create(begun);
    expectRefusal(await sendRegistration(early, made), 400, "[factorRequired]");
    const { credentials } = await world.identity.passkeys.list({ userId: ids.user });
    expect(credentials.map(({ id }) => id)).toEqual([passkey.id]);
  });

  requirement("two-factor.factor-changes", "a login with a factor changes them, as long as it is recent", async () => {
    const world = await arrange(start);
    const passkey = await register(world.caller, new SoftwareAuthenticator());
    await addAuthenticator(world);
    const user = await factorCaller(world);
    await register(user, new SoftwareAuthenticator(), { fields: { userId: undefined } });
    expectOk(await enable(user, world));
    expectEmpty(await user.delete(`${base}/${passkey.id}`), 200);
    world.clock.advance(901_000);
    expectRefusal(await user.delete(base), 400, "[recentLoginRequired]");
  });

  requirement("two-factor.factor-changes", "a passkey is a factor where its authenticator verified the user", async () => {
    const requirements = { enabled: true, userVerificationRequirement: "preferred" };
    const world = await arrange(start, { bootstrapWorkflow: requirements });
    const authenticator = new SoftwareAuthenticator();
    await register(world.caller, authenticator);
    await addAuthenticator(world);
    const log = async (flags?: number): Promise<Caller> => {
      const options = await beginLogin(world.caller, { applicationId: lax });
      const answer = expectOk(await sendLogin(world, authenticator.get(options, { flags }), testPage));
      return withToken(world, answer.textAt("token"));
    };
    expectRefusal(await begin(await log(1)), 400, "[factorRequired]");
    expectOk(await begin(await log()));
  });

  requirement("two-factor.factor-changes", "a passkey that finishes logins to some application is a second factor", async () => {
    const world = await arrange(start);
    const passkey = await register(world.caller, new SoftwareAuthenticator());
    const [before = world.caller] = await passwordCallers(world);
    expectOk(await begin(before));
    const own = { enabled: true, secondFactorWorkflow: { enabled: true } };
    const path = `/api/application/${ids.application}`;
    expectOk(await world.caller.patch(path, { application: { webAuthnConfiguration: own } }));
    for (const caller of await passwordCallers(world)) {
      expectRefusal(await begin(caller), 400, "[factorRequired]");
      expectRefusal(await caller.delete(`${base}/${passkey.id}`), 400, "[factorRequired]");
    }
  });

  requirement("two-factor.factor-changes", "is asked about without reading the applications of the tenant", async () => {
    const world = await arrange(start);
    await register(world.caller, new SoftwareAuthenticator());
    const settings = { enabled: true, secondFactorWorkflow: { enabled: true } };
    for (let index = 0; index < 5; index++) {
      const application = { name: `Shop ${index}`, webAuthnConfiguration: index > 2 ? settings : undefined };
      expectOk(await world.caller.post(`/api/application/${uuid(890 + index)}`, { application }));
    }
    const read: number[] = [];
    const { find } = world.storage;
    world.storage.find = async (scope, table, ...rest) => {
      const found = await find.call(world.storage, scope, table, ...rest);
      if (table.name === "applications") read.push(found.length);
      return found;
    };
    for (const caller of await passwordCallers(world)) expectRefusal(await begin(caller), 400, "[factorRequired]");
    world.storage.find = find;
    expect(read.length).toBeGreaterThan(0);
    expect(Math.max(...read)).toBe(1);
  });
});
