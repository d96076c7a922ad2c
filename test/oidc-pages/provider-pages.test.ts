// Consent, and the pages that the provider itself asks for.
import { expect, test } from "vitest";
import { ids } from "../support/logins.js";
import { login, startStage, uid } from "./support/stage.js";

const consent = { prompt: "consent" as const, missingScopes: ["email", "orders:read"] };

test("a consent names what the application asks for, and is given", async () => {
  const { ask, ended, visitor } = await startStage({ theme: { messages: { default: { "scope-orders:read": "Your orders" } } } });
  ask(consent);
  const page = await visitor.open(login);
  expect(page.title).toBe("Allow access");
  expect(page.text).toContain("Your email address Your orders");
  await visitor.send({ decision: "allow" });
  expect(ended).toEqual([{ uid, scopes: "all" }]);
});

test("a consent that is denied, or sent without a decision, ends the interaction with an error", async () => {
  const { ask, ended, visitor } = await startStage();
  for (const decision of ["deny", ""]) {
    ask(consent);
    await visitor.open(login);
    await visitor.send({ decision });
  }
  expect(ended.map(({ aborted }) => aborted)).toEqual(Array(2).fill(expect.objectContaining({ error: "access_denied" })));
});

const form = { action: "/oauth2/device", fields: { xsrf: "<secret>" } };

test("the code of a device is asked for, and what is wrong with it is said beside the field", async () => {
  const { shown, visitor } = await startStage();
  shown.set("/oauth2/device-shown", { kind: "deviceCode", form, error: "expired" });
  const page = await visitor.open("/oauth2/device-shown");
  expect(page.forms).toEqual([{ action: "/oauth2/device", fields: { xsrf: "<secret>", user_code: "" } }]);
  expect(page.response.body).toContain('aria-invalid="true"');
  shown.set("/oauth2/device-shown", { kind: "deviceCode", form, error: "missing" });
  expect((await visitor.open("/oauth2/device-shown")).text).toContain("Fill in this field.");
});

test("the code of a device is confirmed for its application", async () => {
  const { shown, visitor, world } = await startStage();
  const place = { tenantId: world.defaultTenantId, applicationId: ids.application };
  shown.set("/oauth2/device-shown", { kind: "deviceConfirm", form, userCode: "ABCD-EFGH", ...place });
  const page = await visitor.open("/oauth2/device-shown");
  expect(page.text).toContain("shows the code ABCD-EFGH to Shop?");
  expect(page.response.body).toContain('name="abort" value="yes"');
  shown.set("/oauth2/device-shown", { kind: "deviceDone" });
  expect((await visitor.open("/oauth2/device-shown")).title).toBe("Device connected");
});

test("a logout is asked for, and its end loads the frames of front-channel logout", async () => {
  const { shown, visitor } = await startStage();
  shown.set("/oauth2/logout-shown", { kind: "logout", form, uiLocales: "de" });
  const page = await visitor.open("/oauth2/logout-shown");
  expect(page.title).toBe("Abmelden");
  expect(page.response.body).toContain('name="logout" value="yes"');
  const frames = ["https://app.example/logout?sid=1&iss=x", "javascript:alert(1)"];
  shown.set("/oauth2/logout-shown", { kind: "loggedOut", frames, next: "https://app.example/bye?a=1&b=2" });
  const { body, headers } = (await visitor.open("/oauth2/logout-shown")).response;
  expect(body).toContain('<iframe src="https://app.example/logout?sid=1&amp;iss=x"');
  expect(body).toContain('content="2;url=https://app.example/bye?a=1&amp;b=2"');
  expect(body).not.toContain("javascript:");
  expect(headers["content-security-policy"]).toContain("frame-src https://app.example;");
  shown.set("/oauth2/logout-shown", { kind: "loggedOut", frames: [], next: "javascript:alert(1)" });
  expect((await visitor.open("/oauth2/logout-shown")).response.body).not.toContain("javascript:");
});

test("a request that cannot go back to its client is a page with the status of the error", async () => {
  const { shown, visitor } = await startStage();
  const description = "redirect_uri <script>alert(1)</script> is not registered";
  shown.set("/oauth2/error-shown", { kind: "error", status: 400, error: "invalid_request", description });
  const page = await visitor.open("/oauth2/error-shown");
  expect(page.status).toBe(400);
  expect(page.text).toContain(description);
  expect(page.response.body).not.toContain("<script>");
});
