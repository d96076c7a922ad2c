import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { SoftwareAuthenticator } from "../support/authenticator.js";
import { ids } from "../support/logins.js";
import { base, beginLogin, sendLogin, setTenant, startPasskeys } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

function toImported({ credentialId, pem }: SoftwareAuthenticator, fields: object = {}): object {
  return { algorithm: "ES256", credentialId, publicKey: pem, userId: ids.user, ...fields };
}

function send({ caller }: World, ...credentials: readonly object[]) {
  return caller.post(`${base}/import`, { credentials, validateDbConstraints: true });
}

async function listOf({ caller }: World): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return expectOk(await caller.get(`${base}?userId=${ids.user}`)).at("credentials") as [];
}

forEachStorage((start) => {
  describe("an import of passkeys", () => {
    requirement("passkey.import", "stores what another system knows, and the passkeys log in", async () => {
      const world = await startPasskeys(start);
      const [plain, rich] = [new SoftwareAuthenticator(), new SoftwareAuthenticator("RS256")];
      const known = {
        algorithm: "RS256",
        attestationType: "basic",
        authenticatorSupportsUserVerification: true,
        backupEligible: true,
        backupState: true,
        data: { of: "another system" },
        discoverable: true,
        displayName: "Key",
        id: uuid(700),
        insertInstant: 1_000,
        lastUseInstant: 2_000,
        name: "ann",
        relyingPartyId: "example.com",
        signCount: 7,
        transports: ["usb"],
        userAgent: "Old/1.0",
      };
      rich.userHandle = Buffer.from("account-17").toString("base64url");
      expectEmpty(await send(world, toImported(rich, { ...known, userHandle: rich.userHandle }), toImported(plain)), 200);
      const [first, second] = await listOf(world);
      expect(first).toEqual({
        ...known,
        credentialId: rich.credentialId,
        lastUpdateInstant: 1_000,
        publicKey: rich.pem,
        tenantId: world.defaultTenantId,
        userId: ids.user,
      });
      expect(second).toMatchObject({ attestationType: "none", relyingPartyId: "example.com", signCount: 0, transports: [] });
      expectOk(await sendLogin(world, plain.get(await beginLogin(world.caller))));
      expectOk(await sendLogin(world, rich.get(await beginLogin(world.caller), { signCount: 8 })));
      // The handle stays with the record that the login changed.
      expectOk(await sendLogin(world, rich.get(await beginLogin(world.caller), { signCount: 9 })));
      plain.userHandle = Buffer.from(ids.user).toString("base64url");
      expectOk(await sendLogin(world, plain.get(await beginLogin(world.caller))));
      plain.userHandle = rich.userHandle;
      expectEmpty(await sendLogin(world, plain.get(await beginLogin(world.caller))), 404);
    });

    requirement("passkey.import", "names what is wrong, and stores nothing then", async () => {
      const world = await startPasskeys(start);
      const [one, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
      const wrong: readonly (readonly [object, string])[] = [
        [{ userId: uuid(999) }, "userId"],
        [{ publicKey: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n" }, "publicKey"],
        [{ algorithm: "ES384" }, "publicKey"],
        [{ publicKey: new SoftwareAuthenticator("weakRS256").pem, algorithm: "RS256" }, "publicKey"],
        [{ publicKey: "-----BEGIN PRIVATE KEY-----" }, "publicKey"],
        [{ relyingPartyId: "https://example.com" }, "relyingPartyId"],
        [{ credentialId: "no base64url!" }, "credentialId"],
      ];
      for (const [fields, path] of wrong)
        expectRefusal(await send(world, toImported(one), toImported(other, fields)), 400, `[invalid]credentials[1].${path}`);
      expectRefusal(await send(world, toImported(one), toImported(one)), 400, "[duplicate]credentials");
      expectRefusal(await send(world), 400, "[empty]credentials");
      expectRefusal(await world.caller.post(`${base}/import`, {}), 400, "[missing]credentials");
      const negative = toImported(one, { signCount: -1 });
      expectRefusal(await send(world, negative), 400, "[invalid]credentials[0].signCount");
      expect(await listOf(world)).toEqual([]);
    });

    requirement("passkey.import", "stays within the tenant, and needs a domain", async () => {
      const world = await startPasskeys(start);
      const authenticator = new SoftwareAuthenticator();
      const own = await callerOfTenant(world, await makeTenant(world, "Other"));
      const body = { credentials: [toImported(authenticator)] };
      expectRefusal(await own.post(`${base}/import`, body), 400, "[invalid]credentials[0].userId");
      const tenant = { name: "Default", webAuthnConfiguration: { enabled: true } };
      const inTenant = world.caller.inTenant(world.defaultTenantId);
      expectOk(await inTenant.put(`/api/tenant/${world.defaultTenantId}`, { tenant }));
      expectRefusal(await inTenant.post(`${base}/import`, body), 400, "[missing]credentials[0].relyingPartyId");
      // The same passkey may be in two tenants.
      await setTenant(world, { webAuthnConfiguration: { relyingPartyId: "example.com" } });
      expectEmpty(await inTenant.post(`${base}/import`, body), 200);
      const bob = uuid(601);
      expectOk(await own.post(`/api/user/${bob}`, { user: { email: "bob@example.com", password: "bob's password" } }));
      const theirs = toImported(authenticator, { relyingPartyId: "example.com", userId: bob });
      expectEmpty(await own.post(`${base}/import`, { credentials: [theirs] }), 200);
    });

    requirement(["passkey.import", "passkey.audit"], "takes thousands, and the audit log has each", async () => {
      const world = await startPasskeys(start, { auditChanges: true });
      const { pem: publicKey } = new SoftwareAuthenticator();
      const userIds = Array.from({ length: 24 }, (_, index) => uuid(800 + index));
      const users = userIds.map((id) => ({ active: true, email: `${id}@example.com`, id }));
      expectEmpty(await world.caller.post("/api/user/import", { users }), 200);
      const credentials = userIds.flatMap((userId) =>
        Array.from({ length: 45 }, (_, index) => ({ algorithm: "ES256", credentialId: `${userId}-${index}`, publicKey, userId })),
      );
      expectEmpty(await world.caller.post(`${base}/import`, { credentials }), 200);
      const one = expectOk(await world.caller.get(`${base}?userId=${userIds[5]}`)).at("credentials");
      expect(one).toHaveLength(45);
      const found = expectOk(await world.caller.get("/api/system/audit-log/search?message=passkey"));
      expect(found.at("total")).toBe(credentials.length);
    });
  });
});
