import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type AnswerChanges, flagBits, SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { makeLambda } from "../support/lambdas.js";
import { anybody, claimsOf, ids, loginBody } from "../support/logins.js";
import {
  base,
  beginLogin,
  beginRegistration,
  type Options,
  register,
  registered,
  sendLogin,
  setTenant,
  startPasskeys,
} from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, type Start, type World } from "../support/world.js";

const path = "/api/two-factor/login";
const unverified = { flags: flagBits.userPresent };

// The events of second factors are there since this version.
async function startAllowed(start: Start, workflow: object = {}): Promise<World> {
  const world = await startPasskeys(start, { version: "1.69.0" });
  await allow(world, workflow);
  return world;
}

function allow(world: World, workflow: object): Promise<void> {
  return setTenant(world, { webAuthnConfiguration: { secondFactorWorkflow: { enabled: true, ...workflow } } });
}

/** Logs in with the password; the id of the login that waits. */
async function begin(world: World, fields: object = {}): Promise<string> {
  const answer = await world.caller.post("/api/login", loginBody(fields));
  expect([answer.status, answer.at("passkeyAllowed")]).toEqual([242, true]);
  return answer.textAt("twoFactorId");
}

async function challenge(world: World, twoFactorId: string): Promise<Options> {
  return expectOk(await anybody(world).post(`/api/two-factor/passkey/${twoFactorId}`)).at("options") as Options;
}

function finish(world: World, twoFactorId: string, credential: unknown, fields: object = {}): Promise<Answer> {
  return anybody(world).post(path, { credential, twoFactorId, ...testPage, ...fields });
}

/** Logs in with the password and a passkey. */
async function logInTwice(world: World, authenticator: SoftwareAuthenticator, changes: AnswerChanges = {}): Promise<Answer> {
  const twoFactorId = await begin(world);
  return finish(world, twoFactorId, authenticator.get(await challenge(world, twoFactorId), changes));
}

async function addAuthenticatorApp(world: World): Promise<void> {
  const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
  expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
  world.clock.advance(stepMs);
}

/** An answer that is refused: how it is made from options of this login. */
type Refused = (made: {
  readonly authenticator: SoftwareAuthenticator;
  readonly options: Options;
  readonly twoFactorId: string;
  readonly world: World;
}) => Promise<unknown> | unknown;

const evil = { origin: "https://evil.example", rpId: "evil.example" };

/** Each of these is 421, and leaves the login waiting. */
const refused: Readonly<Record<string, Refused>> = {
  "a challenge of a first factor": async ({ authenticator, world }) => authenticator.get(await beginLogin(world.caller)),
  "a challenge of a registration": async ({ authenticator, world }) => authenticator.get(await beginRegistration(world.caller)),
  "a challenge of another login of the user": async ({ authenticator, world }) =>
    authenticator.get(await challenge(world, await begin(world))),
  "a challenge that nobody issued": ({ authenticator }) => authenticator.get({ challenge: "made-up" }),
  "a challenge that expired": ({ authenticator, options, world }) => {
    world.clock.advance(180_000);
    return authenticator.get(options);
  },
  "a challenge that was answered": async ({ authenticator, options, twoFactorId, world }) => {
    expectEmpty(await finish(world, twoFactorId, authenticator.get(options, unverified)), 421);
    return authenticator.get(options);
  },
  "a count that went back": async ({ authenticator, options, world }) => {
    expectOk(await logInTwice(world, authenticator, { signCount: 5 }));
    return authenticator.get(options, { signCount: 4 });
  },
  "a page of another domain": ({ authenticator, options }) => authenticator.get(options, { origin: evil.origin }),
  "a passkey of another domain": ({ authenticator, options }) => authenticator.get(options, { rpId: evil.rpId }),
  "a passkey of another user": async ({ options, world }) => {
    const created = await world.caller.post("/api/user", { user: { email: "bob@example.com", password: "another password" } });
    const userId = expectOk(created).textAt("user.id");
    const other = new SoftwareAuthenticator();
    await register(world.caller, other, { fields: { userId } });
    return other.get(options);
  },
  "a passkey that was removed": async ({ authenticator, options, world }) => {
    expectEmpty(await world.caller.delete(`${base}?userId=${ids.user}`), 200);
    return authenticator.get(options);
  },
  "a user who was not verified": ({ authenticator, options }) => authenticator.get(options, unverified),
  "an unknown passkey": ({ options }) => new SoftwareAuthenticator().get(options),
  "another kind of answer": ({ authenticator, options }) => authenticator.get(options, { type: "webauthn.create" }),
};

