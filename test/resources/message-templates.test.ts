import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { makeMessageTemplate } from "../support/messengers.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = "/api/message/template";

forEachStorage((start) => {
  describe("a message template", () => {
    requirement("message-template.fields", "answers its fields, empty maps too", async () => {
      const { caller, clock } = await start();
      const given = { name: "Code", defaultTemplate: " Code ${code} " };
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, { messageTemplate: given }));
      expect(answer.body).toEqual({
        messageTemplate: {
          id: uuid(1),
          name: "Code",
          type: "SMS",
          data: {},
          defaultTemplate: "Code ${code}",
          localizedTemplates: {},
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
        },
      });
      expect(expectOk(await caller.get(path)).body).toEqual({ messageTemplates: [answer.at("messageTemplate")] });
      const german = { messageTemplate: { localizedTemplates: { de: " Code ${code}\n" } } };
      expect(expectOk(await caller.patch(`${path}/${uuid(1)}`, german)).at("messageTemplate.localizedTemplates.de")).toBe(
        "Code ${code}",
      );
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
      expectEmpty(await caller.get(`${path}/${uuid(1)}`), 404);
    });

    requirement(["message-template.syntax", "message-template.locales"], "is refused with all that is wrong", async () => {
      const { caller } = await start();
      expectRefusal(
        await caller.post(path, { messageTemplate: {} }),
        400,
        "[blank]messageTemplate.name",
        "[blank]messageTemplate.defaultTemplate",
      );
      const wrong = { name: "A", type: "Fax", defaultTemplate: "${a", localizedTemplates: { de: "<#if a>", deutsch: "A" } };
      expectRefusal(
        await caller.post(path, { messageTemplate: wrong }),
        400,
        "[invalidOption]messageTemplate.type",
        "[invalid]messageTemplate.defaultTemplate",
        "[invalid]messageTemplate.localizedTemplates.de",
        "[invalid]messageTemplate.localizedTemplates.deutsch",
      );
    });

    requirement("message-template.in-use", "stays while a tenant or an application names it", async () => {
      const world = await start();
      const id = await makeMessageTemplate(world);
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const places = [
        ["tenant", `/api/tenant/${world.defaultTenantId}`],
        ["application", `/api/application/${applicationId}`],
      ] as const;
      for (const [wrapper, place] of places) {
        const name = (verificationTemplateId: string | null) =>
          world.caller.patch(place, { [wrapper]: { phoneConfiguration: { verificationTemplateId } } });
        expectRefusal(await name(uuid(99)), 400, `[invalid]${wrapper}.phoneConfiguration.verificationTemplateId`);
        expectOk(await name(id));
        expectRefusal(await world.caller.delete(`${path}/${id}`), 400, "[inUse]messageTemplateId");
        expectOk(await name(null));
      }
      expectEmpty(await world.caller.delete(`${path}/${id}`), 200);
    });

    requirement("message-template.preview", "is shown as a message, with what is wrong with it", async () => {
      const { caller } = await start();
      const preview = (messageTemplate: object, locale?: string) => caller.post(`${path}/preview`, { locale, messageTemplate });
      const texts = { defaultTemplate: "${user.firstName}: ${code}", localizedTemplates: { de: "Code ${code}" } };
      expect(expectOk(await preview(texts)).body).toEqual({
        errors: { fieldErrors: {}, generalErrors: [] },
        message: {
          code: "123456",
          phoneNumber: "555-0100",
          textMessage: "Robin: 123456",
          userId: uuid(0).replace(/.{12}$/, "333333333333"),
        },
        previewMessage: "Robin: 123456",
      });
      expect(expectOk(await preview(texts, "de-CH")).at("previewMessage")).toBe("Code 123456");
      const wrong = expectOk(await preview({ defaultTemplate: "${nobody}" }));
      expect(wrong.at("previewMessage")).toBe("");
      expect(Object.keys(wrong.at("errors.fieldErrors") as object)).toEqual(["messageTemplate.defaultTemplate"]);
      expectRefusal(await preview(texts, "german"), 400, "[couldNotConvert]locale");
    });
  });
});
