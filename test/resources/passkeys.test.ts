import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { flagBits, type KeyKindName, keyKinds, SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { anybody, ids } from "../support/logins.js";
import {
  asUser,
  base,
  beginLogin,
  beginRegistration,
  register,
  sendLogin,
  sendRegistration,
  startPasskeys,
} from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const accepted = Object.keys(keyKinds).filter((name) => !["RS1", "weakRS256"].includes(name)) as KeyKindName[];

forEachStorage((start) => {
  describe("a new passkey", () => {
    requirement("passkey.register", "is stored with what the authenticator says of it", async () => {
      const world = await startPasskeys(start);
      const authenticator = new SoftwareAuthenticator();
      const options = await beginRegistration(world.caller, { name: "ann", userAgent: "Tests/1.0" });
      expect(options).toMatchObject({
        attestation: "none",
        authenticatorSelection: { requireResidentKey: true, residentKey: "required", userVerification: "required" },
        excludeCredentials: [],
        rp: { id: "example.com", name: "Example" },
        timeout: 180_000,
        user: { displayName: "My phone", name: "ann" },
      });
      expect(Buffer.from(options.user.id, "base64url").toString("hex")).toBe(ids.user.replaceAll("-", ""));
      const flags = flagBits.userPresent | flagBits.userVerified | flagBits.backupEligible | flagBits.backedUp;
      const answer = expectOk(await sendRegistration(world.caller, authenticator.create(options, { flags })));
      expect(answer.at("credential")).toEqual({
        algorithm: "ES256",
        attestationType: "none",
        authenticatorSupportsUserVerification: true,
        backupEligible: true,
        backupState: true,
        credentialId: authenticator.credentialId,
        data: {},
        discoverable: true,
        displayName: "My phone",
        id: expect.any(String),
        insertInstant: world.clock.instant,
        lastUpdateInstant: world.clock.instant,
        name: "ann",
        publicKey: authenticator.pem,
        relyingPartyId: "example.com",
        signCount: 0,
        tenantId: world.defaultTenantId,
        transports: ["internal", "hybrid"],
        userAgent: "Tests/1.0",
        userId: ids.user,
      });
      const again = await beginRegistration(world.caller, { workflow: "reauthentication" });
      expect(again.excludeCredentials).toEqual([
        { id: authenticator.credentialId, transports: ["internal", "hybrid"], type: "public-key" },
      ]);
      expect(again.authenticatorSelection).toMatchObject({ authenticatorAttachment: "platform" });
      expect(again.user).toMatchObject({ name: "ann@example.com" });
    });

    requirement("passkey.register", "may sign for itself", async () => {
      const world = await startPasskeys(start);
      const credential = new SoftwareAuthenticator().create(await beginRegistration(world.caller), { format: "self" });
      expect(expectOk(await sendRegistration(world.caller, credential)).at("credential.attestationType")).toBe("self");
    });

    for (const kind of accepted)
      requirement("passkey.algorithms", `of ${kind} registers and logs in`, async () => {
        const world = await startPasskeys(start);
        const authenticator = new SoftwareAuthenticator(kind);
        expect(await register(world.caller, authenticator)).toMatchObject({ algorithm: kind, publicKey: authenticator.pem });
        expectOk(await sendLogin(world, authenticator.get(await beginLogin(world.caller))));
      });

    requirement(["passkey.limits", "passkey.register"], "has an id that is unique in its tenant", async () => {
      const world = await startPasskeys(start);
      const authenticator = new SoftwareAuthenticator("ES256", testPage, 1_023);
      await register(world.caller, authenticator);
      const credential = authenticator.create(await beginRegistration(world.caller));
      expectRefusal(await sendRegistration(world.caller, credential), 400, "[duplicate]credential.credentialId");
    });

    requirement("passkey.limits", "is one of 50 at most", async () => {
      const world = await startPasskeys(start);
      const options = await beginRegistration(world.caller);
      const credentials = Array.from({ length: 50 }, (_, index) => {
        const { credentialId, pem } = new SoftwareAuthenticator();
        return { algorithm: "ES256", credentialId, id: uuid(700 + index), publicKey: pem, userId: ids.user };
      });
      expectEmpty(await world.caller.post(`${base}/import`, { credentials }), 200);
      const late = new SoftwareAuthenticator().create(options);
      expectRefusal(await sendRegistration(world.caller, late), 400, "[tooMany]userId");
      const body = { displayName: "One more", userId: ids.user };
      expectRefusal(await world.caller.post(`${base}/register/start`, body), 400, "[tooMany]userId");
      const more = { ...credentials[0], credentialId: "another", id: uuid(799) };
      expectRefusal(await world.caller.post(`${base}/import`, { credentials: [more] }), 400, "[tooMany]credentials[0].userId");
    });
  });

  describe("passkeys of a user", () => {
    requirement("passkey.own", "are made, seen and removed with the user's token", async () => {
      const world = await startPasskeys(start);
      const user = await asUser(world);
      const own = await register(user.with({ "user-agent": "Browser/1" }), new SoftwareAuthenticator(), {
        fields: { userId: undefined },
      });
      expect(own).toMatchObject({ userAgent: "Browser/1", userId: ids.user });
      expect(expectOk(await user.get(base)).at("credentials")).toEqual([own]);
      expect(expectOk(await user.get(`${base}/${own.id}`)).at("credential")).toEqual(own);
      expectEmpty(await user.delete(`${base}/${own.id}`), 200);
      expectEmpty(await user.get(`${base}/${own.id}`), 404);
    });

    requirement("passkey.own", "are no other user's", async () => {
      const world = await startPasskeys(start);
      const other = uuid(601);
      expectOk(await world.caller.post(`/api/user/${other}`, { user: { email: "bob@example.com", password: "bob's password" } }));
      const theirs = await register(world.caller, new SoftwareAuthenticator(), { fields: { userId: other } });
      const user = await asUser(world);
      const body = { displayName: "Mine", userId: other };
      expectEmpty(await user.post(`${base}/register/start`, body), 404);
      expectEmpty(await user.post(`${base}/start`, { userId: other }), 404);
      expectEmpty(await user.post(`${base}/start`, { credentialId: theirs.id }), 404);
      for (const path of [`${base}/${theirs.id}`, `${base}?userId=${other}`]) {
        expectEmpty(await user.get(path), 404);
        expectEmpty(await user.delete(path), 404);
      }
      // An answer to another user's options is nobody's.
      const credential = new SoftwareAuthenticator().create(await beginRegistration(world.caller, { userId: other }));
      expectEmpty(await sendRegistration(user, credential, { userId: undefined }), 404);
      expectEmpty(await user.post(`${base}/import`, { credentials: [] }), 401);
      expect(expectOk(await world.caller.get(`${base}?userId=${other}`)).at("credentials")).toEqual([theirs]);
    });

    requirement("passkey.manage", "are removed all at once", async () => {
      const world = await startPasskeys(start);
      for (let count = 0; count < 3; count++) await register(world.caller, new SoftwareAuthenticator());
      expectRefusal(await world.caller.delete(base), 400, "[missing]userId");
      expectRefusal(await world.caller.get(base), 400, "[missing]userId");
      expectEmpty(await world.caller.delete(`${base}?userId=${ids.user}`), 200);
      expect(expectOk(await world.caller.get(`${base}?userId=${ids.user}`)).at("credentials")).toEqual([]);
      expectEmpty(await world.caller.delete(`${base}?userId=${ids.user}`), 200);
      expectEmpty(await world.caller.delete(`${base}/${uuid(999)}`), 404);
      expectEmpty(await anybody(world).get(`${base}?userId=${ids.user}`), 401);
    });

    requirement("passkey.cascade", "go with their user, and are no other tenant's", async () => {
      const world = await startPasskeys(start);
      const own = await register(world.caller, new SoftwareAuthenticator());
      const other = world.caller.inTenant(await makeTenant(world, "Other"));
      expectEmpty(await other.get(`${base}/${own.id}`), 404);
      expectEmpty(await other.delete(`${base}/${own.id}`), 404);
      expect(expectOk(await other.get(`${base}?userId=${ids.user}`)).at("credentials")).toEqual([]);
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}?hardDelete=true`), 200);
      const inTenant = world.caller.inTenant(world.defaultTenantId);
      expectEmpty(await inTenant.get(`${base}/${own.id}`), 404);
      expect(expectOk(await inTenant.get(`${base}?userId=${ids.user}`)).at("credentials")).toEqual([]);
    });

    requirement("passkey.audit", "are in the audit log", async () => {
      const world = await startPasskeys(start, { auditChanges: true });
      const own = await register(world.caller, new SoftwareAuthenticator());
      expectEmpty(await world.caller.delete(`${base}/${own.id}`), 200);
      const found = expectOk(await world.caller.get("/api/system/audit-log/search?message=passkey"));
      const messages = (found.at("auditLogs") as { readonly message: string }[]).map(({ message }) => message);
      expect(messages.toSorted()).toEqual([`Created the passkey ${own.id}`, `Removed the passkey ${own.id}`]);
    });
  });
});
