import { IdentityError } from "latchkey";
import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk } from "../support/answer.js";
import { makeAction, startBan, takeAction } from "../support/families/user-actions.js";
import { anybody, arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage } from "../support/world.js";

const hour = 3_600_000;

function expectPrevented(answer: Answer): void {
  expect({ status: answer.status, code: answer.at("generalErrors.0.code") }).toEqual({ status: 409, code: "[loginPrevented]" });
  expect(answer.at("actions")).toEqual(answer.at("generalErrors.0.data.actions"));
}

forEachStorage((start) => {
  describe("an action that prevents logins", () => {
    requirement("user-action.prevent-login", "makes a login 409 until it ends; a wrong password stays 404", async () => {
      const world = await start();
      const id = await startBan(world, { comment: "Enough" });
      const { caller, clock } = world;
      const refused = await caller.post("/api/login", loginBody());
      expectPrevented(refused);
      const shown = { actionId: id, actionerUserId: ids.user, expiry: clock.instant + hour, name: "Ban" };
      expect(refused.at("actions")).toEqual([shown]);
      expectEmpty(await caller.post("/api/login", loginBody({ password: "wrong" })), 404);
      expectPrevented(await caller.put(`/api/login/${ids.user}`));
      const call = world.identity.logins.login({ loginId: "ann@example.com", password: "correct horse battery" });
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(IdentityError);
      expect(error).toMatchObject({ code: "[loginPrevented]", generalErrors: [{ data: { actions: [shown] } }] });
      clock.advance(hour);
      expectOk(await caller.post("/api/login", loginBody()));
    });

    requirement("user-action.prevent-login", "prevents those to its applications alone", async () => {
      const world = await start();
      await startBan(world, { applicationIds: [ids.application] });
      expectPrevented(await world.caller.post("/api/login", loginBody()));
      expect((await world.caller.post("/api/login", loginBody({ applicationId: undefined }))).status).toBe(200);
    });

    requirement("user-action.prevent-login", "ends sessions, and logins that wait for a second factor", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken } = await logIn(world);
      const code = (steps: number): string => codeAt(secret, world.clock.instant + steps * stepMs);
      const factor = { code: code(0), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, factor));
      const waiting = await world.caller.post("/api/login", loginBody());
      expectOk(await takeAction(world, await makeAction(world), ids.user));
      const body = { code: code(1), twoFactorId: waiting.textAt("twoFactorId") };
      expectPrevented(await world.caller.post("/api/two-factor/login", body));
      expect((await anybody(world).post("/api/jwt/refresh", { refreshToken })).status).toBe(400);
      expectPrevented(await world.caller.post("/api/login", loginBody()));
    });
  });
});
