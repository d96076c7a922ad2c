import type { Directory } from "latchkey/ports";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent } from "../support/families/forms-and-consents.js";
import { makeUser } from "../support/families.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, startWorld, storagesOfRules, uuid } from "../support/world.js";

const path = "/api/user/consent";

/** A host that keeps one person itself, and one in a tenant of which it was not asked. */
function hostDirectory(tenantOf: () => string): Directory {
  return {
    findUsers: async (_context, ids) =>
      [
        { id: uuid(1), tenantId: tenantOf() },
        { id: uuid(2), tenantId: uuid(99) },
      ].filter((user) => ids.includes(user.id)),
    findApplications: async () => [],
    findRoles: async () => [],
    findRegistrations: async () => [],
  };
}

forEachStorage((start) => {
  requirement(["user-consent.references", "service.directory"], "know the people of a host's own directory", async () => {
    let tenantId = "";
    const world = await start({ directory: hostDirectory(() => tenantId) });
    tenantId = world.defaultTenantId;
    const consentId = await makeConsent(world, {});
    const caller = world.caller.inTenant(tenantId);
    const of = (userId: string): object => ({ userConsent: { consentId, userId, giverUserId: userId } });
    const made = expectOk(await caller.post(path, of(uuid(1))));
    expect((await caller.get(`${path}?userId=${uuid(1)}`)).each("userConsents", "id")).toEqual([made.at("userConsent.id")]);
    for (const stranger of [uuid(2), uuid(3)])
      expectRefusal(
        await caller.post(path, of(stranger)),
        400,
        "[invalid]userConsent.giverUserId",
        "[invalid]userConsent.userId",
      );
    expectEmpty(await caller.delete(`${path}/${made.textAt("userConsent.id")}`), 200);
  });

  requirement("service.same-values", "can be handled in process", async () => {
    const world = await start();
    const { userConsents } = world.identity;
    const consentId = await makeConsent(world, { values: ["a"] });
    const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
    const { userConsent } = await userConsents.create({ userConsent: { consentId, userId, giverUserId: userId } });
    expect((await world.caller.get(`${path}/${userConsent.id}`)).body).toEqual({ userConsent });
    expect(await userConsents.list({ userId })).toEqual({ userConsents: [userConsent] });
    const userConsentId = userConsent.id;
    const updated = await userConsents.update({ userConsentId, userConsent: { values: ["a"] } });
    expect(updated.userConsent.values).toEqual(["a"]);
    expect(await userConsents.remove({ userConsentId })).toBeUndefined();
    expect((await userConsents.retrieve({ userConsentId })).userConsent.status).toBe("Revoked");
    const again = await userConsents.patch({ userConsentId, patch: { userConsent: { status: "Active" } } });
    expect(again.userConsent.status).toBe("Active");
    await expect(userConsents.create({ userConsent: { consentId, userId, giverUserId: uuid(9) } })).rejects.toMatchObject({
      status: 400,
      code: "[invalid]userConsent.giverUserId",
    });
  });
});

describe.each(storagesOfRules())("on %s", (_name, open) => {
  requirement("user-consent.statements", "cost two statements a list, however many there are", async () => {
    stopMonotonicClock();
    let reads = 0;
    const storage = watchStorage(open(), { beforeCall: (call) => void (call === "read" && reads++) });
    const world = await startWorld(storage);
    const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
    for (const number of [1, 2, 3, 4, 5]) {
      const consentId = await makeConsent(world, { name: `Consent ${number}` });
      expectOk(await world.caller.post(path, { userConsent: { consentId, userId, giverUserId: userId } }));
    }
    // The key is known by now, and costs none.
    expectOk(await world.caller.get(`${path}?userId=${uuid(9)}`));
    reads = 0;
    expect((await world.caller.get(`${path}?userId=${userId}`)).each("userConsents", "consent")).toHaveLength(5);
    expect(reads).toBe(2);
  });
});
