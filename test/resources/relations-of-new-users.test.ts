// What a call says to belong to a user: groups, a second factor, registrations.
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup } from "../support/families.js";
import { anybody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, secretBase32Encoded } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/user";
const own = `${path}/${uuid(1)}`;
const email = "ada@example.com";
const password = "correct horse battery";

forEachStorage((start) => {
  const create = (world: World, fields: object): Promise<Answer> => world.caller.post(own, { user: { email, ...fields } });

  async function logInWith(world: World, code: (now: number) => string): Promise<number> {
    const first = await world.caller.post("/api/login", { loginId: email, password });
    expect(first.status).toBe(242);
    const body = { twoFactorId: first.textAt("twoFactorId"), code: code(world.clock.instant) };
    return (await anybody(world).post("/api/two-factor/login", body)).status;
  }

  describe("memberships of a user", () => {
    requirement("user.memberships", "are made along with the user, with their events, also in a registration", async () => {
      const world = await start();
      const [one, two] = [await makeGroup(world, world.defaultTenantId, "A"), await makeGroup(world, world.defaultTenantId, "B")];
      const memberships = [
        { groupId: one, data: { seat: 1 } },
        { groupId: two, id: uuid(7) },
      ];
      const made = expectOk(await create(world, { memberships }));
      const shown = expect.arrayContaining([
        expect.objectContaining({ groupId: one, data: { seat: 1 }, userId: uuid(1) }),
        expect.objectContaining({ groupId: two, id: uuid(7), userId: uuid(1) }),
      ]);
      expect(made.at("user.memberships")).toEqual(shown);
      expect(made.at("user.memberships")).toHaveLength(2);
      expect(expectOk(await world.caller.get(own)).at("user.memberships")).toEqual(made.at("user.memberships"));
      expect(await readEvents(world.storage, "group.member.add")).toHaveLength(2);
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const user = { username: "bob", memberships: [{ groupId: one }] };
      const both = await world.caller.post(`${path}/registration`, { registration: { applicationId }, user });
      expect(expectOk(both).at("user.memberships.0.groupId")).toBe(one);
      const inProcess = await world.identity.users.create({ user: { username: "eve", memberships: [{ groupId: two }] } });
      expect(inProcess.user.memberships.map(({ groupId }) => groupId)).toEqual([two]);
    });

    requirement("user.memberships", "are refused for groups that the tenant does not have, and nothing is stored", async () => {
      const world = await start();
      const groupId = await makeGroup(world, world.defaultTenantId, "A");
      const other = await makeTenant(world, "Other");
      const theirs = await makeGroup(world, other, "Theirs");
      const caller = world.caller.inTenant(world.defaultTenantId);
      const memberships = [{ groupId }, { groupId: uuid(99) }, { groupId: theirs }, { groupId }];
      const codes = ["invalid", "invalid", "duplicate"].map((kind, index) => `[${kind}]user.memberships[${index + 1}].groupId`);
      expectRefusal(await caller.post(own, { user: { email, memberships } }), 400, ...codes);
      expect((await caller.get(own)).status).toBe(404);
    });

    requirement(
      "user.memberships",
      "name their group, and registrations their application, wherever a request has them",
      async () => {
        const world = await start();
        const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
        const memberships = [{}, { name: "Editors" }, { groupID: uuid(1) }, { groupId: null }];
        const fields = { memberships, registrations: [{}] };
        const codes = [
          ...memberships.map((_, index) => `[missing]user.memberships[${index}].groupId`),
          "[missing]user.registrations[0].applicationId",
        ];
        const user = { email, ...fields };
        expectRefusal(await world.caller.post(own, { user }), 400, ...codes);
        expectRefusal(await world.caller.post(`${path}/registration`, { registration: { applicationId }, user }), 400, ...codes);
        const imported = codes.map((code) => code.replace("user.", "users[0]."));
        expectRefusal(await world.caller.post(`${path}/import`, { users: [user] }), 400, ...imported);
        expectOk(await world.caller.post(own, { user: { email } }));
        expectRefusal(await world.caller.put(own, { user }), 400, ...codes);
        expectRefusal(await world.caller.patch(own, { user: fields }), 400, ...codes);
        expectRefusal(await world.caller.mergePatch(own, { user: fields }), 400, ...codes);
      },
    );

    requirement("user.memberships", "need the right to add members", async () => {
      const world = await start();
      const groupId = await makeGroup(world, world.defaultTenantId, "A");
      const makeKey = async (key: string, endpoints: object): Promise<void> =>
        void expectOk(await world.caller.post("/api/api-key", { apiKey: { key, permissions: { endpoints } } }));
      const [few, enough] = ["a-key-that-makes-users-and-nothing-else", "a-key-that-makes-users-and-their-groups"] as const;
      await makeKey(few, { "/api/user": ["POST"] });
      await makeKey(enough, { "/api/user": ["POST"], "/api/group/member": ["POST"] });
      const createAs = (key: string, fields: object): Promise<Answer> =>
        world.caller.with({ authorization: key }).post(own, { user: { email, ...fields } });
      expectEmpty(await createAs(few, { memberships: [{ groupId }] }), 401);
      expectOk(await createAs(enough, { memberships: [{ groupId }] }));
    });
  });

  describe("the second factor of a new user", () => {
    requirement("user.two-factor", "is asked for at the first login; its secrets are in no answer and no event", async () => {
      const world = await start();
      const methods = [{ method: "authenticator", secret, name: "Phone" }];
      const made = expectOk(await create(world, { password, twoFactor: { methods, recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] } }));
      expect(made.at("user.twoFactor.methods.0")).toMatchObject({ method: "authenticator", name: "Phone", lastUsed: false });
      const texts = [made.text, expectOk(await world.caller.get(own)).text, JSON.stringify(await readEvents(world.storage))];
      for (const text of texts) expect(text).not.toMatch(new RegExp(`${secret}|AAAA`));
      expect(await logInWith(world, () => "000000")).toBe(421);
      expect(await logInWith(world, (now) => codeAt(secret, now))).toBe(200);
      expect(await logInWith(world, () => "aaaa bbbb cccc dddd")).toBe(200);
    });

    requirement("user.two-factor", "is refused where it could not be used", async () => {
      const world = await start();
      const byMail = { method: "email", email: "second@example.com" };
      const byText = { method: "sms", mobilePhone: "+49 30 1" };
      const wrong = [
        ...[{ method: "authenticator" }, { method: "email" }, { method: "sms" }, { method: "sms", mobilePhone: "no" }],
        ...[byMail, { ...byMail, email: "Second@Example.com" }, byText, { ...byText, mobilePhone: "+49301" }],
      ];
      const codes = [
        "[duplicate]user.twoFactor.methods[5].email",
        "[duplicate]user.twoFactor.methods[7].mobilePhone",
        "[blank]user.twoFactor.methods[0].secret",
        "[blank]user.twoFactor.methods[1].email",
        "[blank]user.twoFactor.methods[2].mobilePhone",
        "[invalid]user.twoFactor.methods[3].mobilePhone",
      ];
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const user = { email, password, twoFactor: { methods: wrong } };
      expectRefusal(await world.caller.post(own, { user }), 400, ...codes);
      expectRefusal(await world.caller.post(`${path}/registration`, { registration: { applicationId }, user }), 400, ...codes);
      const imported = codes.map((code) => code.replace("user.", "users[0]."));
      expectRefusal(await world.caller.post(`${path}/import`, { users: [user] }), 400, ...imported);
      const withNumber = { username: "bob", mobilePhone: "+49 30 1234", twoFactor: { methods: [{ method: "sms" }] } };
      expectOk(await world.caller.post(path, { user: withNumber }));
      expectEmpty(await world.caller.post(`${path}/import`, { users: [{ ...withNumber, username: "eve" }] }), 200);
      const alone = { recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] };
      expectRefusal(await create(world, { twoFactor: alone }), 400, "[missing]user.twoFactor.methods");
    });
  });

  describe("the secret of an app", () => {
    requirement("user.secret", "is taken in each encoding, and its codes log in", async () => {
      const base64 = Buffer.from(secret).toString("base64");
      const apart = secretBase32Encoded.toLowerCase().replace(/.{4}/g, "$& ");
      const secrets = [{ secret }, { secretBase32Encoded }, { secretBase32Encoded: apart }, { secretBase64Encoded: base64 }];
      for (const given of [...secrets, { secret, secretBase32Encoded, secretBase64Encoded: base64 }]) {
        const world = await start();
        const twoFactor = { methods: [{ method: "authenticator", ...given }] };
        const made = expectOk(await create(world, { password, twoFactor }));
        expect(await logInWith(world, (now) => codeAt(secret, now))).toBe(200);
        const stored = await world.storage.retrieve(globalScope, usersTable, uuid(1));
        for (const text of [made.text, stored?.json, stored?.hidden]) expect(text).not.toMatch(/secretBase|HBGU|8MJJ/i);
        const users = [{ username: "eve", active: true, password, twoFactor }];
        expectEmpty(await world.caller.post(`${path}/import`, { users }), 200);
        const first = await world.caller.post("/api/login", { loginId: "eve", password });
        const body = { twoFactorId: first.textAt("twoFactorId"), code: codeAt(secret, world.clock.instant) };
        expect((await anybody(world).post("/api/two-factor/login", body)).status).toBe(200);
      }
    });

    requirement("user.secret", "is refused where it cannot be a key, with the encodings", async () => {
      const world = await start();
      const long = "A".repeat(900);
      const wrong: readonly (readonly [given: object, code: string])[] = [
        [{ secret: secretBase32Encoded }, "[invalid]*.secret"],
        [{ secret: "JBSWY3DPEHPK3PXP" }, "[invalid]*.secret"],
        [{ secret: "short" }, "[tooShort]*.secret"],
        [{ secret: long }, "[tooLong]*.secret"],
        [{ secretBase32Encoded: "JBSWY3DP" }, "[tooShort]*.secretBase32Encoded"],
        [{ secretBase32Encoded: long }, "[tooLong]*.secretBase32Encoded"],
        [{ secretBase32Encoded: secret }, "[invalid]*.secretBase32Encoded"],
        [{ secretBase32Encoded: `${secretBase32Encoded}A` }, "[invalid]*.secretBase32Encoded"],
        [{ secretBase64Encoded: "no base64 at all" }, "[invalid]*.secretBase64Encoded"],
        [{ secretBase64Encoded: "c2hvcnQ=" }, "[tooShort]*.secretBase64Encoded"],
        [{ secret, secretBase32Encoded: "JBSWY3DPEHPK3PXP" }, "[invalid]*.secret"],
      ];
      for (const [given, code] of wrong) {
        const twoFactor = { methods: [{ method: "authenticator", ...given }] };
        const codeAtPath = (at: string): string => code.replace("*", at);
        const refused = await create(world, { password, twoFactor });
        expectRefusal(refused, 400, codeAtPath("user.twoFactor.methods[0]"));
        expect(refused.text).toContain("[secretBase32Encoded] its bytes as apps read them");
        const users = [{ email, password, twoFactor }];
        const ofImport = await world.caller.post(`${path}/import`, { users });
        expectRefusal(ofImport, 400, codeAtPath("users[0].twoFactor.methods[0]"));
      }
    });
  });

  describe("what belongs to a user", () => {
    requirement("user.relations", "may be handed back by PUT and PATCH, and changes nothing", async () => {
      const world = await start();
      const groupId = await makeGroup(world, world.defaultTenantId, "A");
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const twoFactor = { methods: [{ method: "authenticator", secret }], recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] };
      expectOk(await create(world, { password, memberships: [{ groupId }], twoFactor }));
      expectOk(await world.caller.post(`${path}/registration/${uuid(1)}`, { registration: { applicationId } }));
      const user = expectOk(await world.caller.get(own)).at("user") as { readonly [name: string]: unknown };
      const { memberships, registrations } = user;
      const back = [
        await world.caller.put(own, { user }),
        await world.caller.put(own, { user: { email, memberships: [], registrations: [], twoFactor: { methods: [] } } }),
        await world.caller.patch(own, { user: { memberships, registrations, twoFactor: user.twoFactor } }),
      ];
      for (const answer of back) {
        const { memberships: now, registrations: registered, twoFactor: factor } = expectOk(answer).at("user") as typeof user;
        expect([now, registered, factor]).toEqual([memberships, registrations, user.twoFactor]);
      }
      expect(await logInWith(world, (now) => codeAt(secret, now))).toBe(200);
    });

    requirement("user.relations", "is refused where it would be dropped, with the call that does it", async () => {
      const world = await start();
      const groupId = await makeGroup(world, world.defaultTenantId, "A");
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const registrations = [{ applicationId }];
      const ofRegistration = "[invalid]user.registrations[0].applicationId";
      const refused = await create(world, { registrations });
      expectRefusal(refused, 400, ofRegistration);
      expect(refused.text).toContain("POST /api/user/registration/");
      expectOk(await create(world, {}));
      const twoFactor = { methods: [{ method: "authenticator", secret }], recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] };
      const added = { memberships: [{ groupId }], registrations, twoFactor };
      const codes = [
        ofRegistration,
        "[invalid]user.memberships[0].groupId",
        "[invalid]user.twoFactor.methods[0]",
        "[invalid]user.twoFactor.recoveryCodes",
      ];
      expectRefusal(await world.caller.put(own, { user: { email, ...added } }), 400, ...codes);
      expectRefusal(await world.caller.patch(own, { user: added }), 400, ...codes);
      expectRefusal(await world.caller.mergePatch(own, { user: added }), 400, ...codes);
      expect(expectOk(await world.caller.get(own)).at("user")).toMatchObject({ memberships: [], registrations: [] });
    });
  });
});
