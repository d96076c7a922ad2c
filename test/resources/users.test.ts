import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

const path = "/api/user";

const everything = {
  birthDate: "1999-12-31",
  data: { a: { b: [1] } },
  email: "ann@example.com",
  expiry: 1_900_000_000_000,
  firstName: "Ann",
  fullName: "Ann B. Cee",
  imageUrl: "https://example.com/ann.png",
  lastName: "Cee",
  middleName: "B.",
  mobilePhone: "555-1",
  parentEmail: "parent@example.com",
  passwordChangeRequired: true,
  phoneNumber: "+15551",
  preferredLanguages: ["en_US", "de"],
  timezone: "Europe/Berlin",
  username: "Ann",
};

forEachStorage((start) => {
  describe("the fields of a user", () => {
    requirement("user.fields", "are shown as given, with what follows from them", async () => {
      const { caller, clock, defaultTenantId } = await start();
      const answer = expectOk(
        await caller.post(`${path}/${uuid(1)}`, { user: { ...everything, active: false, verified: false } }),
      );
      const { instant } = clock;
      const identity = (type: string, value: string, verifiedReason: string): object => ({
        type,
        value,
        displayValue: value,
        primary: true,
        verified: verifiedReason !== "Pending",
        verifiedReason,
        insertInstant: instant,
      });
      expect(answer.body).toEqual({
        user: {
          ...everything,
          id: uuid(1),
          tenantId: defaultTenantId,
          insertInstant: instant,
          lastUpdateInstant: instant,
          active: true,
          connectorId: "e3306678-a53a-4964-9040-1c96f36dda72",
          identities: [
            identity("email", everything.email, "Pending"),
            identity("username", "Ann", "Unverifiable"),
            identity("phoneNumber", "+15551", "Disabled"),
          ],
          memberships: [],
          registrations: [],
          uniqueUsername: "Ann",
          usernameStatus: "ACTIVE",
          verified: false,
        },
      });
      expect((await caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement("user.login-id", "must hold an email or a username", async () => {
      const { caller } = await start();
      for (const user of [{}, { email: "", username: " " }, { firstName: "Ann" }, { email: null }])
        expectRefusal(await caller.post(path, { user }), 400, "[blank]user.email", "[blank]user.username");
      for (const user of [{ email: "a@example.com" }, { username: "a" }]) expectOk(await caller.post(path, { user }));
      const id = expectOk(await caller.post(path, { user: { email: "b@example.com" } })).textAt("user.id");
      expectRefusal(
        await caller.patch(`${path}/${id}`, { user: { email: null } }),
        400,
        "[blank]user.email",
        "[blank]user.username",
      );
    });

    requirement("user.unique", "hold an email and a username that nobody else in the tenant has in any case", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const [here, there] = [world.caller.inTenant(world.defaultTenantId), world.caller.inTenant(other)];
      const user = { email: "Änn@Example.com", username: "Änn" };
      expectOk(await here.post(path, { user }));
      expectOk(await there.post(path, { user }));
      const taken = { email: "äNN@EXAMPLE.COM", username: "äNN" };
      expectRefusal(await here.post(path, { user: taken }), 400, "[duplicate]user.email", "[duplicate]user.username");
      const id = await makeUser(world, world.defaultTenantId, "free@example.com");
      expectRefusal(await here.patch(`${path}/${id}`, { user: { username: "ÄNN" } }), 400, "[duplicate]user.username");
      expectRefusal(await here.put(`${path}/${id}`, { user: { email: taken.email } }), 400, "[duplicate]user.email");
    });

    requirement("user.normalised", "are trimmed, emails in lower case, blank ones dropped", async () => {
      const { caller } = await start();
      const user = {
        email: "  Ann@Example.COM ",
        username: " Ann ",
        parentEmail: " P@Example.com",
        firstName: " Ann",
        lastName: "  ",
        phoneNumber: "",
        data: { kept: "", gone: null, inner: { gone: null, kept: 0 } },
        preferredLanguages: ["en", "de", "EN"],
      };
      const shown = expectOk(await caller.post(path, { user })).at("user") as Record<string, unknown>;
      expect(shown).toMatchObject({
        email: "ann@example.com",
        username: "Ann",
        parentEmail: "p@example.com",
        firstName: "Ann",
        data: { kept: "", inner: { kept: 0 } },
      });
      expect(shown.preferredLanguages).toHaveLength(2);
      for (const member of ["lastName", "phoneNumber"]) expect(shown).not.toHaveProperty(member);
    });

    requirement("user.formats", "name the allowed values where one is refused", async () => {
      const { caller, identity } = await start();
      const twoFactor = { methods: [{ method: "pigeon" }] };
      const user = { email: "ada@example.com", encryptionScheme: "rot13", password: "correct horse battery", twoFactor };
      const { fieldErrors } = (await caller.post(path, { user })).body as {
        readonly fieldErrors: Readonly<Record<string, readonly { readonly message: string }[]>>;
      };
      expect(fieldErrors["user.twoFactor.methods[0].method"]?.[0]?.message).toBe(
        "The [user.twoFactor.methods[0].method] property is not one of the allowed values. Allowed: [authenticator], [email], [sms].",
      );
      expect(fieldErrors["user.encryptionScheme"]?.[0]?.message).toContain("Allowed: [bcrypt], [phpass-md5]");
      const found = await caller.get(`${path}?loginId=ada&loginIdTypes=name`);
      expectRefusal(found, 400, "[invalidOption]loginIdTypes");
      expect(found.text).toContain("Allowed: [email], [username], [phoneNumber].");
      const patch = identity.users.patch({ userId: uuid(1), patch: {}, mode: "deep" as never });
      await expect(patch).rejects.toThrow("Allowed: [append], [merge], [json].");
    });

    requirement("user.formats", "are refused when they are malformed, too long or of a wrong type", async () => {
      const { caller } = await start();
      const user = {
        email: "no-at-sign",
        parentEmail: "two@@signs",
        username: "u".repeat(192),
        birthDate: "1999-02-30",
        expiry: -1,
        firstName: "f".repeat(256),
        imageUrl: "i".repeat(2_001),
        preferredLanguages: "en",
        passwordChangeRequired: "no",
        data: "x",
      };
      expectRefusal(
        await caller.post(path, { user }),
        400,
        "[notEmail]user.email",
        "[notEmail]user.parentEmail",
        "[tooLong]user.username",
        "[invalid]user.birthDate",
        "[invalid]user.expiry",
        "[tooLong]user.firstName",
        "[tooLong]user.imageUrl",
        "[invalidJSON]user.preferredLanguages",
        "[invalidJSON]user.passwordChangeRequired",
        "[invalidJSON]user.data",
      );
      for (const birthDate of ["1999", "31.12.1999", "1999-13-01", "1999-12-31T00:00:00Z"])
        expectRefusal(await caller.post(path, { user: { username: "u", birthDate } }), 400, "[invalid]user.birthDate");
      for (const birthDate of ["2000-02-29", "0001-01-01"])
        expectOk(await caller.post(path, { user: { username: birthDate, birthDate } }));
    });
  });

  describe("users who come and go", () => {
    requirement("user.deactivate", "are deactivated by DELETE and active again by PUT ?reactivate=true", async () => {
      const world = await start();
      const own = `${path}/${await makeUser(world, world.defaultTenantId, "a@example.com")}`;
      const before = (await world.caller.get(own)).at("user") as object;
      const lastUpdateInstant = world.clock.advance(1_000);
      expectEmpty(await world.caller.delete(own), 200);
      expect((await world.caller.get(own)).at("user")).toEqual({ ...before, active: false, lastUpdateInstant });
      expect(expectOk(await world.caller.patch(own, { user: { firstName: "A" } })).at("user.active")).toBe(false);
      expect(expectOk(await world.caller.put(`${own}?reactivate=true`)).at("user")).toEqual({
        ...before,
        active: true,
        firstName: "A",
        lastUpdateInstant,
      });
      expectEmpty(await world.caller.put(`${path}/${uuid(99)}?reactivate=true`), 404);
    });

    requirement("user.hard-delete", "take memberships and registrations along for good, and free their names", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const applicationId = await makeApplication(world, defaultTenantId, "Forum");
      const id = await makeUser(world, defaultTenantId, "a@example.com");
      expectOk(await caller.post(`/api/user/registration/${id}`, { registration: { applicationId } }));
      expectEmpty(await caller.delete(`${path}/${id}?hardDelete=true`), 200);
      expectEmpty(await caller.get(`${path}/${id}`), 404);
      expectEmpty(await caller.get(`/api/user/registration/${id}/${applicationId}`), 404);
      expect(await world.identity.effectiveRoles({ userId: id, applicationId })).toEqual([]);
      await makeUser(world, defaultTenantId, "a@example.com");
    });

    requirement("user.events", "publish what happens to them", async () => {
      const world = await start();
      const id = await makeUser(world, world.defaultTenantId, "a@example.com");
      const own = `${path}/${id}`;
      expectOk(await world.caller.patch(own, { user: { email: "b@example.com" } }));
      expectOk(await world.caller.delete(own));
      expectOk(await world.caller.put(`${own}?reactivate=true`));
      expectOk(await world.caller.delete(`${own}?hardDelete=true`));
      const events = await readEvents(world.storage);
      const types = events.map((event) => event.type).filter((type) => type.startsWith("user."));
      const twice = ["user.create", "user.update", "user.delete"].flatMap((type) => [type, `${type}.complete`]);
      expect(types.sort()).toEqual(
        [...twice, "user.deactivate", "user.email.update", "user.identity.update", "user.reactivate"].sort(),
      );
      const [update] = await readEvents(world.storage, "user.update");
      expect(update).toMatchObject({
        linkedObjectId: id,
        user: { email: "b@example.com" },
        original: { email: "a@example.com" },
      });
      const [email] = await readEvents(world.storage, "user.email.update");
      expect(email).toMatchObject({ previousEmail: "a@example.com", user: { id, email: "b@example.com" } });
    });

    requirement("user.events", "publish the user as the wire shows it, with memberships and registrations", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const id = await makeUser(world, defaultTenantId, "a@example.com");
      const applicationId = await makeApplication(world, defaultTenantId, "Forum");
      const groupId = await makeGroup(world, defaultTenantId, "G");
      expectOk(await caller.post(`/api/user/registration/${id}`, { registration: { applicationId } }));
      expectOk(await caller.post("/api/group/member", { members: { [groupId]: [{ userId: id }] } }));
      const before = (await caller.get(`${path}/${id}`)).at("user");
      const after = expectOk(await caller.patch(`${path}/${id}`, { user: { firstName: "A" } })).at("user");
      const [update] = await readEvents(world.storage, "user.update");
      expect(update).toMatchObject({ user: after, original: before });
      expectEmpty(await caller.delete(`${path}/${id}`), 200);
      const shown = (await caller.get(`${path}/${id}`)).at("user");
      expect(await readEvents(world.storage, "user.deactivate")).toEqual([expect.objectContaining({ user: shown })]);
      expectEmpty(await caller.delete(`${path}/${id}?hardDelete=true`), 200);
      expect(await readEvents(world.storage, "user.delete")).toEqual([expect.objectContaining({ user: shown })]);
    });
  });
}, embeddedPostgres());
