import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { failings, giveTenant, startWithRunner } from "../support/lambda-places.js";
import { anybody, arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, readEvents, type Start, type World } from "../support/world.js";

const path = "lambdaConfiguration.loginValidationId";

/** Refuses everybody, and tells what it was given. */
const refuseAll = `result.errors.generalErrors.push({ code: "[Closed]", message: "Closed.",
  data: JSON.parse(JSON.stringify({ result, user, registration: registration ?? null, context })) });`;

async function startValidating(start: Start, statements: string): Promise<World & { readonly lambdaId: string }> {
  const world = await startWithRunner(start);
  await arrangeLogin(world);
  return { ...world, lambdaId: await giveTenant(world, path, "LoginValidation", statements) };
}

interface Seen {
  readonly context: { readonly authenticationType: string };
}

forEachStorage((start) => {
  describe("the lambda that validates a tenant's logins", () => {
    requirement("lambda-place.validation", "accepts a user without errors from the lambda", async () => {
      const world = await startValidating(start, "if (user.email !== 'ann@example.com') result.errors.generalErrors.push({});");
      expectOk(await world.caller.post("/api/login", loginBody()));
      expectOk(await world.caller.put(`/api/login/${ids.user}/${ids.application}`));
    });

    requirement("lambda-place.validation", "refuses with exactly its errors, and issues no tokens", async () => {
      const world = await startValidating(
        start,
        `result.errors.fieldErrors["user.data.zip"] = [{ code: "[invalid]user.data.zip", message: "No such place.", data: { zip: 1 }, x: 1 }];
         result.errors.fieldErrors["user.email"] = [];
         result.errors.generalErrors.push({ code: "[Closed]", message: "Closed." }); result.other = 1; user.email = "eve@example.com";`,
      );
      const answer = await world.caller.post("/api/login", loginBody());
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        fieldErrors: {
          "user.data.zip": [{ code: "[invalid]user.data.zip", data: { zip: 1 }, message: "No such place." }],
        },
        generalErrors: [{ code: "[Closed]", message: "Closed." }],
      });
      expect(answer.cookies).toEqual([]);
      expect((await world.caller.get(`/api/jwt/refresh?userId=${ids.user}`)).at("refreshTokens")).toEqual([]);
      expect((await world.caller.get(`/api/user/${ids.user}`)).at("user")).toMatchObject({ email: "ann@example.com" });
      expect((await world.caller.get(`/api/user/${ids.user}`)).at("user.lastLoginInstant")).toBeUndefined();
    });

    requirement(["lambda-place.validation", "lambda-place.context"], "sees user, registration and context", async () => {
      const world = await startValidating(start, refuseAll);
      const answer = await world.caller.post("/api/login", loginBody({ ipAddress: "192.0.2.7" }), { "User-Agent": "tests/1" });
      expect(answer.at("generalErrors.0.data")).toEqual({
        result: { errors: { fieldErrors: {}, generalErrors: [] } },
        user: (await world.caller.get(`/api/user/${ids.user}`)).at("user"),
        registration: expect.objectContaining({ applicationId: ids.application, roles: ["buyer"] }),
        context: {
          application: { data: {}, id: ids.application, name: "Shop" },
          authenticationType: "PASSWORD",
          eventInfo: { ipAddress: "192.0.2.7", userAgent: "tests/1" },
          tenant: { data: {}, id: world.defaultTenantId, issuer: "latchkey", name: "Default" },
        },
      });
    });

    requirement("lambda-place.validation", "is asked by every way to log in, once the user proved who it is", async () => {
      const world = await startValidating(start, "");
      const { refreshToken } = await logIn(world);
      await giveTenant(world, path, "LoginValidation", refuseAll);
      const typeOf = async (answer: Promise<{ at(path: string): unknown }>): Promise<unknown> =>
        ((await answer).at("generalErrors.0.data") as Seen | undefined)?.context.authenticationType;
      expect(await typeOf(world.caller.post("/api/login", loginBody({ noJWT: true })))).toBe("PASSWORD");
      expect(await typeOf(world.caller.post("/api/login", loginBody({ applicationId: undefined })))).toBe("PASSWORD");
      expect(await typeOf(world.caller.put(`/api/login/${ids.user}/${ids.application}`))).toBe("PING");
      expect(await typeOf(world.caller.put(`/api/login/${ids.user}`))).toBe("PING");
      expectEmpty(await world.caller.post("/api/login", loginBody({ password: "wrong password" })), 404);
      expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken }));
      await expect(world.identity.logins.login(loginBody() as never)).rejects.toMatchObject({ status: 400, code: "[Closed]" });
    });

    requirement("lambda-place.validation", "is asked after the second factor, which is used up", async () => {
      const world = await startValidating(start, refuseAll);
      const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
      const waiting = await world.caller.post("/api/login", loginBody());
      expect(waiting.status).toBe(242);
      const code = codeAt(secret, world.clock.advance(stepMs));
      const body = { code, twoFactorId: waiting.textAt("twoFactorId") };
      const answer = await anybody(world).post("/api/two-factor/login", body);
      expect([answer.status, answer.at("generalErrors.0.data.context.authenticationType")]).toEqual([400, "TWO_FACTOR"]);
      expectEmpty(await anybody(world).post("/api/two-factor/login", body), 404);
    });

    requirement("lambda-place.validation-event", "is named by the event of the failed login, with what it said", async () => {
      const world = await startValidating(start, `result.errors.generalErrors.push({ code: "[Closed]", message: "Closed." });`);
      expectRefusal(await world.caller.post("/api/login", loginBody()), 400, "[Closed]");
      expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      const [event, ...others] = await readEvents(world.storage, "user.login.failed");
      expect(others).toEqual([]);
      expect(event).toMatchObject({
        applicationId: ids.application,
        authenticationType: "PASSWORD",
        linkedObjectId: ids.user,
        reason: {
          code: "lambdaValidation",
          lambdaId: world.lambdaId,
          lambdaResult: { fieldErrors: {}, generalErrors: [{ code: "[Closed]", message: "Closed." }] },
        },
        tenantId: world.defaultTenantId,
        user: { id: ids.user },
      });
    });
  });

  describe("a failure of that lambda", () => {
    for (const { name, statements, options, spoil } of failings)
      requirement("lambda-place.validation-failure", `that ${name} lets nobody in`, async () => {
        const world = await start(options);
        await arrangeLogin(world);
        const lambdaId = await giveTenant(world, path, "LoginValidation", statements);
        await spoil?.(world, lambdaId);
        const answer = await world.caller.post("/api/login", loginBody());
        expectRefusal(answer, 400, "[LambdaFailed]");
        expect([answer.cookies, answer.text.includes(lambdaId)]).toEqual([[], true]);
        expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      });

    requirement("lambda-place.validation-failure", "that leaves no errors behind lets nobody in", async () => {
      const world = await startValidating(start, "");
      for (const spoilt of ["result.errors = null;", "delete result.errors;", "result.errors.generalErrors.push('no');"]) {
        await giveTenant(world, path, "LoginValidation", spoilt);
        expectRefusal(await world.caller.post("/api/login", loginBody()), 400, "[LambdaFailed]");
      }
    });
  });
});
