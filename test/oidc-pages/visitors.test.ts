// Who comes to the pages may do what they show, as often as somebody without a key may.

import { describe, expect } from "vitest";
import { toVisitor } from "../../adapters/oidc/server/visitor.js";
import { toApiRequest } from "../../src/http/transport/inject.js";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { readEvents } from "../support/world.js";
import { startStage } from "./support/stage.js";
import { Visitor } from "./support/visitor.js";

const entered = { "user.password": password, "confirm.user.password": password };
const registerPath = `/oauth2/register?client_id=${ids.application}`;

describe("a visitor of the pages", () => {
  requirement("pages.visitor-limits", "sends a stranger five mails at most", async () => {
    const { countMails, setApplication, visitor, world } = await startStage();
    const { identity } = world;
    const { fields } = await identity.formFields.list();
    const asked = ["user.email", "user.password"].map((name) => fields.find(({ key }) => key === name)?.id ?? "");
    const steps = [{ fields: asked }, { type: "verifyEmail" as const }];
    const { form } = await identity.forms.create({ form: { name: "Join", steps } });
    await setApplication({ registrationConfiguration: { enabled: true, type: "advanced", formId: form.id } });
    const titles: string[] = [];
    for (let count = 0; count < 30; count++) {
      await visitor.open(registerPath);
      titles.push((await visitor.send({ ...entered, "user.email": "stranger@example.com" })).text);
    }
    await identity.start();
    await identity.settle();
    expect(titles.filter((title) => title.includes("Step 2 of 2"))).toHaveLength(5);
    expect(countMails()).toBe(5);
  });

  requirement("pages.visitor-limits", "makes no more than fifty accounts in fifteen minutes", async () => {
    const { setApplication, world } = await startStage();
    await setApplication({ registrationConfiguration: { enabled: true } });
    const register = async (email: string): Promise<number> => {
      const browser = new Visitor(world.identity);
      await browser.open(registerPath);
      await browser.send({ ...entered, "user.email": email });
      return (await world.caller.get(`/api/user?email=${email}`)).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 60; count++) statuses.push(await register(`new${count}@example.com`));
    expect(statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(404)]);
    world.clock.advance(15 * 60_000);
    expect(await register("late@example.com")).toBe(200);
  });

  requirement("pages.visitor-limits", "does not choose the address that attempts are counted for", async () => {
    const { world } = await startStage();
    const attempt = async (count: number): Promise<number | undefined> => {
      const body = { loginId: `${count}@example.com`, password: "wrong", ipAddress: `192.0.2.${count}` };
      const request = toApiRequest({ method: "POST", url: "/api/login", body });
      return (await world.identity.handle(request, toVisitor(world.defaultTenantId)))?.status;
    };
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 101; count++) statuses.push(await attempt(count));
    expect(statuses.at(-2)).toBe(404);
    expect(statuses.at(-1)).toBe(429);
  });

  requirement("pages.visitor-limits", "begins a thousand verifications and logins in fifteen minutes", async () => {
    const { setApplication, world } = await startStage();
    await setApplication({ passwordlessConfiguration: { enabled: true } });
    const begin = async (url: string, body: object): Promise<number | undefined> => {
      const request = toApiRequest({ method: "POST", url, body: { applicationId: ids.application, ...body } });
      return (await world.identity.handle(request, toVisitor(world.defaultTenantId)))?.status;
    };
    const verify = { existingUserStrategy: "mustNotExist", loginId: "new@example.com", loginIdType: "email" };
    for (let count = 0; count < 999; count++) expect(await begin("/api/identity/verify/start", verify)).toBe(200);
    const start = { loginId: "ann@example.com" };
    expect(await begin("/api/passwordless/start", start)).toBe(200);
    expect(await begin("/api/passwordless/start", start)).toBe(429);
    expect(await begin("/api/identity/verify/start", verify)).toBe(429);
    const byKey = { applicationId: ids.application, ...verify };
    expect((await world.caller.post("/api/identity/verify/start", byKey)).status).toBe(200);
  });

  requirement("pages.visitor-rights", "is nobody in events, and anonymous in the audit log", async () => {
    const { setApplication, visitor, world } = await startStage({}, { auditChanges: true });
    await setApplication({ registrationConfiguration: { enabled: true } });
    await visitor.open(registerPath);
    await visitor.send({ ...entered, "user.email": "new@example.com" });
    const actors = (await readEvents(world.storage, "user.registration.create")).map(({ actor }) => actor?.type);
    // The first one is that of the user who was there.
    expect(actors.toSorted()).toEqual(["apiKey", undefined]);
    const { auditLogs } = await world.identity.auditLogs.search({ search: { user: "anonymous" } });
    // The user and the registration.
    expect(auditLogs.map(({ insertUser }) => insertUser)).toEqual(["anonymous", "anonymous"]);
  });
});
