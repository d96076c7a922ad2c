import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { userConsentsTable } from "../../src/records/user-consents/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent } from "../support/families/forms-and-consents.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const path = "/api/user/consent";

/** A world with a consent that has the values a, b and c, and a child and its parent. */
interface Family {
  readonly world: World;
  readonly consentId: string;
  readonly child: string;
  readonly parent: string;
}

async function startFamily(start: Start, consent: object = {}): Promise<Family> {
  const world = await start();
  const consentId = await makeConsent(world, { values: ["a", "b", "c"], multipleValuesAllowed: true, ...consent });
  const child = await makeUser(world, world.defaultTenantId, "child@example.com");
  const parent = await makeUser(world, world.defaultTenantId, "parent@example.com");
  return { world, consentId, child, parent };
}

function give({ world, consentId, child, parent }: Family, extra: object = {}, id?: string): Promise<Answer> {
  const userConsent = { consentId, userId: child, giverUserId: parent, ...extra };
  return world.caller.post(id === undefined ? path : `${path}/${id}`, { userConsent });
}

forEachStorage((start) => {
  describe("giving a consent", () => {
    requirement(["user-consent.create", "user-consent.fields"], "shows who gave what, and the consent itself", async () => {
      const family = await startFamily(start);
      const { world, consentId, child, parent } = family;
      const answer = expectOk(await give(family, { data: { ip: "127.0.0.1" }, values: ["b", "a", "b"] }, uuid(1)));
      const { instant } = world.clock;
      expect(answer.body).toEqual({
        userConsent: {
          consent: (await world.caller.get(`/api/consent/${consentId}`)).at("consent"),
          consentId,
          data: { ip: "127.0.0.1" },
          giverUserId: parent,
          id: uuid(1),
          insertInstant: instant,
          lastUpdateInstant: instant,
          status: "Active",
          userId: child,
          values: ["b", "a"],
        },
      });
      expect((await world.caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
      expect(expectOk(await give(family, {})).at("userConsent")).toMatchObject({ data: {}, values: [] });
      expect(expectOk(await give(family, { status: "Revoked" })).at("userConsent.status")).toBe("Revoked");
    });

    requirement("user-consent.fields", "refuses what is missing or of the wrong kind", async () => {
      const { world } = await startFamily(start);
      for (const body of [undefined, {}, { userConsent: null }])
        expectRefusal(await world.caller.post(path, body), 400, "[missing]userConsent");
      const needed = ["consentId", "giverUserId", "userId"].map((name) => `[missing]userConsent.${name}`);
      expectRefusal(await world.caller.post(path, { userConsent: {} }), 400, ...needed);
      const wrong = { consentId: "x", giverUserId: 7, userId: "x", status: "Maybe", values: "a", data: [] };
      expectRefusal(
        await world.caller.post(path, { userConsent: wrong }),
        400,
        "[couldNotConvert]userConsent.consentId",
        "[couldNotConvert]userConsent.userId",
        "[invalidJSON]userConsent.data",
        "[invalidJSON]userConsent.giverUserId",
        "[invalidJSON]userConsent.values",
        "[invalidOption]userConsent.status",
      );
    });

    requirement("user-consent.references", "needs a consent and two users that are there", async () => {
      const family = await startFamily(start);
      const unknown = { consentId: uuid(97), giverUserId: uuid(98), userId: uuid(99) };
      const codes = Object.keys(unknown).map((name) => `[invalid]userConsent.${name}`);
      expectRefusal(await give(family, unknown), 400, ...codes);
      for (const [name, id] of Object.entries(unknown))
        expectRefusal(await give(family, { [name]: id }), 400, `[invalid]userConsent.${name}`);
      expectOk(await give(family, { giverUserId: family.child }));
    });

    requirement(["user-consent.references", "user-consent.create"], "keeps to the tenant of the user", async () => {
      const family = await startFamily(start);
      const { world, child } = family;
      const other = await makeTenant(world, "Other");
      const stranger = await makeUser(world, other, "stranger@example.com");
      expectRefusal(await give(family, { giverUserId: stranger }), 400, "[invalid]userConsent.giverUserId");
      expectRefusal(await give(family, { userId: stranger }), 400, "[invalid]userConsent.giverUserId");
      const own = expectOk(await give(family, { userId: stranger, giverUserId: stranger })).textAt("userConsent.id");
      const bound = await callerOfTenant(world, other);
      expectOk(await bound.get(`${path}/${own}`));
      expectEmpty(await world.caller.inTenant(world.defaultTenantId).get(`${path}/${own}`), 404);
      const userConsent = { consentId: family.consentId, userId: child, giverUserId: child };
      const refused = await bound.post(path, { userConsent });
      expectRefusal(refused, 400, "[invalid]userConsent.giverUserId", "[invalid]userConsent.userId");
    });

    requirement("user-consent.values", "takes values of the consent, several only where it allows them", async () => {
      const family = await startFamily(start);
      for (const values of [["d"], ["a", "d"], ["A"], [""]])
        expectRefusal(await give(family, { values }), 400, "[invalid]userConsent.values");
      const single = await makeConsent(family.world, { name: "One", values: ["x", "y"] });
      expectOk(await give(family, { consentId: single, values: ["y"] }));
      expectRefusal(await give(family, { consentId: single, values: ["x", "y"] }), 400, "[tooMany]userConsent.values");
      const both = await give(family, { consentId: single, values: ["x", "a"] });
      expectRefusal(both, 400, "[invalid]userConsent.values", "[tooMany]userConsent.values");
    });
  });

  requirement("user-consent.list", "are listed for one user, in the order in which they were given", async () => {
    const family = await startFamily(start);
    const { world, child, parent } = family;
    for (const number of [3, 1, 2]) {
      world.clock.advance(1);
      expectOk(await give(family, {}, uuid(number)));
    }
    expectOk(await give(family, { userId: parent }, uuid(4)));
    const list = expectOk(await world.caller.get(`${path}?userId=${child}`));
    expect(list.each("userConsents", "id")).toEqual([uuid(3), uuid(1), uuid(2)]);
    expect(list.at("userConsents.0")).toEqual((await world.caller.get(`${path}/${uuid(3)}`)).at("userConsent"));
    expect((await world.caller.get(`${path}?userId=${uuid(99)}`)).body).toEqual({ userConsents: [] });
    const elsewhere = world.caller.inTenant(await makeTenant(world, "Other"));
    expect((await elsewhere.get(`${path}?userId=${child}`)).body).toEqual({ userConsents: [] });
    expectRefusal(await world.caller.get(path), 400, "[missing]userId");
    expectRefusal(await world.caller.get(`${path}?userId=x`), 400, "[couldNotConvert]userId");
    expect((await world.caller.get(`${path}?userConsentId=${uuid(1)}`)).at("userConsent.id")).toBe(uuid(1));
  });

  describe("changing a user consent", () => {
    requirement("user-consent.update", "changes data, status and values and nothing else", async () => {
      const family = await startFamily(start);
      const { world, child, parent, consentId } = family;
      expectOk(await give(family, { data: { kept: true }, values: ["a"] }, uuid(1)));
      const others = { consentId: uuid(9), userId: parent, giverUserId: child, data: { other: 1 } };
      const kept = { consentId, userId: child, giverUserId: parent, data: { other: 1 } };
      const one = `${path}/${uuid(1)}`;
      const put = await world.caller.put(one, { userConsent: { ...others, status: "Revoked", values: ["c"] } });
      expect(expectOk(put).at("userConsent")).toMatchObject({ ...kept, status: "Revoked", values: ["c"] });
      const patched = await world.caller.patch(one, { userConsent: { ...others, status: "Active", values: ["c", "b"] } });
      expect(expectOk(patched).at("userConsent")).toMatchObject({ ...kept, status: "Active", values: ["c", "b"] });
      const merged = await world.caller.mergePatch(one, { userConsent: { values: null } });
      expect(expectOk(merged).at("userConsent")).toMatchObject({ ...kept, status: "Active", values: [] });
      const added = await world.caller.patch(one, { userConsent: { data: { more: [2] } } });
      expect(expectOk(added).at("userConsent.data")).toEqual({ other: 1, more: [2] });
      const bare = await world.caller.put(one, { userConsent: { values: ["a"] } });
      expect(expectOk(bare).at("userConsent.data")).toEqual({});
    });

    requirement("user-consent.update", "never brings a revoked one back by silence", async () => {
      const family = await startFamily(start);
      expectOk(await give(family, { values: ["a"] }, uuid(1)));
      const { caller } = family.world;
      const one = `${path}/${uuid(1)}`;
      expectEmpty(await caller.delete(one), 200);
      for (const answer of [
        await caller.put(one, { userConsent: { values: ["a"] } }),
        await caller.put(one, { userConsent: { status: null } }),
        await caller.mergePatch(one, { userConsent: { status: null } }),
        await caller.patch(one, { userConsent: {} }),
      ])
        expect(expectOk(answer).at("userConsent.status")).toBe("Revoked");
      expect(expectOk(await caller.patch(one, { userConsent: { status: "Active" } })).at("userConsent.status")).toBe("Active");
    });

    requirement("user-consent.values", "may keep values that the consent no longer has, and takes no new ones", async () => {
      const family = await startFamily(start);
      const { caller } = family.world;
      expectOk(await give(family, { values: ["a", "b"] }, uuid(1)));
      const smaller = { consent: { name: "N", defaultMinimumAgeForSelfConsent: 1, values: ["c"] } };
      expectOk(await caller.put(`/api/consent/${family.consentId}`, smaller));
      const one = `${path}/${uuid(1)}`;
      expectOk(await caller.patch(one, { userConsent: { status: "Revoked" } }));
      expectOk(await caller.put(one, { userConsent: { values: ["b", "c"] } }));
      expectRefusal(await caller.put(one, { userConsent: { values: ["a"] } }), 400, "[invalid]userConsent.values");
      expectRefusal(
        await caller.patch(one, { userConsent: { values: ["x"] } }),
        400,
        "[invalid]userConsent.values",
        "[tooMany]userConsent.values",
      );
    });
  });

  requirement("user-consent.revoke", "are revoked by DELETE and stay; a second one changes nothing", async () => {
    const family = await startFamily(start);
    const { caller, clock } = family.world;
    const made = expectOk(await give(family, { data: { a: 1 }, values: ["a"] }, uuid(1))).at("userConsent") as object;
    const one = `${path}/${uuid(1)}`;
    const revokedAt = clock.advance(1_000);
    expectEmpty(await caller.delete(one), 200);
    const revoked = await caller.get(one);
    expect(revoked.at("userConsent")).toEqual({ ...made, status: "Revoked", lastUpdateInstant: revokedAt });
    clock.advance(1_000);
    expectEmpty(await caller.delete(one), 200);
    expect((await caller.get(one)).text).toBe(revoked.text);
    expectEmpty(await caller.delete(`${path}/${uuid(9)}`), 404);
  });

  requirement("user-consent.cascade", "go with the consent, the user and the tenant, but not with the giver", async () => {
    const family = await startFamily(start);
    const { world, child, parent } = family;
    const idsLeft = async (): Promise<string[]> =>
      (await world.storage.find(globalScope, userConsentsTable, undefined)).map((record) => record.id);
    const second = await makeConsent(world, { name: "Second" });
    expectOk(await give(family, {}, uuid(1)));
    expectOk(await give(family, { consentId: second }, uuid(2)));
    expectOk(await give(family, { consentId: second, userId: parent }, uuid(3)));
    expectEmpty(await world.caller.delete(`/api/consent/${family.consentId}`), 200);
    expect(await idsLeft()).toEqual([uuid(2), uuid(3)]);
    expectEmpty(await world.caller.delete(`/api/user/${parent}`), 200);
    expect(await idsLeft()).toEqual([uuid(2), uuid(3)]);
    expectEmpty(await world.caller.delete(`/api/user/${parent}?hardDelete=true`), 200);
    expect(await idsLeft()).toEqual([uuid(2)]);
    expect((await world.caller.get(`${path}/${uuid(2)}`)).at("userConsent.giverUserId")).toBe(parent);
    expectEmpty(await world.caller.delete(`/api/user/${child}?hardDelete=true`), 200);
    expect(await idsLeft()).toEqual([]);
    const other = await makeTenant(world, "Other");
    const userId = await makeUser(world, other, "a@example.com");
    expectOk(await give(family, { consentId: second, userId, giverUserId: userId }, uuid(5)));
    expectEmpty(await world.caller.delete(`/api/tenant/${other}`), 200);
    expect(await idsLeft()).toEqual([]);
  });
});
