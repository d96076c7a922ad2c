// Names and texts that an administrator, an application or a user chose hold markup: no page takes it for its own.

import { expect } from "vitest";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { login, startStage, uid } from "./support/stage.js";

const probe = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\${7*7}`;

requirement("pages.escaped", "no page repeats markup that is no page's own", async () => {
  const theme = { title: probe, messages: { default: { "login-button": probe, "scope-evil": probe, "user.data.f": probe } } };
  const { ask, setApplication, setTenant, shown, visitor, world } = await startStage({ theme });
  await setTenant({ name: `T${probe}` });
  const field = { name: "f", key: "user.data.f", control: "radio", options: [probe, "b"], description: probe } as const;
  const custom = await world.identity.formFields.create({ field });
  const { fields } = await world.identity.formFields.list();
  const idsOf = ["user.email", "user.password"].map((key) => fields.find((one) => one.key === key)?.id ?? "");
  const { form } = await world.identity.forms.create({ form: { name: "f", steps: [{ fields: [...idsOf, custom.field.id] }] } });
  const registrationConfiguration = { enabled: true, type: "advanced", formId: form.id };
  await setApplication({ name: `A${probe}`, registrationConfiguration, passwordlessConfiguration: { enabled: true } });
  await world.identity.identityProviders.create({
    identityProvider: {
      name: probe,
      type: "OpenIDConnect",
      enabled: true,
      buttonText: probe,
      applicationConfiguration: { [ids.application]: { enabled: true } },
      oauth2: { client_id: "x", client_secret: "y", issuer: "https://upstream.example" },
    },
  });
  const params = { login_hint: probe, redirect_uri: "https://app.example/callback", ui_locales: probe };
  const bodies: string[] = [];
  const keep = (body: string): void => void bodies.push(body);
  ask({ params });
  for (const path of ["", "/forgot", "/register", "/passwordless", "/link", "/two-factor", "/verify-email"])
    keep((await visitor.open(login + path)).response.body);
  await visitor.open(login);
  keep((await visitor.send({ loginId: probe, password })).response.body);
  await visitor.open(`${login}/register`);
  const entered = { "user.email": probe, "user.password": password, "confirm.user.password": probe, "user.data.f": probe };
  keep((await visitor.send(entered)).response.body);
  const flow = {
    twoFactorId: "x",
    methods: JSON.stringify([
      { id: probe, method: "email", to: probe },
      { id: "b", method: "sms", to: probe },
    ]),
    provider: probe,
    pendingLinkId: "x",
    notice: "provider-failed",
    methodId: "b",
  };
  for (const path of ["/two-factor", "/two-factor-methods", "/link", ""]) {
    visitor.cookies.set("latchkey_flow", Buffer.from(JSON.stringify(flow)).toString("base64url"));
    keep((await visitor.open(login + path)).response.body);
  }
  ask({ params, prompt: "consent", missingScopes: ["evil", probe] });
  keep((await visitor.open(login)).response.body);
  const place = { tenantId: world.defaultTenantId, applicationId: ids.application };
  const provided = { action: probe, fields: { [probe]: probe } };
  for (const page of [
    { kind: "deviceCode", form: provided },
    { kind: "deviceConfirm", form: provided, userCode: probe },
    { kind: "logout", form: provided },
    { kind: "loggedOut", frames: [`https://a.example/${probe}`], next: `https://a.example/${probe}` },
    { kind: "error", status: 400, error: probe, description: probe },
  ] as const) {
    shown.set("/oauth2/shown", { ...page, ...place, uiLocales: probe });
    keep((await visitor.open("/oauth2/shown")).response.body);
  }
  expect(bodies.filter((body) => body.includes("alert(1)")).length).toBeGreaterThan(15);
  for (const body of bodies) expect(body).not.toMatch(/<script|<img src=x|"'>/);
  expect(uid).toBe("interaction-1");
});
