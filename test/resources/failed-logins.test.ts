import type { IdentityServiceOptions } from "latchkey";
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { makeAction } from "../support/families/user-actions.js";
import { type Flows, startFlows } from "../support/flows.js";
import { anybody, arrangeLogin, ids, loginBody } from "../support/logins.js";
import { makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, startWorld, uuid, type World } from "../support/world.js";

const minute = 60_000;

/** A service that takes an action after three failures, and does not slow them. */
async function startLocking(
  start: Start,
  { action = {}, ...settings }: { readonly action?: object; readonly [member: string]: unknown } = {},
  options: Partial<IdentityServiceOptions> = {},
): Promise<Flows & { readonly userActionId: string }> {
  const flows = await startFlows(start, {}, { throttle: false, ...options });
  await arrangeLogin(flows.world);
  const userActionId = await makeAction(flows.world, { name: "Locked", ...action });
  await flows.setTenant({ failedAuthenticationConfiguration: { tooManyAttempts: 3, userActionId, ...settings } });
  return { ...flows, userActionId };
}

const logIn = (world: World, fields: object = {}): Promise<Answer> => world.caller.post("/api/login", loginBody(fields));

async function fail(world: World, times: number, fields: object = {}): Promise<void> {
  for (let count = 0; count < times; count++) expectEmpty(await logIn(world, { password: "wrong", ...fields }), 404);
}

const phasesOf = async ({ storage }: World): Promise<readonly unknown[]> =>
  (await readEvents(storage, "user.action")).map(({ phase }) => phase).toSorted();

forEachStorage((start) => {
  describe("too many failed logins", () => {
    requirement("login.failed-action", "take the action of the tenant: 423 until it ends, wrong passwords stay 404", async () => {
      const { userActionId, world } = await startLocking(start);
      await fail(world, 2);
      expectOk(await logIn(world));
      await fail(world, 2);
      world.clock.advance(minute);
      await fail(world, 2);
      expectOk(await logIn(world));
      await fail(world, 3);
      const refused = await logIn(world);
      expectEmpty(refused, 423);
      expect(refused.headers["retry-after"]).toBe("180");
      await fail(world, 5);
      expect(await readEvents(world.storage, "user.action")).toMatchObject([
        {
          actioneeUserId: ids.user,
          action: "Locked",
          emailedUser: false,
          expiry: world.clock.instant + 3 * minute,
          phase: "start",
        },
      ]);
      const actions = expectOk(await world.caller.get(`/api/user/action?userId=${ids.user}&active=true`));
      expect(actions.at("actions")).toMatchObject([{ userActionId, history: { historyItems: [{}] } }]);
      expect(actions.at("actions.0.actionerUserId")).toBeUndefined();
      const call = world.identity.logins.login({ loginId: "ann@example.com", password: "correct horse battery" });
      const data = { actions: [{ name: "Locked" }] };
      await expect(call).rejects.toMatchObject({ code: "[locked]", status: 423, generalErrors: [{ data }] });
      world.clock.advance(3 * minute);
      expectOk(await logIn(world));
    });

    requirement("login.failed-action", "count for the user by each login id, and alike for nobody", async () => {
      const { world } = await startLocking(start, { actionDuration: 2, actionDurationUnit: "MONTHS" });
      // Two months later, February has no 31st day.
      world.clock.advance(Date.UTC(2030, 11, 31) - world.clock.instant);
      await fail(world, 1);
      await fail(world, 2, { loginId: "ANN" });
      expect(await readEvents(world.storage, "user.action")).toMatchObject([{ expiry: Date.UTC(2031, 1, 28) }]);
      await fail(world, 10, { loginId: "nobody@example.com" });
      expect(await phasesOf(world)).toEqual(["start"]);
    });

    requirement("login.failed-once", "take it once, however many fail side by side in two processes", async () => {
      const { world } = await startLocking(start);
      const shared = { ...boundStorage(world.storage), close: async () => undefined };
      const second = await startWorld(shared, { clock: world.clock.now, throttle: false });
      const attempts = [world, second].flatMap((one) =>
        Array.from({ length: 3 }, () => one.caller.post("/api/login", loginBody({ password: "wrong" }))),
      );
      for (const answer of await Promise.all(attempts)) expectEmpty(answer, 404);
      expect(await phasesOf(world)).toEqual(["start"]);
      expectEmpty(await logIn(world), 423);
    });

    requirement("login.failed-reset", "are forgiven when the password is reset, where the tenant wants that", async () => {
      const { setTenant, world } = await startLocking(start, { actionCancelPolicy: { onPasswordReset: true } });
      const reset = async (password: string): Promise<Answer> => {
        const loginId = "ann@example.com";
        const started = expectOk(await world.caller.post("/api/user/forgot-password", { loginId }));
        const body = { changePasswordId: started.textAt("changePasswordId"), password };
        expectOk(await anybody(world).post("/api/user/change-password", body));
        return logIn(world, { password });
      };
      await fail(world, 3);
      expectOk(await reset("another horse battery"));
      expect(await phasesOf(world)).toEqual(["cancel", "start"]);
      await setTenant({ failedAuthenticationConfiguration: { actionCancelPolicy: { onPasswordReset: false } } });
      await fail(world, 3);
      expectEmpty(await reset("a third horse battery"), 423);
      expect(await phasesOf(world)).toEqual(["cancel", "start", "start"]);
    });

    requirement("login.failed-mail", "are a mail of the action, where the tenant wants that", async () => {
      const action = { startEmailTemplateId: uuid(830), userEmailingEnabled: true };
      const flows = await startFlows(start, {}, { throttle: false });
      const { nextMail, setTenant, world } = flows;
      await arrangeLogin(world);
      await makeTemplate(world, { name: "Lock", defaultTextTemplate: "locked ${event.action}" }, uuid(830));
      const userActionId = await makeAction(world, { name: "Locked", ...action });
      await setTenant({ failedAuthenticationConfiguration: { tooManyAttempts: 3, userActionId, emailUser: true } });
      await fail(world, 3);
      expect((await nextMail("locked")).words).toEqual(["locked", "Locked"]);
    });

    requirement(
      "login.failed-unusable",
      "do nothing with an inactive action; one that a tenant names cannot be removed",
      async () => {
        const { setTenant, userActionId, world } = await startLocking(start);
        await world.caller.delete(`/api/user-action/${userActionId}`);
        await fail(world, 4);
        expectOk(await logIn(world));
        expectRefusal(await world.caller.delete(`/api/user-action/${userActionId}?hardDelete=true`), 400, "[inUse]userActionId");
        const failedAuthenticationConfiguration = { userActionId: uuid(99) };
        const path = `/api/tenant/${world.defaultTenantId}`;
        const refused = await world.caller.patch(path, { tenant: { failedAuthenticationConfiguration } });
        expectRefusal(refused, 400, "[invalid]tenant.failedAuthenticationConfiguration.userActionId");
        await setTenant({ failedAuthenticationConfiguration: { tooManyAttempts: 3, userActionId } });
      },
    );

    requirement("login.failed-action", "are noted by an action that prevents nothing, each time again", async () => {
      const { world } = await startLocking(start, { action: { preventLogin: false, temporal: false } });
      await fail(world, 6);
      expectOk(await logIn(world));
      expect(await phasesOf(world)).toEqual(["start", "start"]);
    });
  });
});
