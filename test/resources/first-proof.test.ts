import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk } from "../support/answer.js";
import { type Flows, startFlows } from "../support/flows.js";
import { makeProvider } from "../support/identity-providers.js";
import { anybody, arrangeLogin, ids, logIn, loginBody, type Tokens } from "../support/logins.js";
import { registered, webAuthnConfiguration } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, readEvents, type Start, uuid, type World } from "../support/world.js";

const email = "ann@example.com";

type Members = Readonly<Record<string, string | undefined>>;

/** What somebody made who registered the address of another first: a password, a session, a link and a passkey. */
async function startHijacked(start: Start, user: object = {}): Promise<Flows & { readonly before: Tokens }> {
  const flows = await startFlows(start, { webAuthnConfiguration });
  const { world } = flows;
  await arrangeLogin(world, { application: { passwordlessConfiguration: { enabled: true } }, user });
  const identityProviderId = await makeProvider(world.caller, uuid(951));
  const identityProviderLink = { identityProviderId, identityProviderUserId: "thief", userId: ids.user };
  expectOk(await world.caller.post("/api/identity-provider/link", { identityProviderLink }));
  await registered(world);
  return { ...flows, before: await logIn(world) };
}

interface Access {
  readonly links: number;
  readonly passkeys: number;
  readonly password: number;
  readonly session: number;
}

async function accessOf(world: World, { refreshToken }: Tokens): Promise<Access> {
  const listed = async (path: string, name: string): Promise<number> =>
    (expectOk(await world.caller.get(`${path}?userId=${ids.user}`)).at(name) as readonly unknown[]).length;
  return {
    links: await listed("/api/identity-provider/link", "identityProviderLinks"),
    passkeys: await listed("/api/webauthn", "credentials"),
    password: (await world.caller.post("/api/login", loginBody())).status,
    session: (await world.caller.post("/api/jwt/refresh", { refreshToken })).status,
  };
}

const all: Access = { links: 1, passkeys: 1, password: 200, session: 200 };
const none: Access = { links: 0, passkeys: 0, password: 404, session: 400 };

async function logInByMail({ nextMail, world }: Flows): Promise<Answer> {
  const asked = { applicationId: ids.application, loginId: email };
  expectEmpty(await anybody(world).post("/api/passwordless/send", asked), 200);
  const [, code = ""] = (await nextMail("login")).words;
  return anybody(world).post("/api/passwordless/login", { code });
}

const ways = ["sent at once", "sent by a key", "started, then sent", "started, then sent by anybody"] as const;

/** Logs in by a code that was mailed or texted, or by one that was only started. */
async function logInByCode({ nextMail, world }: Flows, way: (typeof ways)[number] | "only started"): Promise<Answer> {
  const asked = { applicationId: ids.application, loginId: email };
  if (way.startsWith("sent")) {
    const caller = way === "sent by a key" ? world.caller : anybody(world);
    expectEmpty(await caller.post("/api/passwordless/send", asked), 200);
  } else {
    const { code, oneTimeCode } = expectOk(await world.caller.post("/api/passwordless/start", asked)).body as Members;
    if (way === "only started") return anybody(world).post("/api/passwordless/login", { code, oneTimeCode });
    const caller = way === "started, then sent" ? world.caller : anybody(world);
    expectEmpty(await caller.post("/api/passwordless/send", { code }), 200);
  }
  const [, code, oneTimeCode] = (await nextMail("login")).words;
  return anybody(world).post("/api/passwordless/login", { code, oneTimeCode });
}

async function setStrategy({ world }: Flows, emailLoginStrategy: string): Promise<void> {
  const passwordlessConfiguration = { enabled: true, emailLoginStrategy };
  expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: { passwordlessConfiguration } }));
}

async function resetByKey(
  start: Start,
  asked: { readonly changePasswordId?: string; readonly sendForgotPasswordMessage?: boolean },
) {
  const flows = await startHijacked(start);
  expectOk(await flows.world.caller.post("/api/user/forgot-password", { loginId: email, ...asked }));
  const id = asked.changePasswordId ?? (await flows.nextMail("forgot")).words[1];
  expectOk(await anybody(flows.world).post(`/api/user/change-password/${id}`, { password: "another battery" }));
  return flows;
}

async function resetPassword({ nextMail, world }: Flows): Promise<string> {
  expectEmpty(await anybody(world).post("/api/user/forgot-password", { loginId: email }), 200);
  const [, id = ""] = (await nextMail("forgot")).words;
  const changed = await anybody(world).post(`/api/user/change-password/${id}`, { password: "another battery" });
  return expectOk(changed).textAt("oneTimePassword");
}

