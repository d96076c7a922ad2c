// The page of login, as a browser without scripts uses it.
import { expect, test } from "vitest";
import { expectOk } from "../support/answer.js";
import { ids, password } from "../support/logins.js";
import { codeAt, secret } from "../support/two-factor.js";
import { login, startStage, uid } from "./support/stage.js";

const right = { loginId: "ann@example.com", password };

test("a login with a password ends the interaction, and nothing is left of it in the browser", async () => {
  const { ended, visitor } = await startStage();
  const page = await visitor.open(login);
  expect(page.title).toBe("Sign in to Shop");
  const end = await visitor.send(right);
  expect(end.location).toBe(`https://app.example/callback?uid=${uid}`);
  expect(ended).toEqual([{ uid, login: { userId: ids.user, amr: ["pwd"], authenticationType: "PASSWORD", remember: true } }]);
  expect([...visitor.cookies.keys()]).not.toContain("latchkey_flow");
});

test("a wrong password shows the page again with the login id and without the password", async () => {
  const { ended, visitor } = await startStage();
  await visitor.open(login);
  const page = await visitor.send({ ...right, password: "a wrong secret" });
  expect(page.status).toBe(400);
  expect(page.text).toContain("The login or the password is wrong.");
  expect(page.forms[0]?.fields).toMatchObject({ loginId: "ann@example.com", password: "" });
  expect(page.response.body).not.toContain("a wrong secret");
  expect(ended).toEqual([]);
});

test("an empty form says what is missing beside each field", async () => {
  const { visitor } = await startStage();
  await visitor.open(login);
  const page = await visitor.send({ loginId: "", password: "" });
  expect(page.response.body).toContain('aria-describedby="field-loginId-error" aria-invalid="true"');
  expect(page.response.body).toContain('<a href="#field-password">Password: Fill in this field.</a>');
});

test("a second factor is asked for, and a trusted device needs none the next time", async () => {
  const stage = await startStage();
  const { ask, ended, visitor, world } = stage;
  await stage.addAuthenticator();
  await visitor.open(login);
  const asked = await visitor.send(right);
  expect(asked.title).toBe("Second step");
  expect(asked.forms[0]?.fields).toHaveProperty("code");
  const wrong = await visitor.send({ code: "000000" });
  expect(wrong.text).toContain("The code is wrong.");
  await visitor.send({ code: codeAt(secret, world.clock.instant), trust: "true" });
  expect(ended[0]?.login).toEqual({
    userId: ids.user,
    amr: ["pwd", "otp", "mfa"],
    authenticationType: "TWO_FACTOR",
    remember: true,
  });
  ask();
  await visitor.open(login);
  await visitor.send(right);
  expect(ended).toHaveLength(2);
});

test("a code by mail leaves when its way is chosen, and once more when asked", async () => {
  const stage = await startStage();
  const { ended, visitor } = stage;
  await stage.addAuthenticator();
  await stage.addEmail();
  await visitor.open(login);
  const choice = await visitor.send(right);
  expect(choice.text).toContain("How do you want to confirm that it is you?");
  const methodId = choice.find(/value="([^"]*)"[^>]*>Code by email/);
  const page = await visitor.send({ methodId });
  expect(page.text).toContain("Enter the code that was sent to ann@mail.example.");
  const first = await stage.nextCode();
  await visitor.send({ resend: "yes" });
  const second = await stage.nextCode();
  expect(second).not.toBe(first);
  await visitor.send({ code: second });
  expect(ended).toHaveLength(1);
});

test("a password that must be changed is changed before the login goes on", async () => {
  const { ended, visitor, world } = await startStage();
  expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { passwordChangeRequired: true } }));
  await visitor.open(login);
  const page = await visitor.send(right);
  expect(page.title).toBe("Choose a new password");
  expect(page.text).toContain("You must choose a new password before you can go on.");
  const differing = await visitor.send({ password: "another horse battery", "confirm.password": "other" });
  expect(differing.text).toContain("The two entries differ.");
  const short = await visitor.send({ password: "short", "confirm.password": "short" });
  expect(short.text).toContain("This is too short.");
  await visitor.send({ password: "another horse battery", "confirm.password": "another horse battery" });
  expect(ended[0]?.login?.userId).toBe(ids.user);
});

test("an account that is prevented, expired or throttled says so", async () => {
  const { visitor, world } = await startStage({}, { throttle: { login: { maxDelayMs: 0 } } });
  expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { expiry: world.clock.instant - 1 } }));
  await visitor.open(login);
  expect((await visitor.send(right)).text).toContain("This account has expired.");
  for (let attempt = 0; attempt < 12; attempt++) await visitor.send({ ...right, password: "wrong" });
  expect(visitor.page.text).toMatch(/Too many attempts\. Wait/);
});
