// What a browser hands back is what the service gave it: nobody makes a hidden field of his own.

import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sealValues } from "../../adapters/oidc/pages/request/sealed-values.js";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { login, type Stage, startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const entered = { "user.email": "new@example.com", "user.password": password, "confirm.user.password": password };
const registerPath = `/oauth2/register?client_id=${ids.application}`;

/** An application with a form of three steps; the second one verifies the address. */
async function startForm(more: readonly string[] = []): Promise<Stage & { readonly formId: string }> {
  const stage = await startStage();
  const { identity } = stage.world;
  const { fields } = await identity.formFields.list();
  const idOf = (key: string): string => fields.find((field) => field.key === key)?.id ?? "";
  const steps = [
    { fields: ["user.email", "user.password"].map(idOf) },
    { type: "verifyEmail" as const },
    { fields: ["user.firstName", ...more].map(idOf) },
  ];
  const { form } = await identity.forms.create({ form: { name: "Join", steps } });
  await stage.setApplication({ registrationConfiguration: { enabled: true, type: "advanced", formId: form.id } });
  return { ...stage, formId: form.id };
}

const findUser = async ({ world }: Stage, email = "new@example.com"): Promise<number> =>
  (await world.caller.get(`/api/user?email=${email}`)).status;

describe("a registration that a visitor makes up", () => {
  const wanted = {
    user: { email: "new@example.com", password, verified: true, active: true, data: { plan: "gold" } },
    registration: { roles: ["admin"], verified: true },
    verificationIds: [],
  };

  requirement("pages.sealed", "is refused also to a visitor who knows the own cookie", async () => {
    const stage = await startForm();
    const { visitor } = stage;
    await visitor.open(registerPath);
    const cookie = visitor.cookies.get("latchkey_pages") ?? "";
    const token = visitor.page.forms[0]?.fields.token ?? "";
    const digest = createHash("sha256").update(cookie).digest("base64url");
    const purposes = [`register ${ids.application}`, "register ", `field ${digest} register ${ids.application}`];
    for (const secret of [cookie, token, digest, ""])
      for (const purpose of purposes)
        for (const values of [wanted, { step: 3, held: wanted }, { step: 3, ...wanted }]) {
          const held = sealValues({ secrets: [secret], clock: Date.now, random: randomBytes }, purpose, values);
          expect((await visitor.post(registerPath, { token, held, step: "3", "user.firstName": "Eve" })).status).toBe(410);
        }
    expect(await findUser(stage)).toBe(404);
  });

  test("skips no step", async () => {
    const stage = await startForm();
    const { visitor } = stage;
    await visitor.open(registerPath);
    const second = await visitor.send({ ...entered, step: "3", "user.firstName": "Eve" });
    expect(second.text).toContain("Step 2 of 3");
    const again = await visitor.send({ step: "3", "user.firstName": "Eve", oneTimeCode: "" });
    expect(again.text).toContain("Step 2 of 3");
    expect(await findUser(stage)).toBe(404);
  });

  test("takes the fields of its form alone, and no roles", async () => {
    const { nextMail, visitor, world } = await startForm(["registration.roles"]);
    const role = { role: { name: "admin" } };
    await world.caller.post(`/api/application/${ids.application}/role`, role);
    await visitor.open(registerPath);
    const others = { "user.verified": "true", "user.data.plan": "gold", "registration.roles": "admin", roles: "admin" };
    await visitor.send({ ...entered, ...others });
    const { words } = await nextMail("check");
    await visitor.send({ oneTimeCode: words[2] ?? "", ...others });
    await visitor.send({ "user.firstName": "Eve", ...others });
    const made = await world.caller.get("/api/user?email=new@example.com");
    expect(made.at("user.firstName")).toBe("Eve");
    expect(made.at("user.data")).toEqual({});
    // The default role of the application.
    expect(made.at("user.registrations.0.roles")).toEqual(["buyer"]);
  });

  test("begins again where its form was changed meanwhile", async () => {
    const { formId, visitor, world } = await startForm();
    await visitor.open(registerPath);
    const { form } = await world.identity.forms.retrieve({ formId });
    const [first, , third] = form.steps;
    await world.identity.forms.update({ formId, form: { name: "Join", steps: [first, third] as never } });
    expect((await visitor.send(entered)).status).toBe(410);
  });

  test("of another interaction, application or browser is refused", async () => {
    const { visitor, world } = await startForm();
    await visitor.open(registerPath);
    const held = visitor.page.forms[0]?.fields.held ?? "";
    await visitor.open(`${login}/register`);
    expect((await visitor.send({ ...entered, held })).status).toBe(410);
    const other = new Visitor(world.identity);
    await other.open(registerPath);
    expect((await other.send({ ...entered, held })).status).toBe(410);
  });
});