forEachStorage((start) => {
  describe("the first proof of an address by its owner", () => {
    requirement("account.first-proof", "by a login without a password ends what others made, and begins a session", async () => {
      const flows = await startHijacked(start);
      const { before, nextMail, world } = flows;
      const login = expectOk(await logInByMail(flows));
      expect(login.at("user.identities.0.verifiedReason")).toBe("Implicit");
      const events = await Promise.all(
        ["user.email.verified", "user.identity-provider.unlink", "jwt.refresh-token.revoke"].map((type) =>
          readEvents(world.storage, type),
        ),
      );
      expect(events.map(({ length }) => length)).toEqual([1, 1, 1]);
      expect(await accessOf(world, before)).toEqual(none);
      const session = { refreshToken: login.textAt("refreshToken") };
      expectOk(await world.caller.post("/api/jwt/refresh", session));
      expect((await nextMail("verified")).words).toEqual(["verified", email]);
    });

    requirement("account.first-proof", "by a new password keeps that password alone", async () => {
      const flows = await startHijacked(start);
      const { before, world } = flows;
      const oneTimePassword = await resetPassword(flows);
      expect(await accessOf(world, before)).toEqual(none);
      expectOk(await world.caller.post("/api/login", { applicationId: ids.application, oneTimePassword }));
      expectOk(await world.caller.post("/api/login", loginBody({ password: "another battery" })));
    });

    for (const emailLoginStrategy of ["ClickableLink", "FormField"]) {
      const name = `by a message of the strategy ${emailLoginStrategy}`;
      requirement("account.first-proof", `${name} counts, however it was asked for`, async () => {
        for (const way of ways) {
          const flows = await startHijacked(start);
          await setStrategy(flows, emailLoginStrategy);
          const login = expectOk(await logInByCode(flows, way));
          expect([way, login.at("user.identities.0.verifiedReason")]).toEqual([way, "Implicit"]);
          expect([way, await accessOf(flows.world, flows.before)]).toEqual([way, none]);
        }
      });

      requirement("account.first-proof", `${name} counts only once it was sent`, async () => {
        const flows = await startHijacked(start);
        await setStrategy(flows, emailLoginStrategy);
        const login = expectOk(await logInByCode(flows, "only started"));
        expect(login.at("user.identities.0.verifiedReason")).toBe("Disabled");
        expect(await accessOf(flows.world, flows.before)).toEqual(all);
      });
    }

    requirement("account.first-proof", "by a new password counts where a key asked for the mail, and chose no id", async () => {
      const id = "z".repeat(40);
      const sent = await resetByKey(start, {});
      expect(await accessOf(sent.world, sent.before)).toEqual(none);
      for (const asked of [{ changePasswordId: id }, { changePasswordId: id, sendForgotPasswordMessage: false }]) {
        const flows = await resetByKey(start, asked);
        expect(await accessOf(flows.world, flows.before)).toMatchObject({ links: 1, passkeys: 1, password: 404 });
      }
    });

    requirement("account.first-proof", "ends nothing where the address is proved", async () => {
      const flows = await startHijacked(start, { verified: true });
      expectOk(await logInByMail(flows));
      expect(await accessOf(flows.world, flows.before)).toEqual(all);
    });

    requirement("account.first-proof", "by a verification keeps what the user set up", async () => {
      const flows = await startHijacked(start, { verified: false });
      const started = { loginId: email, loginIdType: "email", existingUserStrategy: "mustExist" };
      const { verificationId } = expectOk(await flows.world.caller.post("/api/identity/verify/start", started)).body as {
        readonly verificationId: string;
      };
      expectEmpty(await anybody(flows.world).post("/api/user/verify-email", { verificationId }), 200);
      expect(await accessOf(flows.world, flows.before)).toEqual(all);
    });

    requirement("account.first-proof", "is none by a mail while a second factor waits", async () => {
      const flows = await startHijacked(start);
      const { before, world } = flows;
      const factor = { method: "authenticator", secret, code: codeAt(secret, world.clock.instant) };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, factor));
      expect((await logInByMail(flows)).status).toBe(242);
      expect((await world.caller.post("/api/login", loginBody())).status).toBe(242);
      expect(await accessOf(world, before)).toMatchObject({ links: 1, passkeys: 1 });
    });
  });
});
