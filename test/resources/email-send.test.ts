import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeUser } from "../support/families.js";
import { keptMails, makeTemplate, startMailing } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = `/api/email/send/${uuid(800)}`;
const nobodyLeftOut = '{"anonymousResults":{},"results":{}}';

async function makePerson(world: World, user: object, tenantId = world.defaultTenantId): Promise<string> {
  return expectOk(await world.caller.inTenant(tenantId).post("/api/user", { user })).textAt("user.id");
}

forEachStorage((start) => {
  describe("sending an email template", () => {
    requirement("email.send", "reaches users and addresses, with copies, after a 202", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world);
      const userId = await makePerson(world, { email: "Ana@Example.com", firstName: "Ana", lastName: "Lopez" });
      const answer = await world.caller.post(path, {
        userIds: [userId, userId],
        toAddresses: [
          { address: " bo@example.com ", display: "Bo" },
          { address: "cy@example.com" },
          { address: "BO@example.com" },
        ],
        ccAddresses: ["copy@example.com"],
        bccAddresses: ["hidden@example.com"],
      });
      expect([answer.status, answer.text]).toEqual([202, nobodyLeftOut]);
      const sent = await box.holds(3);
      const to = sent.map((message) => message.to).sort((a, b) => (a.address < b.address ? -1 : 1));
      expect(to).toEqual([
        { address: "ana@example.com", display: "Ana Lopez" },
        { address: "bo@example.com", display: "Bo" },
        { address: "cy@example.com" },
      ]);
      expect(sent.find((message) => message.userId !== undefined)).toEqual({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        from: { address: "service@example.com" },
        to: { address: "ana@example.com", display: "Ana Lopez" },
        cc: ["copy@example.com"],
        bcc: ["hidden@example.com"],
        subject: "Welcome",
        html: "<p>Welcome</p>",
        text: "Welcome",
        emailTemplateId: uuid(800),
        tenantId: world.defaultTenantId,
        userId,
      });
      expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
    });

    requirement("email.send-variables", "passes application, tenant, user and the request's data to templates", async () => {
      const { box, world } = await startMailing(start);
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop", [{ name: "buyer" }]);
      const userId = await makePerson(world, { email: "ana@example.com", firstName: "Ana", password: "a secret password" });
      const registration = { applicationId, roles: ["buyer"] };
      expectOk(await world.caller.post(`/api/user/registration/${userId}`, { registration }));
      await makeTemplate(world, {
        defaultTextTemplate:
          "${tenant.name} ${application.name} ${(user.firstName)!'you'} ${(registration.roles[0])!'none'} ${requestData.code}",
        defaultHtmlTemplate: "<#if user??>${user.password!'none'}${user.salt!}</#if>",
      });
      const requestData = { code: "<1>" };
      const body = { applicationId, requestData, userIds: [userId], toAddresses: [{ address: "bo@example.com" }] };
      expect((await world.caller.post(path, body)).text).toBe(nobodyLeftOut);
      const sent = await box.holds(2);
      expect(sent.map(({ text }) => text).sort()).toEqual(["Default Shop Ana buyer <1>", "Default Shop you none <1>"]);
      expect(sent.map(({ html }) => html).sort()).toEqual(["", "none"]);
    });

    requirement("email.send-errors", "names who gets none and why, and reaches everybody else", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world, {
        defaultTextTemplate: "Dear\n${user.firstName},\n${user.data.plan}",
        localizedSubjects: { de: "x" },
      });
      const named = await makePerson(world, { email: "ana@example.com", firstName: "Ana", data: { plan: "gold" } });
      const unnamed = await makePerson(world, { email: "bo@example.com" });
      const unreachable = await makePerson(world, { username: "cy" });
      const userIds = [named, unnamed, unreachable];
      const answer = await world.caller.post(path, { userIds, toAddresses: [{ address: "dee@example.com" }] });
      const missing = "Line 2, column 1: There is no user.firstName.\nLine 3, column 1: There is no user.data.plan.";
      const errors = { parseErrors: {}, renderErrors: { "emailTemplate.defaultTextTemplate": missing } };
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({
        results: {
          [unnamed]: errors,
          [unreachable]: {
            parseErrors: {},
            renderErrors: { "user.email": "The user has no email address that a mail could be sent to." },
          },
        },
        anonymousResults: { "dee@example.com": errors },
      });
      expect((await box.holds(1))[0]?.userId).toBe(named);
    });

    requirement("email.send-locale", "is in the first language that each text has", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world, {
        localizedSubjects: { fr: "Bienvenue", de: "Willkommen", es_MX: "Bienvenido", pt: " " },
        localizedTextTemplates: { de: "Hallo" },
      });
      const cases: readonly (readonly [languages: readonly string[], subject: string, text: string])[] = [
        [["de_CH"], "Willkommen", "Hallo"],
        [["it", "es-mx", "de"], "Bienvenido", "Hallo"],
        [["es", "fr_CA", "de"], "Bienvenue", "Hallo"],
        [["pt_BR"], "Welcome", "Welcome"],
        [["__proto__", "../de", ""], "Welcome", "Welcome"],
        [[], "Welcome", "Welcome"],
      ];
      for (const [index, [preferredLanguages]] of cases.entries())
        await world.caller.post(path, { preferredLanguages, toAddresses: [{ address: `number${index}@example.com` }] });
      const sent = await box.holds(cases.length);
      const shown = cases.map((_case, index) => {
        const message = sent.find(({ to }) => to.address === `number${index}@example.com`);
        return [message?.subject, message?.text];
      });
      expect(shown).toEqual(cases.map(([, subject, text]) => [subject, text]));
    });

    requirement("email.send-locale", "follows a user's own languages before those of the call", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world, { localizedSubjects: { fr: "Bienvenue", de: "Willkommen" } });
      const german = await makePerson(world, { email: "a@example.com", preferredLanguages: ["de_AT"] });
      const italian = await makePerson(world, { email: "b@example.com", preferredLanguages: ["it"] });
      await world.caller.post(path, { preferredLanguages: ["fr"], userIds: [german, italian] });
      const sent = await box.holds(2);
      expect(sent.map(({ subject, to }) => [to.address, subject]).sort()).toEqual([
        ["a@example.com", "Willkommen"],
        ["b@example.com", "Bienvenue"],
      ]);
    });

    requirement("email.send-sender", "is from the template's sender, else from the tenant's", async () => {
      const { box, world } = await startMailing(start);
      const emailConfiguration = { defaultFromEmail: " tenant@example.com ", defaultFromName: "The tenant" };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { emailConfiguration } }));
      await makeTemplate(world, { defaultFromName: "${tenant.name}'s", localizedFromNames: { de: "Der Dienst" } });
      await makeTemplate(world, { name: "Another", fromEmail: "" }, uuid(801));
      const body = { toAddresses: [{ address: "a@example.com" }] };
      const senders: unknown[] = [];
      for (const [id, languages] of [
        [uuid(800), []],
        [uuid(800), ["de"]],
        [uuid(801), []],
      ] as const) {
        await world.caller.post(`/api/email/send/${id}`, { ...body, preferredLanguages: languages });
        senders.push((await box.holds(senders.length + 1)).at(-1)?.from);
      }
      expect(senders).toEqual([
        { address: "service@example.com", display: "Default's" },
        { address: "service@example.com", display: "Der Dienst" },
        { address: "tenant@example.com", display: "The tenant" },
      ]);
    });

    requirement("email.send-not-configured", "needs an address to send from, and a way to send", async () => {
      const { world } = await startMailing(start);
      await makeTemplate(world, { fromEmail: undefined });
      const body = { toAddresses: [{ address: "a@example.com" }] };
      const place = "tenant.emailConfiguration.defaultFromEmail";
      expectRefusal(await world.caller.post(path, body), 400, `[notConfigured]${place}`);
      const tenant = { emailConfiguration: { defaultFromEmail: "a@example.com, b@example.com" } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
      expectRefusal(await world.caller.post(path, body), 400, `[notEmail]${place}`);
      const mute = await start();
      await makeTemplate(mute);
      expectRefusal(await mute.caller.post(path, body), 400, "[notConfigured]emailTemplateId");
      expect([await keptMails(world), await keptMails(mute)]).toEqual([[], []]);
    });

    requirement("email.send-tenant", "keeps to the tenant of the caller", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world, { defaultTextTemplate: "${tenant.name} ${(application.name)!}" });
      const other = await makeTenant(world, "Other");
      const [own, foreign] = [
        await makeUser(world, other, "a@example.com"),
        await makeUser(world, world.defaultTenantId, "b@example.com"),
      ];
      const [shop, foreignShop] = [
        await makeApplication(world, other, "Shop"),
        await makeApplication(world, world.defaultTenantId, "Far"),
      ];
      const tenant = await callerOfTenant(world, other);
      for (const caller of [tenant, world.caller.inTenant(other)]) {
        expectRefusal(await caller.post(path, { userIds: [own, foreign] }), 400, "[invalid]userIds");
        const toForeign = { userIds: [own], applicationId: foreignShop };
        expectRefusal(await caller.post(path, toForeign), 400, "[invalid]applicationId");
      }
      expectRefusal(await world.caller.post(path, { userIds: [own], applicationId: foreignShop }), 400, "[invalid]applicationId");
      expectRefusal(await world.caller.post(path, { userIds: [uuid(1)] }), 400, "[invalid]userIds");
      expectRefusal(await world.caller.post(path, { toAddresses: [{ address: "c@example.com" }] }), 400, "[TenantIdRequired]");
      const bodies = [{ applicationId: shop, toAddresses: [{ address: "c@example.com" }] }, { userIds: [foreign] }];
      for (const body of bodies) expect((await world.caller.post(path, body)).text).toBe(nobodyLeftOut);
      expect((await tenant.post(path, { toAddresses: [{ address: "d@example.com" }], userIds: [own] })).text).toBe(nobodyLeftOut);
      const sent = await box.holds(4);
      expect(sent.map(({ tenantId, text, to }) => [to.address, text, tenantId]).sort()).toEqual([
        ["a@example.com", "Other ", other],
        ["b@example.com", "Default ", world.defaultTenantId],
        ["c@example.com", "Other Shop", other],
        ["d@example.com", "Other ", other],
      ]);
      expectEmpty(await world.as("unknown").post(path, { userIds: [own] }), 401);
    });
  });
});