forEachStorage((start) => {
  describe("a passkey as a second factor", () => {
    requirement("passkey.second-step", "finishes a login once, as a code does", async () => {
      const world = await startAllowed(start);
      expectOk(await world.caller.post("/api/login", loginBody()));
      const authenticator = await registered(world);
      const twoFactorId = await begin(world, { metaData: { device: { name: "phone" } } });
      const options = await challenge(world, twoFactorId);
      expect(options).toEqual({
        allowCredentials: [{ id: authenticator.credentialId, transports: expect.any(Array), type: "public-key" }],
        challenge: expect.any(String),
        rpId: "example.com",
        timeout: 180_000,
        userVerification: "required",
      });
      const answer = expectOk(await finish(world, twoFactorId, authenticator.get(options)));
      expect(claimsOf(answer.textAt("token"))).toMatchObject({ authenticationType: "TWO_FACTOR", sub: ids.user });
      expect(await readEvents(world.storage, "user.two-factor.success")).toHaveLength(1);
      expectEmpty(await finish(world, twoFactorId, authenticator.get(options)), 404);
      expectEmpty(await anybody(world).post(`/api/two-factor/passkey/${twoFactorId}`), 404);
    });

    requirement("passkey.second-step", "stands beside the other methods, of which each finishes the login", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      await addAuthenticatorApp(world);
      const answer = await world.caller.post("/api/login", loginBody());
      expect([answer.at("passkeyAllowed"), answer.each("methods", "method")]).toEqual([true, ["authenticator"]]);
      const code = codeAt(secret, world.clock.instant);
      expectOk(await anybody(world).post(path, { code, twoFactorId: answer.textAt("twoFactorId") }));
      expectOk(await logInTwice(world, authenticator));
    });

    requirement("passkey.second-step", "of two answers at once one logs in", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      const twoFactorId = await begin(world);
      const signed = authenticator.get(await challenge(world, twoFactorId));
      const answers = await Promise.all([1, 2, 3].map(() => finish(world, twoFactorId, signed)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 404 || status === 421)).toHaveLength(2);
    });

    requirement("passkey.second-step", "trusts the device where that is asked for", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      const twoFactorId = await begin(world);
      const signed = authenticator.get(await challenge(world, twoFactorId));
      const answer = expectOk(await finish(world, twoFactorId, signed, { trustComputer: true }));
      const twoFactorTrustId = answer.textAt("twoFactorTrustId");
      expectOk(await world.caller.post("/api/login", loginBody({ twoFactorTrustId })));
      await begin(world);
    });

    requirement("passkey.second-step", "is decided on by the lambda last", async () => {
      const world = await startAllowed(start);
      await registered(world);
      const body = "function checkRequired(result, user, registration, context) { result.required = false; }";
      const multiFactorRequirementId = await makeLambda(world, "MFARequirement", { body });
      await setTenant(world, { lambdaConfiguration: { multiFactorRequirementId } });
      expectOk(await world.caller.post("/api/login", loginBody()));
    });

    requirement("passkey.second-step", "is asked for where the settings allow it alone", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      const waiting = await begin(world);
      const options = await challenge(world, waiting);
      await allow(world, { enabled: false });
      expectOk(await world.caller.post("/api/login", loginBody()));
      expectRefusal(await anybody(world).post(`/api/two-factor/passkey/${waiting}`), 400, "[disabled]workflow");
      expectRefusal(await finish(world, waiting, authenticator.get(options)), 400, "[disabled]workflow");
      const ofApplication = { enabled: true, secondFactorWorkflow: { enabled: true } };
      const patch = { application: { webAuthnConfiguration: ofApplication } };
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, patch));
      expectOk(await logInTwice(world, authenticator));
    });

    requirement("passkey.second-step", "is no second use of the passkey that was the first factor", async () => {
      const world = await startAllowed(start, { userVerificationRequirement: "preferred" });
      const preferred = { enabled: true, userVerificationRequirement: "preferred" };
      await setTenant(world, {
        multiFactorConfiguration: { loginPolicy: "Required" },
        webAuthnConfiguration: { bootstrapWorkflow: preferred },
      });
      const authenticator = await registered(world);
      const answer = await sendLogin(world, authenticator.get(await beginLogin(world.caller), unverified));
      expect([answer.status, answer.at("passkeyAllowed")]).toEqual([242, undefined]);
      const started = await anybody(world).post(`/api/two-factor/passkey/${answer.textAt("twoFactorId")}`);
      expectRefusal(started, 400, "[notConfigured]twoFactorId");
      // After a password it is a second factor, and need not verify the user here.
      expectOk(await logInTwice(world, authenticator, unverified));
    });

    for (const [name, make] of Object.entries(refused))
      requirement("passkey.second-step-refused", `is 421 for ${name}, and another try may be right`, async () => {
        const world = await startAllowed(start);
        const authenticator = await registered(world);
        const twoFactorId = await begin(world);
        const options = await challenge(world, twoFactorId);
        const wrong = await make({ authenticator, options, twoFactorId, world });
        expectEmpty(await finish(world, twoFactorId, wrong), 421);
        const other = name.endsWith("was removed") ? await registered(world) : authenticator;
        const right = other.get(await challenge(world, twoFactorId), { signCount: 9 });
        expectOk(await finish(world, twoFactorId, right));
      });

    requirement("passkey.second-step-refused", "is good for nothing else: neither a login nor a step-up", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      const twoFactorId = await begin(world);
      for (const call of ["login", "assert"]) {
        const credential = authenticator.get(await challenge(world, twoFactorId));
        expectEmpty(await anybody(world).post(`${base}/${call}`, { credential, ...testPage }), 404);
      }
      const credential = authenticator.get(await challenge(world, twoFactorId));
      const other = await makeTenant(world, "Other");
      expectEmpty(
        await anybody(world)
          .inTenant(other)
          .post(path, { credential, twoFactorId, ...testPage }),
        404,
      );
      expectRefusal(await finish(world, twoFactorId, credential, evil), 400, "[invalid]origin", "[invalid]rpId");
      const missing = await anybody(world).post(path, { credential: {}, twoFactorId });
      expect(missing.status).toBe(400);
    });

    requirement("passkey.second-step-refused", "counts as a wrong code does", async () => {
      const world = await startAllowed(start);
      const authenticator = await registered(world);
      const twoFactorId = await begin(world);
      const statuses: number[] = [];
      for (let count = 0; count < 7; count += 1)
        statuses.push((await finish(world, twoFactorId, authenticator.get({ challenge: `made-up-${count}` }))).status);
      expect(statuses.slice(0, 5)).toEqual([421, 421, 421, 421, 421]);
      expect(statuses.at(-1)).toBe(423);
      expect(await readEvents(world.storage, "user.two-factor.failed-attempt")).toHaveLength(5);
    });
  });
});
