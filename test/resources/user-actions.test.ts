import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeAction } from "../support/families/user-actions.js";
import { makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/user-action";

forEachStorage((start) => {
  describe("an action", () => {
    requirement("user-action.fields", "has the fields of the reference with their defaults", async () => {
      const { caller, clock } = await start();
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, { userAction: { name: "Ban", options: [{ name: "A" }] } }));
      expect(answer.at("userAction")).toEqual({
        active: true,
        id: uuid(1),
        includeEmailInEventJSON: false,
        insertInstant: clock.instant,
        lastUpdateInstant: clock.instant,
        localizedNames: {},
        name: "Ban",
        options: [{ localizedNames: {}, name: "A" }],
        preventLogin: false,
        sendEndEvent: true,
        temporal: false,
        transactionType: "None",
        userEmailingEnabled: false,
        userNotificationsEnabled: false,
      });
      const userAction = { name: "Mute", preventLogin: true };
      expectRefusal(await caller.post(path, { userAction }), 400, "[invalid]userAction.preventLogin");
      expectRefusal(await caller.post(path, { userAction: { name: "ban" } }), 400, "[duplicate]userAction.name");
    });

    requirement("user-action.inactive", "is made inactive, active again, and removed", async () => {
      const world = await start();
      const { caller } = world;
      const id = await makeAction(world);
      expectEmpty(await caller.delete(`${path}/${id}`), 200);
      expect(expectOk(await caller.get(`${path}/${id}`)).at("userAction.active")).toBe(false);
      expect((await caller.get(path)).at("userActions")).toEqual([]);
      expect((await caller.get(`${path}?inactive=true`)).each("userActions", "id")).toEqual([id]);
      expect(expectOk(await caller.put(`${path}/${id}?reactivate=true`)).at("userAction.active")).toBe(true);
      expectOk(await caller.put(`${path}/${id}`, { userAction: { name: "Ban" } }));
      expectEmpty(await caller.delete(`${path}/${id}?hardDelete=true`), 200);
      expectEmpty(await caller.get(`${path}/${id}`), 404);
    });

    requirement("user-action.templates", "protects its email templates", async () => {
      const world = await start();
      const template = await makeTemplate(world);
      const id = await makeAction(world, { startEmailTemplateId: template });
      expectRefusal(await world.caller.delete(`/api/email/template/${template}`), 400, "[inUse]emailTemplateId");
      const unknown = { userAction: { endEmailTemplateId: uuid(9) } };
      expectRefusal(await world.caller.patch(`${path}/${id}`, unknown), 400, "[invalid]userAction.endEmailTemplateId");
    });

    requirement("user-action.shared", "is read by keys of a tenant, and not changed", async () => {
      const world = await start();
      const id = await makeAction(world);
      const bound = await callerOfTenant(world, world.defaultTenantId);
      expectOk(await bound.get(`${path}/${id}`));
      for (const method of ["put", "delete"] as const) expectEmpty(await bound[method](`${path}/${id}`), 401);
      expectEmpty(await bound.post("/api/user-action-reason", { userActionReason: { code: "a", text: "b" } }), 401);
    });
  });
});
