import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { action, startModerated } from "../support/moderation.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/moderation/notify";
const userPath = `/api/user/${uuid(5)}`;
const type = "contentApproval";

async function makeWaiting(world: World, tenantId = world.defaultTenantId, userId = uuid(5)): Promise<string> {
  const made = await world.caller.inTenant(tenantId).post(`/api/user/${userId}`, { user: { username: "ada" } });
  return expectOk(made).textAt("user.moderationId");
}

const statusOf = async ({ caller }: World, of = userPath) => expectOk(await caller.get(of)).at("user.usernameStatus");

forEachStorage((start) => {
  describe("a notification of the moderation", () => {
    requirement("moderation.notify", "makes a waiting name an active one, or a rejected one", async () => {
      const world = await startModerated(start);
      world.answer = action("queuedForApproval");
      const id = await makeWaiting(world);
      const approvals = { [id.toUpperCase()]: "approved", [uuid(77)]: "rejected", "no id": "approved" };
      expectEmpty(await world.caller.post(path, { type, approvals, moderatorId: uuid(9) }), 200);
      expect(await statusOf(world)).toBe("ACTIVE");
      const [event] = await readEvents(world.storage, "user.update");
      expect(event).toMatchObject({
        linkedObjectId: uuid(5),
        original: { usernameStatus: "PENDING" },
        user: { username: "ada", usernameStatus: "ACTIVE" },
      });
      await world.identity.moderation.notify({ type, approvals: { [id]: "rejected" } });
      expect(await statusOf(world)).toBe("REJECTED");
      expectEmpty(await world.caller.post(path, { type, approvals: { [id]: "rejected" } }), 200);
      expect(await readEvents(world.storage, "user.update")).toHaveLength(2);
    });

    requirement("moderation.notify", "is about the current name: the next one is checked by itself", async () => {
      const world = await startModerated(start);
      const id = await makeWaiting(world);
      expectEmpty(await world.caller.post(path, { type, approvals: { [id]: "rejected" } }), 200);
      expectOk(await world.caller.patch(userPath, { user: { firstName: "Ada" } }));
      expect(await statusOf(world)).toBe("REJECTED");
      expectOk(await world.caller.patch(userPath, { user: { username: "ada2" } }));
      expect(await statusOf(world)).toBe("ACTIVE");
    });

    requirement(["moderation.notify", "moderation.registrations"], "is followed by registrations too", async () => {
      const world = await startModerated(start);
      const applicationId = await makeApplication(world, world.defaultTenantId, "App");
      expectOk(await world.caller.post(userPath, { user: { email: "a@example.com" } }));
      const registration = { applicationId, username: "nick" };
      const made = await world.caller.post(`/api/user/registration/${uuid(5)}`, { registration });
      const id = expectOk(made).textAt("registration.moderationId");
      expectEmpty(await world.caller.post(path, { type, approvals: { [id]: "rejected" } }), 200);
      const shown = expectOk(await world.caller.get(`/api/user/registration/${uuid(5)}/${applicationId}`));
      expect(shown.at("registration.usernameStatus")).toBe("REJECTED");
      const [event] = await readEvents(world.storage, "user.registration.update");
      expect(event).toMatchObject({
        applicationId,
        original: { usernameStatus: "ACTIVE" },
        registration: { usernameStatus: "REJECTED" },
      });
    });

    requirement("moderation.notify-tenant", "with a key of a tenant is about the users of that tenant alone", async () => {
      const world = await startModerated(start);
      const other = await makeTenant(world, "Other");
      const [own, foreign] = [await makeWaiting(world, other, uuid(6)), await makeWaiting(world)];
      const caller = await callerOfTenant(world, other);
      expectEmpty(await caller.post(path, { type, approvals: { [own]: "rejected", [foreign]: "rejected" } }), 200);
      expect([await statusOf(world, `/api/user/${uuid(6)}`), await statusOf(world)]).toEqual(["REJECTED", "ACTIVE"]);
    });

    requirement("moderation.notify-body", "that is none is refused, and one of another kind changes nothing", async () => {
      const world = await startModerated(start);
      const id = await makeWaiting(world);
      const tooMany = Object.fromEntries(Array.from({ length: 1_001 }, (_value, position) => [uuid(position), "rejected"]));
      for (const [body, code] of [
        [{}, "[missing]type"],
        [{ type: 1 }, "[invalidJSON]type"],
        [{ type }, "[missing]approvals"],
        [{ type, approvals: [] }, "[invalidJSON]approvals"],
        [{ type, approvals: "rejected" }, "[invalidJSON]approvals"],
        [{ type, approvals: { [id]: "maybe" } }, "[invalidOption]approvals"],
        [{ type, approvals: { [id]: null } }, "[invalidOption]approvals"],
        [{ type, approvals: tooMany }, "[tooMany]approvals"],
      ] as const)
        expectRefusal(await world.caller.post(path, body), 400, code);
      expectEmpty(await world.caller.post(path, { type: "contentDelete", approvals: { [id]: "rejected" } }), 200);
      expectEmpty(await world.caller.post(`${path}?dryRun=true`, { type, approvals: { [id]: "rejected" } }), 200);
      expect(await statusOf(world)).toBe("ACTIVE");
    });
  });
});
