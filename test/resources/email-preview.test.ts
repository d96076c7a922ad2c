import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, type World } from "../support/world.js";

const path = "/api/email/template/preview";

const german = {
  localizedFromNames: { de: "Der Dienst" },
  localizedSubjects: { de: "Hallo ${user.firstName}", de_CH: "Grüezi ${user.firstName}" },
  localizedTextTemplates: { de: "Willkommen" },
};

const emailTemplate = {
  fromEmail: "service@example.com",
  defaultFromName: "The ${tenant.name}",
  defaultSubject: "Hello ${user.firstName}",
  defaultHtmlTemplate: "<p>${application.name?html} ${registration.roles[0]}</p>",
  defaultTextTemplate: "Welcome",
  ...german,
};

const nothingWrong = { fieldErrors: {}, generalErrors: [] };

forEachStorage((start) => {
  describe("the preview of an email template", () => {
    requirement("email.preview", "is the mail with sample data, and keeps nothing", async () => {
      const { caller } = await start();
      const answer = expectOk(await caller.post(path, { emailTemplate }));
      expect(answer.body).toEqual({
        email: {
          from: { address: "service@example.com", display: "The Sample tenant" },
          html: "<p>Sample application user</p>",
          subject: "Hello Robin",
          text: "Welcome",
        },
        errors: nothingWrong,
      });
      expect((await caller.get("/api/email/template")).at("emailTemplates")).toEqual([]);
    });

    requirement("email.preview", "is in the locale that is asked for, as far as there are texts", async () => {
      const { caller } = await start();
      const show = async (locale: string): Promise<unknown> => {
        const answer = expectOk(await caller.post(path, { emailTemplate, locale }));
        return [answer.at("email.from.display"), answer.at("email.subject"), answer.at("email.text"), answer.at("email.html")];
      };
      const html = "<p>Sample application user</p>";
      expect(await show("de-CH")).toEqual(["Der Dienst", "Grüezi Robin", "Willkommen", html]);
      expect(await show("de_AT")).toEqual(["Der Dienst", "Hallo Robin", "Willkommen", html]);
      expect(await show("fr")).toEqual(["The Sample tenant", "Hello Robin", "Welcome", html]);
      expectRefusal(await caller.post(path, { emailTemplate, locale: "../de" }), 400, "[couldNotConvert]locale");
    });

    requirement("email.preview", "shows what the caller says in place of the samples", async () => {
      const { caller } = await start();
      const sampleData = { user: { firstName: "Ana" }, requestData: { code: "123" } };
      const texts = { defaultSubject: "${user.firstName} ${user.lastName!'-'} ${requestData.code}" };
      const answer = expectOk(await caller.post(path, { emailTemplate: texts, sampleData }));
      expect(answer.body).toEqual({ email: { from: {}, html: "", subject: "Ana - 123", text: "" }, errors: nothingWrong });
    });

    requirement("email.preview-errors", "reports all faults beside the parts that render", async () => {
      const { caller } = await start();
      const wrong = {
        ...emailTemplate,
        defaultSubject: "${requestData.name}: ${requestData.total}",
        defaultHtmlTemplate: "fine\n<#include 'x'>",
        localizedTextTemplates: { de: "a\n  ${requestData.items?size} b" },
      };
      const answer = expectOk(await caller.post(path, { emailTemplate: wrong, locale: "de" }));
      expect(answer.at("email")).toMatchObject({ html: "", subject: "Hallo Robin", text: "a\n   b" });
      const missing = { ...wrong, localizedSubjects: {} };
      const { errors, email } = expectOk(await caller.post(path, { emailTemplate: missing, locale: "de" })).body as never;
      expect(email).toMatchObject({ subject: ":" });
      expect(errors).toEqual({
        fieldErrors: {
          "emailTemplate.defaultHtmlTemplate": [
            {
              code: "[invalid]emailTemplate.defaultHtmlTemplate",
              message: "Line 2, column 1: “<#include” is not part of the template language.",
            },
          ],
          "emailTemplate.defaultSubject": ["requestData.name", "requestData.total"].map((name, index) => ({
            code: "[missing]emailTemplate.defaultSubject",
            message: `Line 1, column ${[1, 22][index]}: There is no ${name}.`,
          })),
          "emailTemplate.localizedTextTemplates.de": [
            {
              code: "[missing]emailTemplate.localizedTextTemplates.de",
              message: "Line 2, column 3: There is no requestData.items.",
            },
          ],
        },
        generalErrors: [],
      });
    });

    requirement("email.preview-errors", "refuses only what has the wrong shape", async () => {
      const { caller } = await start();
      expectRefusal(await caller.post(path, {}), 400, "[missing]emailTemplate");
      const shapes = { defaultSubject: 7, localizedSubjects: ["de"], fromEmail: "nobody" };
      expectRefusal(
        await caller.post(path, { emailTemplate: shapes, sampleData: { user: "Ana" }, locale: 7 }),
        400,
        "[invalidJSON]emailTemplate.defaultSubject",
        "[invalidJSON]emailTemplate.localizedSubjects",
        "[notEmail]emailTemplate.fromEmail",
        "[invalidJSON]sampleData.user",
        "[invalidJSON]locale",
      );
    });

    requirement("email.preview-global", "is for keys of no tenant alone", async () => {
      const world: World = await start();
      const tenantId = await makeTenant(world, "Other");
      const tenant = await callerOfTenant(world, tenantId);
      for (const caller of [tenant, world.caller.inTenant(tenantId), world.as("unknown")])
        expectEmpty(await caller.post(path, { emailTemplate }), 401);
    });

    requirement("email.preview", "is available in process, for a stored template", async () => {
      const { identity } = await start();
      const { emailTemplate: kept } = await identity.emailTemplates.create({ emailTemplate: { name: "N", ...emailTemplate } });
      const { email, errors } = await identity.emailTemplates.preview({ emailTemplate: kept, locale: "de" });
      expect([email.subject, errors]).toEqual(["Hallo Robin", nothingWrong]);
    });

    requirement("errors.never-500", "ends by the number of its steps, however hostile the template is", async () => {
      const { caller } = await start();
      const some = Array.from({ length: 1_000 }, () => "&");
      const lists = `${"<#list requestData.some as a>".repeat(30)}x${"</#list>".repeat(30)}`;
      for (const defaultHtmlTemplate of [lists, `\${requestData.long${"?html".repeat(60)}}`, "${requestData.long}".repeat(20)]) {
        const sampleData = { requestData: { some, long: "&".repeat(100_000) } };
        const answer = expectOk(await caller.post(path, { emailTemplate: { defaultHtmlTemplate }, sampleData }));
        expect(answer.text).toMatch(/too many steps|too long/);
      }
    });
  });
});
