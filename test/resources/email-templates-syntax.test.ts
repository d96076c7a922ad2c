import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { cpuTime } from "../support/cpu-time.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = "/api/email/template";
const least = { name: "N", defaultSubject: "S", defaultHtmlTemplate: "H", defaultTextTemplate: "T" };
const plainFields = ["defaultFromName", "defaultSubject", "defaultHtmlTemplate", "defaultTextTemplate"];
const maps = ["localizedFromNames", "localizedSubjects", "localizedHtmlTemplates", "localizedTextTemplates"];

const mail = `<#-- An order. -->
<p>Dear \${(user.firstName!'customer')?html},</p>
<#if requestData.items?? && requestData.items?size gt 0>
  <ul>
    <#list requestData.items as item>
      <li>\${item.count!1} × \${item["display name"]?html}<#if item.price gte 100 || item.isRare!false> *</#if></li>
    </#list>
  </ul>
<#elseif !user.active>
  <p>\${application.name?upper_case}</p>
<#else>
  <p>Nothing.</p>
</#if>`;

forEachStorage((start) => {
  describe("the texts of an email template", () => {
    requirement("email-template.language", "may use the whole language, and are stored as written", async () => {
      const { caller } = await start();
      const emailTemplate = { ...least, defaultHtmlTemplate: mail, localizedHtmlTemplates: { de: mail } };
      const answer = expectOk(await caller.post(path, { emailTemplate }));
      expect(answer.at("emailTemplate.defaultHtmlTemplate")).toBe(mail);
      expect(answer.at("emailTemplate.localizedHtmlTemplates.de")).toBe(mail);
    });

    requirement("email-template.syntax", "are refused where they are no templates, all at once", async () => {
      const { caller } = await start();
      const wrong = "Hello,\n  ${user.firstName?url}";
      const emailTemplate = {
        name: "N",
        ...Object.fromEntries(plainFields.map((field) => [field, wrong])),
        ...Object.fromEntries(maps.map((field) => [field, { de: "fine", es_MX: wrong, fr: wrong }])),
      };
      const paths = [...plainFields, ...maps.flatMap((field) => [`${field}.es_MX`, `${field}.fr`])];
      const answer = await caller.post(path, { emailTemplate });
      expectRefusal(answer, 400, ...paths.map((field) => `[invalid]emailTemplate.${field}`));
      const { fieldErrors } = answer.body as { readonly fieldErrors: Record<string, readonly [{ readonly message: string }]> };
      for (const [entry] of Object.values(fieldErrors))
        expect(entry.message).toMatch(/is not valid\. Line 2, column 20: Only \?html, \?size, \?upper_case/);
    });

    requirement("email-template.syntax", "have their lines counted as they were sent, before they are trimmed", async () => {
      const { caller } = await start();
      const answer = await caller.post(path, { emailTemplate: { ...least, defaultTextTemplate: "\n\n <#include 'x'>" } });
      expectRefusal(answer, 400, "[invalid]emailTemplate.defaultTextTemplate");
      expect(answer.text).toContain("Line 3, column 2: “<#include” is not part of the template language.");
    });

    requirement("email-template.syntax", "are refused with each construct that is not in the language", async () => {
      const { caller } = await start();
      const unknown = [
        "<#assign a = 1>",
        "<#macro m></#macro>",
        "<@m/>",
        "<#import 'x' as y>",
        "<#function f></#function>",
        "[#if a][/#if]",
        "#{a}",
        "${a + b}",
        "${a?eval}",
        "${a?new()}",
        "${'some.package.Execute'?new()('id')}",
        "${.data_model}",
        "${a?interpret}",
        "${a.getClass()}",
        '${"${a}"}',
        "<#if a>",
        "<#list a as b>",
      ];
      for (const text of unknown) {
        const answer = await caller.post(path, { emailTemplate: { ...least, defaultSubject: text } });
        expectRefusal(answer, 400, "[invalid]emailTemplate.defaultSubject");
      }
      expect((await caller.get(path)).at("emailTemplates")).toEqual([]);
    });

    requirement("email-template.syntax", "are checked by PUT and by every PATCH, which change nothing then", async () => {
      const { caller } = await start();
      const at = `${path}/${uuid(1)}`;
      const before = expectOk(await caller.post(at, { emailTemplate: least })).text;
      const wrong = { defaultSubject: "${", localizedSubjects: { fr: "</#if>" } };
      const codes = ["[invalid]emailTemplate.defaultSubject", "[invalid]emailTemplate.localizedSubjects.fr"];
      expectRefusal(await caller.put(at, { emailTemplate: { ...least, ...wrong } }), 400, ...codes);
      expectRefusal(await caller.patch(at, { emailTemplate: wrong }), 400, ...codes);
      expectRefusal(await caller.mergePatch(at, { emailTemplate: wrong }), 400, ...codes);
      const operation = { op: "replace", path: "/emailTemplate/defaultSubject", value: "${" };
      expectRefusal(await caller.jsonPatch(at, [operation]), 400, codes[0] ?? "");
      expect((await caller.get(at)).text).toBe(before);
    });

    requirement("errors.never-500", "are read fast, however hostile they are", async () => {
      const { caller } = await start();
      for (const unit of ["${", "<#if a>", "${(", "${!", "<#--", "${a", "<#list a as b>", "${'", "<"]) {
        const text = unit.repeat(900_000 / unit.length);
        const start = cpuTime();
        const answer = await caller.post(path, { emailTemplate: { ...least, defaultTextTemplate: text } });
        expect({ unit, isFast: cpuTime() - start < 2_000 }).toEqual({ unit, isFast: true });
        if (unit !== "<") expectRefusal(answer, 400, "[invalid]emailTemplate.defaultTextTemplate");
      }
    });
  });

  describe("the maps of an email template", () => {
    requirement("email-template.locales", "have Java locales as keys", async () => {
      const { caller } = await start();
      const fine = { de: "1", fr: "2", es_MX: "3", en_GB: "4", fil: "5", es_419: "6" };
      const maps4 = Object.fromEntries(maps.map((field) => [field, fine]));
      const answer = expectOk(await caller.post(path, { emailTemplate: { ...least, ...maps4 } }));
      expect(answer.at("emailTemplate")).toMatchObject(maps4);
    });

    requirement("email-template.locales", "are refused with any other key", async () => {
      const { caller } = await start();
      const keys = ["de-DE", "DE", "de_de", "DE_de", "d", "german", "de_DE_", "de_", "_DE", "de_DE_x", "*", "", " de"];
      for (const field of maps) {
        const answer = await caller.post(path, {
          emailTemplate: { ...least, [field]: Object.fromEntries(keys.map((key) => [key, "x"])) },
        });
        const plainName = /^[A-Za-z_]\w*$/;
        const codes = keys.map((key) => `[invalid]emailTemplate.${field}${plainName.test(key) ? `.${key}` : `[${key}]`}`);
        expectRefusal(answer, 400, ...codes);
      }
    });

    requirement("email-template.locales", "hold texts and nothing else", async () => {
      const { caller } = await start();
      for (const field of maps) {
        const wrongText = await caller.post(path, { emailTemplate: { ...least, [field]: { de: 7, fr: "${" } } });
        expectRefusal(wrongText, 400, `[invalidJSON]emailTemplate.${field}.de`, `[invalid]emailTemplate.${field}.fr`);
        const wrongMap = await caller.post(path, { emailTemplate: { ...least, [field]: ["de"] } });
        expectRefusal(wrongMap, 400, `[invalidJSON]emailTemplate.${field}`);
      }
    });
  });
});
