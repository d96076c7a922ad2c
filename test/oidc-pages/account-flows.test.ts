// Passwords that were forgotten, verifications and registrations, as a browser without scripts uses them.

import { expect, test } from "vitest";
import { expectOk } from "../support/answer.js";
import { templateId } from "../support/flows.js";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { login, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const chosen = { password: "another horse battery", "confirm.password": "another horse battery" };
const right = { loginId: "ann@example.com", password };

requirement("pages.links", "a forgotten password is changed by the link of a mail, which a GET does not use up", async () => {
  const { nextMail, visitor, world } = await startStage();
  await visitor.open(login);
  const asked = await visitor.open(visitor.page.link("Forgot your password?"));
  expect(asked.title).toBe("Forgot your password?");
  const sent = await visitor.send({ loginId: "ann@example.com" });
  expect(sent.title).toBe("Check your messages");
  const { words } = await nextMail("forgot");
  const other = new Visitor(world.identity);
  const link = `/password/change/${words[1]}?client_id=${ids.application}`;
  await other.open(link);
  await other.open(link);
  const changed = await other.send(chosen);
  expect(changed.title).toBe("Password changed");
  expect((await other.open(link)).status).toBe(404);
  await visitor.open(login);
  expect((await visitor.send({ ...right, password: chosen.password })).location).toContain("https://app.example/");
});

requirement("pages.unknown-users", "a forgotten password of nobody looks the same", async () => {
  const { countMails, visitor } = await startStage();
  await visitor.open(`/password/forgot?client_id=${ids.application}`);
  const known = await visitor.send({ loginId: "ann@example.com" });
  await visitor.open(`/password/forgot?client_id=${ids.application}`);
  const unknown = await visitor.send({ loginId: "nobody@example.com" });
  expect(unknown.response).toEqual(known.response);
  expect(countMails()).toBeLessThanOrEqual(1);
});

test("an email is verified by a button, so that a scanner that follows the link changes nothing", async () => {
  const { nextMail, setTenant, visitor, world } = await startStage();
  await setTenant({ emailConfiguration: { verifyEmail: true } });
  const user = { email: "bob@example.com", password };
  await world.caller.post("/api/user", { user });
  const { words } = await nextMail("check");
  const isVerified = async () => (await world.caller.get("/api/user?email=bob@example.com")).at("user.verified");
  const page = await visitor.open(`/email/verify/${words[1]}`);
  expect(page.title).toBe("Confirm your email");
  expect(await isVerified()).toBe(false);
  expect((await visitor.send({})).title).toBe("Confirmed");
  expect(await isVerified()).toBe(true);
  expect((await visitor.open(`/email/verify/${words[1]}`)).status).toBe(200);
  expect((await visitor.send({})).text).toContain("This link does not work any more.");
});

test("a gated login asks for the code of the mail, and goes on with the password", async () => {
  const { ended, nextMail, setTenant, visitor, world } = await startStage();
  const gated = { unverified: { behavior: "Gated" }, verificationStrategy: "FormField", verifyEmail: true };
  await setTenant({ emailConfiguration: gated });
  const user = { email: "bob@example.com", password };
  await world.caller.post("/api/user", { user });
  await nextMail("check");
  await visitor.open(login);
  const page = await visitor.send({ loginId: user.email, password });
  expect(page.text).toContain("Enter the code from the message that you got.");
  expect((await visitor.send({ oneTimeCode: "WRONG" })).text).toContain("The code is wrong.");
  const { words } = await nextMail("check");
  const back = await visitor.send({ oneTimeCode: words[2] ?? "" });
  expect(back.text).toContain("Thank you. You can go on.");
  expect(back.forms[0]?.fields.loginId).toBe(user.email);
  await visitor.send({ password });
  expect(ended).toHaveLength(1);
});

test("a registration is verified by its link", async () => {
  const { nextMail, setApplication, visitor, world } = await startStage();
  await setApplication({ verifyRegistration: true, verificationEmailTemplateId: templateId("verification") });
  const body = { user: { email: "bob@example.com", password }, registration: { applicationId: ids.application } };
  const made = await world.caller.post("/api/user/registration", body);
  const { words } = await nextMail("check");
  await visitor.open(`/registration/verify/${words[1]}`);
  expect((await visitor.send({})).title).toBe("Confirmed");
  const registration = await world.caller.get(`/api/user/registration/${made.textAt("user.id")}/${ids.application}`);
  expect(registration.at("registration.verified")).toBe(true);
});

test("people register with an address and a password, and are logged in", async () => {
  const { ended, setApplication, visitor } = await startStage();
  expect((await visitor.open(`${login}/register`)).status).toBe(404);
  await setApplication({ registrationConfiguration: { enabled: true } });
  await visitor.open(login);
  await visitor.open(visitor.page.link("Create an account"));
  const fields = { "user.email": "new@example.com", "user.password": "short", "confirm.user.password": "short" };
  const short = await visitor.send(fields);
  expect(short.text).toContain("This is too short.");
  expect(short.forms[0]?.fields["user.email"]).toBe("new@example.com");
  const taken = { ...fields, "user.email": "ann@example.com", "user.password": password, "confirm.user.password": password };
  expect((await visitor.send(taken)).text).toContain("This is taken already.");
  const end = await visitor.send({ ...taken, "user.email": "new@example.com" });
  expect(end.location).toContain("https://app.example/");
  expect(ended[0]?.login?.amr).toEqual(["pwd"]);
});

requirement("pages.registration", "a form asks in steps, verifies an address, and stores nothing before the last", async () => {
  const { ended, nextMail, setApplication, visitor, world } = await startStage();
  const { fields } = await world.identity.formFields.list();
  const idOf = (key: string): string => fields.find((field) => field.key === key)?.id ?? "";
  const color = { name: "Color", key: "user.data.color", control: "radio", options: ["red", "blue"], required: true } as const;
  const custom = await world.identity.formFields.create({ field: color });
  const steps = [
    { fields: [idOf("user.email"), idOf("user.password")] },
    { type: "verifyEmail" as const },
    { fields: [custom.field.id, idOf("user.firstName")] },
  ];
  const { form } = await world.identity.forms.create({ form: { name: "Join", steps } });
  await setApplication({ registrationConfiguration: { enabled: true, type: "advanced", formId: form.id } });
  const first = await visitor.open(`${login}/register`);
  expect(first.text).toContain("Step 1 of 3");
  const entered = { "user.email": "new@example.com", "user.password": password, "confirm.user.password": password };
  const second = await visitor.send(entered);
  expect(second.text).toContain("Enter the code that was sent to new@example.com.");
  expect(second.response.body).not.toContain(password);
  expect((await visitor.send({ oneTimeCode: "WRONG" })).text).toContain("The code is wrong.");
  const { words } = await nextMail("check");
  const [verifying] = visitor.page.forms;
  const typed = { ...verifying?.fields, oneTimeCode: words[2] ?? "" };
  const third = await visitor.post(verifying?.action ?? "", typed);
  expect(third.text).toContain("Step 3 of 3");
  expect((await visitor.post(verifying?.action ?? "", typed)).text).toBe(third.text);
  const missing = await visitor.send({ "user.firstName": "New" });
  expect(missing.text).toContain("Fill in this field.");
  expect((await world.caller.get("/api/user?email=new@example.com")).status).toBe(404);
  await visitor.send({ "user.data.color": "red" });
  expect(ended).toHaveLength(1);
  const made = await world.caller.get("/api/user?email=new@example.com");
  expect(made.at("user.data")).toEqual({ color: "red" });
  expect(made.at("user.verified")).toBe(true);
});

test("values of a step that another browser made, or that were changed, are refused", async () => {
  const { setApplication, visitor, world } = await startStage();
  await setApplication({ registrationConfiguration: { enabled: true } });
  await visitor.open(`${login}/register`);
  const held = visitor.page.forms[0]?.fields.held ?? "";
  const other = new Visitor(world.identity);
  await other.open(`${login}/register`);
  const entered = { "user.email": "new@example.com", "user.password": password, "confirm.user.password": password };
  expect((await other.send({ ...entered, held })).status).toBe(410);
  await other.open(`${login}/register`);
  expect((await other.send({ ...entered, held: "x" })).status).toBe(410);
});

test("a login without a password goes on by the link of a mail in the same browser", async () => {
  const { ended, nextMail, setApplication, visitor } = await startStage();
  await setApplication({ passwordlessConfiguration: { enabled: true } });
  await visitor.open(login);
  await visitor.open(visitor.page.link("Send me a sign-in message"));
  expect((await visitor.send({ loginId: "ann@example.com" })).text).toContain("a message is on its way");
  const { words } = await nextMail("login");
  const link = `/oauth2/passwordless/${words[1]}`;
  await visitor.open(link);
  expect(ended).toEqual([]);
  await visitor.send({});
  expect(ended[0]?.login?.amr).toEqual(["otp"]);
});

requirement("pages.other-browser", "a mailed link that opens in another browser goes on in the first one alone", async () => {
  const { ended, nextMail, setApplication, visitor, world } = await startStage();
  await setApplication({ passwordlessConfiguration: { enabled: true } });
  await visitor.open(`${login}/passwordless`);
  await visitor.send({ loginId: "ann@example.com" });
  const { words } = await nextMail("login");
  const other = new Visitor(world.identity);
  const shown = await other.open(`/oauth2/passwordless/${words[1]}`);
  expect([shown.status, shown.title, shown.forms]).toEqual([200, "Go on in the other browser", []]);
  expect(shown.text).toContain("You began to sign in in another browser.");
  const [, link = ""] = /value="([^"]*\/oauth2\/passwordless\/[^"]*)"/.exec(shown.response.body) ?? [];
  for (const wrong of ["nothing", "https://evil.example/", `${link}x`])
    expect((await visitor.send({ link: wrong })).text).toContain("This link does not work any more.");
  expect(ended).toEqual([]);
  await visitor.send({ link: ` ${link} ` });
  expect(ended[0]?.login).toMatchObject({ userId: ids.user, amr: ["otp"] });
});

requirement("pages.own-link", "a mailed link finishes the login that asked for it, and no other", async () => {
  const { ended, nextMail, setApplication, visitor, world } = await startStage();
  await setApplication({ passwordlessConfiguration: { enabled: true } });
  expectOk(await world.caller.post("/api/user", { user: { email: "bob@example.com", password } }));
  const ask = async (who: Visitor, email: string): Promise<string> => {
    await who.open(`${login}/passwordless`);
    await who.send({ loginId: email });
    return (await nextMail("login")).words[1] ?? "";
  };
  const expectRefused = async (who: Visitor, code: string): Promise<void> => {
    // The page of the link, its address below the own interaction, and the field for a link.
    for (const path of [`/oauth2/passwordless/${code}`, `${login}/passwordless-code/${code}`]) {
      await who.open(path);
      if (who.page.forms.length > 0) await who.send({});
    }
    await who.open(`${login}/passwordless-code`);
    if (who.page.forms.length > 0) await who.send({ link: code });
    expect(ended).toEqual([]);
  };
  const [thief, stranger] = [new Visitor(world.identity), new Visitor(world.identity)];
  const first = await ask(visitor, "ann@example.com");
  const stolen = await ask(thief, "bob@example.com");
  // Whoever finds a link, with and without a login of his own that waits; and who is sent the link of somebody else.
  await expectRefused(thief, first);
  await stranger.open(login);
  await expectRefused(stranger, first);
  await expectRefused(visitor, stolen);
  // The message may be asked for again, and each of the last three finishes the login.
  await ask(visitor, "ann@example.com");
  await visitor.open(`/oauth2/passwordless/${first}`);
  await visitor.send({});
  expect(ended[0]?.login?.userId).toBe(ids.user);
});

requirement("pages.link-for-code", "a link leads to the code where the login asks for one", async () => {
  const { ended, nextMail, setApplication, visitor, world } = await startStage();
  await setApplication({ passwordlessConfiguration: { enabled: true, emailLoginStrategy: "FormField" } });
  await visitor.open(`${login}/passwordless`);
  await visitor.send({ loginId: "ann@example.com" });
  const { words } = await nextMail("login");
  const link = `/oauth2/passwordless/${words[1]}`;
  expect((await new Visitor(world.identity).open(link)).text).toContain(
    "If it asks for a code, enter the code from the message.",
  );
  const shown = await visitor.open(link);
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining("Enter the code from the message.")]);
  await visitor.send({ oneTimeCode: words[2] ?? "" });
  expect(ended).toHaveLength(1);
});

test("a login without a password goes on by a code, and of nobody looks the same", async () => {
  const { ended, nextMail, setApplication, visitor, world } = await startStage();
  await setApplication({ passwordlessConfiguration: { enabled: true, emailLoginStrategy: "FormField" } });
  const other = new Visitor(world.identity);
  await other.open(`${login}/passwordless`);
  const unknown = await other.send({ loginId: "nobody@example.com" });
  await visitor.open(`${login}/passwordless`);
  const known = await visitor.send({ loginId: "ann@example.com" });
  expect(unknown.text).toBe(known.text);
  expect(other.cookies.get("latchkey_flow")?.length).toBeGreaterThan(80);
  expect((await other.send({ oneTimeCode: "ABCDEF" })).text).toContain("The code is wrong.");
  const { words } = await nextMail("login");
  await visitor.send({ oneTimeCode: words[2] ?? "" });
  expect(ended).toHaveLength(1);
});
