// Users move with their passkeys.
import { expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { SoftwareAuthenticator, testPage } from "../support/authenticator.js";
import { applicationId, importUsers } from "../support/bulk-users.js";
import { exportLines, someUsers, startShop, tenantId } from "../support/exports.js";
import { beginLogin, sendLogin, webAuthnConfiguration } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const ada = { id: uuid(1), active: true, email: "ada@example.com", registrations: [{ applicationId, id: uuid(23) }], tenantId };

function toPasskey({ credentialId, pem }: SoftwareAuthenticator, fields: object = {}): object {
  return { algorithm: "ES256", credentialId, publicKey: pem, relyingPartyId: testPage.rpId, ...fields };
}

forEachStorage((start) => {
  requirement("export.passkeys", "an import of an export gives users their passkeys back, and they log in", async () => {
    const [from, to] = [await startShop(start), await startShop(start)];
    for (const world of [from, to])
      expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant: { webAuthnConfiguration } }));
    const [plain, rich] = [new SoftwareAuthenticator(), new SoftwareAuthenticator("RS256")];
    plain.userHandle = Buffer.from(ada.id).toString("base64url");
    rich.userHandle = Buffer.from("account-17").toString("base64url");
    const passkeys = [
      toPasskey(plain, { id: uuid(31), insertInstant: 1 }),
      toPasskey(rich, { algorithm: "RS256", id: uuid(32), insertInstant: 2, signCount: 7, userHandle: rich.userHandle }),
    ];
    expectEmpty(await importUsers(from, [{ ...ada, passkeys }, ...someUsers(2)]), 200);
    expect((await exportLines(from)).join()).not.toContain("passkeys");
    const lines = await exportLines(from, { includePasswordHashes: true });
    const users = lines.map((line) => JSON.parse(line) as { readonly passkeys?: readonly object[] });
    expect(users.map((user) => user.passkeys)).toEqual([
      passkeys.map((one) => expect.objectContaining(one)),
      undefined,
      undefined,
    ]);
    expectEmpty(await importUsers(to, users), 200);
    expect(await exportLines(to, { includePasswordHashes: true })).toEqual(lines);
    expectOk(await sendLogin(to, plain.get(await beginLogin(to.caller, { applicationId }))));
    expectOk(await sendLogin(to, rich.get(await beginLogin(to.caller, { applicationId }), { signCount: 8 })));
  });

  requirement("users.import-passkeys", "refuses passkeys of users that cannot be stored, and stores nobody", async () => {
    const world = await startShop(start);
    const passkey = toPasskey(new SoftwareAuthenticator());
    const refused = async (passkeys: readonly object[]): Promise<Answer> =>
      importUsers(world, [{ id: uuid(9), email: "z@example.com", passkeys }]);
    const at = "users[0].passkeys";
    for (const [passkeys, error] of [
      [[{ ...passkey, algorithm: "RS256" }], `[invalid]${at}[0].publicKey`],
      [[{ ...passkey, relyingPartyId: undefined }], `[blank]${at}[0].relyingPartyId`],
      [[{ ...passkey, credentialId: undefined }], `[blank]${at}[0].credentialId`],
      [Array.from({ length: 51 }, () => passkey), `[tooMany]${at}`],
      [[passkey, passkey], "[duplicate]users"],
    ] as const) {
      expectRefusal(await refused(passkeys), 400, error);
      expectEmpty(await world.caller.get(`/api/user/${uuid(9)}`), 404);
    }
    const cheap = await startShop(start, { plan: "community" });
    expectRefusal(await importUsers(cheap, [{ ...ada, passkeys: [passkey] }]), 400, "[notLicensed]credential");
    const old = await startShop(start, { version: "1.40.0" });
    expectEmpty(await importUsers(old, [{ id: uuid(9), email: "z@example.com", passkeys: [passkey] }]), 200);
    expect((await exportLines(old, { includePasswordHashes: true })).join()).not.toContain("passkeys");
  });
});
