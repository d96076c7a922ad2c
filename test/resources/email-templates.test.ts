import { IdentityError } from "latchkey";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { referencesTable } from "../../src/operations/references/references.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/email/template";
const least = { defaultSubject: "S", defaultHtmlTemplate: "H", defaultTextTemplate: "T" };
const named = (name: string): object => ({ emailTemplate: { ...least, name } });

forEachStorage((start) => {
  describe("making an email template", () => {
    requirement(["email-template.create", "email-template.fields"], "answers its fields, empty maps too", async () => {
      const { caller, clock } = await start();
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, named("Welcome")));
      expect(answer.body).toEqual({
        emailTemplate: {
          ...least,
          id: uuid(1),
          name: "Welcome",
          localizedFromNames: {},
          localizedHtmlTemplates: {},
          localizedSubjects: {},
          localizedTextTemplates: {},
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
        },
      });
      expect((await caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement(["email-template.fields"], "keeps every field of the reference and nothing else", async () => {
      const { caller } = await start();
      const emailTemplate = {
        name: "Welcome",
        defaultFromName: "The ${tenant.name} team",
        fromEmail: "no-reply@example.com",
        defaultSubject: "Hello ${user.firstName!}",
        defaultHtmlTemplate: "<p>Hello ${(user.firstName!'you')?html}</p>",
        defaultTextTemplate: "Hello",
        localizedFromNames: { de: "Das Team" },
        localizedSubjects: { de: "Hallo ${user.firstName!}", es_MX: "Hola" },
        localizedHtmlTemplates: { de: "<p>Hallo</p>" },
        localizedTextTemplates: { de: "Hallo" },
      };
      const answer = expectOk(await caller.post(path, { emailTemplate: { ...emailTemplate, data: { a: 1 } } }));
      const {
        id: _id,
        insertInstant: _i,
        lastUpdateInstant: _l,
        ...fields
      } = answer.at("emailTemplate") as Record<string, unknown>;
      expect(fields).toEqual(emailTemplate);
    });

    requirement("email-template.missing", "refuses a body without a template", async () => {
      const { caller } = await start();
      for (const body of [undefined, {}, { emailTemplate: null }, { template: {} }])
        expectRefusal(await caller.post(path, body), 400, "[missing]emailTemplate");
    });

    requirement("email-template.required", "refuses absent, null and blank texts, all at once", async () => {
      const { caller } = await start();
      const fields = ["name", "defaultSubject", "defaultHtmlTemplate", "defaultTextTemplate"];
      const codes = fields.map((field) => `[blank]emailTemplate.${field}`);
      for (const value of [undefined, null, "", " \t\n"]) {
        const emailTemplate = Object.fromEntries(fields.map((field) => [field, value]));
        expectRefusal(await caller.post(path, { emailTemplate }), 400, ...codes);
      }
    });

    requirement(["email-template.name-unique", "record.name-folding"], "refuses a taken name in any case", async () => {
      const { caller } = await start();
      expectOk(await caller.post(path, named("Ärzte")));
      for (const name of ["Ärzte", "ÄRZTE", "  ärzte\n"])
        expectRefusal(await caller.post(path, named(name)), 400, "[duplicate]emailTemplate.name");
      const other = expectOk(await caller.post(path, named("Other"))).textAt("emailTemplate.id");
      expectRefusal(await caller.put(`${path}/${other}`, named("ärzte")), 400, "[duplicate]emailTemplate.name");
      expectRefusal(await caller.patch(`${path}/${other}`, named("ärzte")), 400, "[duplicate]emailTemplate.name");
      expectOk(await caller.put(`${path}/${other}`, named("OTHER")));
    });

    requirement("record.name-length", "takes a name of 191 characters and refuses one of 192", async () => {
      const { caller } = await start();
      expectOk(await caller.post(path, named("n".repeat(191))));
      expectRefusal(await caller.post(path, named("n".repeat(192))), 400, "[tooLong]emailTemplate.name");
    });

    requirement("email-template.trimmed", "trims every text", async () => {
      const { caller } = await start();
      const padded = (text: string): string => ` \n${text}\t `;
      const texts = { name: "N", defaultFromName: "F", fromEmail: "a@example.com", ...least };
      const maps = ["localizedFromNames", "localizedSubjects", "localizedHtmlTemplates", "localizedTextTemplates"];
      const emailTemplate = {
        ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, padded(text)])),
        ...Object.fromEntries(maps.map((field) => [field, { de: padded("L") }])),
      };
      const answer = expectOk(await caller.post(path, { emailTemplate }));
      expect(answer.at("emailTemplate")).toMatchObject({
        ...texts,
        ...Object.fromEntries(maps.map((field) => [field, { de: "L" }])),
      });
    });

    requirement("email-template.no-nulls", "leaves out what is null in a map", async () => {
      const { caller } = await start();
      const localizedSubjects = { de: "Hallo", fr: null, es: null };
      const answer = expectOk(await caller.post(path, { emailTemplate: { ...least, name: "N", localizedSubjects } }));
      expect(answer.at("emailTemplate.localizedSubjects")).toEqual({ de: "Hallo" });
    });

    requirement("email-template.sender", "takes an empty sender for none and refuses what is no address", async () => {
      const { caller } = await start();
      const withSender = (sender: object): object => ({ emailTemplate: { ...least, name: "N", ...sender } });
      const answer = expectOk(await caller.post(path, withSender({ fromEmail: " ", defaultFromName: "" })));
      expect(answer.text).not.toMatch(/fromEmail|defaultFromName/);
      for (const fromEmail of ["somebody", "a@", "@b", "a b@example.com", "${user.email}", "a@example.com\r\nBcc: b@example.com"])
        expectRefusal(await caller.post(path, withSender({ fromEmail })), 400, "[notEmail]emailTemplate.fromEmail");
    });
  });

  describe("an email template", () => {
    requirement(["email-template.retrieve"], "is listed in the order of names, or by id in the query", async () => {
      const { caller } = await start();
      expect((await caller.get(path)).text).toBe('{"emailTemplates":[]}');
      for (const name of ["b", "C", "a"]) expectOk(await caller.post(path, named(name)));
      const all = expectOk(await caller.get(path));
      expect(all.each("emailTemplates", "name")).toEqual(["a", "b", "C"]);
      const [id] = all.each("emailTemplates", "id");
      expect((await caller.get(`${path}?emailTemplateId=${id}`)).at("emailTemplate.name")).toBe("a");
      expectEmpty(await caller.get(`${path}/${uuid(9)}`), 404);
    });

    requirement("email-template.update", "is replaced by PUT", async () => {
      const { caller, clock } = await start();
      const emailTemplate = { ...least, name: "N", fromEmail: "a@example.com", localizedSubjects: { de: "Hallo" } };
      expectOk(await caller.post(`${path}/${uuid(1)}`, { emailTemplate }));
      clock.advance(5);
      const answer = expectOk(await caller.put(`${path}/${uuid(1)}`, named("M")));
      expect(answer.at("emailTemplate")).toMatchObject({ name: "M", localizedSubjects: {}, lastUpdateInstant: clock.instant });
      expect(answer.text).not.toContain("fromEmail");
    });

    requirement("email-template.patch", "has localised texts merged, replaced and removed", async () => {
      const { caller } = await start();
      const localizedSubjects = { de: "Hallo", fr: "Salut" };
      expectOk(await caller.post(`${path}/${uuid(1)}`, { emailTemplate: { ...least, name: "N", localizedSubjects } }));
      const at = `${path}/${uuid(1)}`;
      const subjects = "emailTemplate.localizedSubjects";
      const merged = await caller.patch(at, { emailTemplate: { localizedSubjects: { de: "Moin", es: "Hola", fr: null } } });
      expect(expectOk(merged).at(subjects)).toEqual({ de: "Moin", es: "Hola" });
      const patched = await caller.mergePatch(at, { emailTemplate: { localizedSubjects: { es: null } } });
      expect(expectOk(patched).at(subjects)).toEqual({ de: "Moin" });
      const edited = await caller.jsonPatch(at, [{ op: "add", path: "/emailTemplate/localizedSubjects/en_GB", value: "Hi" }]);
      expect(expectOk(edited).at(subjects)).toEqual({ de: "Moin", en_GB: "Hi" });
      expect(edited.at("emailTemplate")).toMatchObject({ ...least, name: "N" });
      expect(expectOk(await caller.patch(at, { emailTemplate: { localizedSubjects: null } })).at(subjects)).toEqual({});
      const required = await caller.patch(at, { emailTemplate: { defaultSubject: null } });
      expectRefusal(required, 400, "[blank]emailTemplate.defaultSubject");
    });

    requirement("email-template.delete", "is deleted once", async () => {
      const { caller } = await start();
      expectOk(await caller.post(`${path}/${uuid(1)}`, named("N")));
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 404);
      expectOk(await caller.post(path, named("N")));
    });

    requirement("email-template.in-use", "is not deleted while something refers to it", async () => {
      const { caller, storage } = await start();
      expectOk(await caller.post(`${path}/${uuid(1)}`, named("N")));
      const holder = { id: uuid(3), wrapper: "consent", name: "Newsletter" };
      const base = { id: uuid(2), tenantId: null, version: 1, insertInstant: 1, lastUpdateInstant: 1, hidden: null };
      const columns = { holder: `consents/${uuid(3)}`, target: `emailTemplates/${uuid(1)}` };
      const reference = { ...base, json: JSON.stringify(holder), columns };
      await storage.transaction((tx) => tx.insert(globalScope, referencesTable, [reference]));
      const answer = await caller.delete(`${path}/${uuid(1)}`);
      expectRefusal(answer, 400, "[inUse]emailTemplateId");
      expect(answer.text).toContain("consent Newsletter");
      expectOk(await caller.get(`${path}/${uuid(1)}`));
    });

    requirement("email-template.global", "is out of reach for a tenant's key and with a tenant header", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      expectOk(await caller.post(`${path}/${uuid(1)}`, named("N")));
      const at = `${path}/${uuid(1)}`;
      const bound = await callerOfTenant(world, defaultTenantId);
      for (const stranger of [bound, bound.inTenant(defaultTenantId), caller.inTenant(defaultTenantId), caller.inTenant("x")]) {
        for (const place of [path, at, `${path}/search`]) expectEmpty(await stranger.get(place), 401);
        for (const place of [path, `${path}/${uuid(2)}`, `${path}/search`])
          expectEmpty(await stranger.post(place, named("M")), 401);
        expectEmpty(await stranger.put(at, named("M")), 401);
        expectEmpty(await stranger.patch(at, named("M")), 401);
        expectEmpty(await stranger.delete(at), 401);
      }
      expect(expectOk(await caller.get(path)).each("emailTemplates", "name")).toEqual(["N"]);
      expectEmpty(await caller.with({ Authorization: "no-key" }).get(path), 401);
      expectEmpty(await caller.put(`${path}/search`, {}), 405);
    });

    requirement("email-template.global", "is reached in spite of a tenant header before 1.65.0", async () => {
      const { caller, defaultTenantId } = await start({ version: "1.64.0" });
      expectOk(await caller.inTenant(defaultTenantId).post(path, named("N")));
      expectOk(await caller.inTenant(defaultTenantId).get(path));
    });

    requirement("email-template.in-process", "is served in process", async () => {
      const { identity } = await start();
      const { emailTemplate } = await identity.emailTemplates.create({ emailTemplate: { ...least, name: "N" } });
      const emailTemplateId = emailTemplate.id;
      expect(await identity.emailTemplates.retrieve({ emailTemplateId })).toEqual({ emailTemplate });
      expect((await identity.emailTemplates.list()).emailTemplates).toEqual([emailTemplate]);
      await identity.emailTemplates.update({ emailTemplateId, emailTemplate: { ...least, name: "M" } });
      const patch = { emailTemplate: { defaultSubject: "${a" } };
      const refusal = expect(identity.emailTemplates.patch({ emailTemplateId, patch })).rejects;
      await refusal.toBeInstanceOf(IdentityError);
      await refusal.toMatchObject({ code: "[invalid]emailTemplate.defaultSubject" });
      expect((await identity.emailTemplates.search({ search: { name: "m" } })).total).toBe(1);
      await identity.emailTemplates.remove({ emailTemplateId });
      expect((await identity.emailTemplates.list()).emailTemplates).toEqual([]);
    });
  });
});
