import { pbkdf2Sync } from "node:crypto";
import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { applicationId, importUsers, logInto, makeShop } from "../support/bulk-users.js";
import { foreignHashes, foreignPassword } from "../support/foreign-hashes.js";
import { anybody } from "../support/logins.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

forEachStorage(
  (start) => {
    requirement(
      "users.import-rehash",
      "a login replaces an imported hash by Argon2id; the password stays good, and so do logins under way",
      async () => {
        const world = await start();
        await makeShop(world);
        const users = foreignHashes.map(([, passwordHash], index) => ({ username: `user${index}`, active: true, passwordHash }));
        expectEmpty(await importUsers(world, users), 200);
        const hashOf = async (name: string): Promise<string> => {
          const found = await world.storage.find(globalScope, usersTable, {
            op: "equals",
            column: "usernameFolded",
            value: name,
          });
          return JSON.parse(found[0]?.hidden ?? "{}").passwordHash;
        };
        for (const [index, [, passwordHash, password]] of foreignHashes.entries()) {
          const loginId = `user${index}`;
          expect(await hashOf(loginId)).toBe(passwordHash);
          expect((await logInto(world, loginId, `${password}x`)).status).toBe(404);
          expect((await logInto(world, loginId, password)).status).toBe(202);
          expect(await hashOf(loginId)).toMatch(/^\$argon2id\$/);
          expect((await logInto(world, loginId, password)).status).toBe(202);
        }
        expectEmpty(await importUsers(world, [{ username: "twin", active: true, passwordHash: foreignHashes[2]?.[1] }]), 200);
        const both = await Promise.all([logInto(world, "twin", foreignPassword), logInto(world, "twin", foreignPassword)]);
        expect(both.map(({ status }) => status)).toEqual([202, 202]);
      },
    );

    requirement(
      "users.import-second-factor",
      "a second factor and recovery codes are imported; secrets are in no answer and no event",
      async () => {
        const world = await start();
        await makeShop(world);
        const twoFactor = { methods: [{ method: "authenticator", secret }], recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] };
        expectEmpty(
          await importUsers(world, [{ id: uuid(1), email: "a@example.com", active: true, password: "correct horse", twoFactor }]),
          200,
        );
        const user = expectOk(await world.caller.get(`/api/user/${uuid(1)}`));
        expect(user.at("user.twoFactor.methods.0.method")).toBe("authenticator");
        const stored = JSON.stringify([user.body, await readEvents(world.storage)]);
        expect(stored).not.toContain(secret);
        expect(stored).not.toContain("AAAA");
        const { email, phone } = { email: { method: "email", email: "second@example.com" }, phone: { method: "sms" } };
        const further = { id: uuid(2), email: "b@example.com", mobilePhone: "+49 30 1", twoFactor: { methods: [email, phone] } };
        expectEmpty(await importUsers(world, [further]), 200);
        const methods = expectOk(await world.caller.get(`/api/user/${uuid(2)}`)).at("user.twoFactor.methods");
        expect(methods).toMatchObject([email, phone]);
        const wrong = [{ method: "authenticator" }, { method: "email" }, { method: "pigeon" }, { method: "sms" }];
        const refused = await importUsers(world, [{ username: "c", twoFactor: { methods: wrong } }]);
        const codes = ["0].secret", "1].email", "3].mobilePhone"].map((end) => `[blank]users[0].twoFactor.methods[${end}`);
        expectRefusal(refused, 400, "[invalidOption]users[0].twoFactor.methods[2].method", ...codes);
        for (const code of [codeAt(secret, world.clock.instant), "aaaa bbbb cccc dddd"]) {
          const first = await logInto(world, "a@example.com", "correct horse");
          expect(first.status).toBe(242);
          const second = await anybody(world).post("/api/two-factor/login", { twoFactorId: first.textAt("twoFactorId"), code });
          expect(second.status).toBe(202);
        }
      },
    );

    requirement(
      ["users.import-factor", "users.import-hashes"],
      "hashes and factors that cannot be are 400, without the hash",
      async () => {
        const world = await start();
        const hash = Buffer.from(foreignPassword.padEnd(32)).toString("base64");
        const scheme = { encryptionScheme: "salted-sha256", salt: "c2FsdA==" };
        const wrong = [
          { passwordHash: "no hash" },
          { passwordHash: `$2b$15$${"a".repeat(53)}` },
          { ...scheme, password: hash, factor: 500_001 },
          { ...scheme, password: "c2hvcnQ=" },
          { ...scheme, encryptionScheme: "bcrypt", password: hash },
          { password: `$2b$10$${"a".repeat(53)}` },
        ];
        const answer = await importUsers(
          world,
          wrong.map((fields, index) => ({ username: `user${index}`, ...fields })),
        );
        const codes = ["passwordHash", "passwordHash", "password", "password", "password", "password"];
        expectRefusal(answer, 400, ...codes.map((field, index) => `[invalid]users[${index}].${field}`));
        const tooLong = await importUsers(world, [{ username: "x", password: "x".repeat(4_097) }]);
        expectRefusal(tooLong, 400, "[tooLong]users[0].password");
        expect(answer.text).not.toContain(hash);
        const unknown = await importUsers(world, [
          { username: "x", ...scheme, encryptionScheme: "rot13" },
          { username: "y", factor: "many" },
        ]);
        const parts = { encryptionScheme: "bcrypt", password: "a".repeat(31) };
        const withoutSalt = await importUsers(world, [{ username: "x", ...parts, factor: 10 }]);
        expectRefusal(withoutSalt, 400, "[missing]users[0].salt");
        const range = "The factor of [bcrypt] is a number from 4 to 14.";
        const tooHigh = await importUsers(world, [{ username: "x", ...parts, salt: "a".repeat(22), factor: 31 }]);
        expectRefusal(tooHigh, 400, "[invalid]users[0].password");
        expect(tooHigh.text).toContain(range);
        expect((await importUsers(world, [{ username: "x" }], { encryptionScheme: "bcrypt", factor: 31 })).text).toContain(range);
        expectRefusal(unknown, 400, "[invalidOption]users[0].encryptionScheme", "[invalid]users[1].factor");
        expectRefusal(
          await importUsers(world, [{ username: "x" }], { encryptionScheme: "bcrypt", factor: 31 }),
          400,
          "[invalid]factor",
        );
        expectRefusal(await importUsers(world, [{ username: "x" }], { factor: 1 }), 400, "[missing]encryptionScheme");
        expectRefusal(await importUsers(world, []), 400, "[empty]users");
        expectRefusal(await world.caller.post("/api/user/import", {}), 400, "[missing]users");
      },
    );

    requirement(
      "users.import-hashes",
      "hashes in parts, and plain passwords that the request has hashed, log users in",
      async () => {
        const world = await start();
        await makeShop(world);
        const salt = Buffer.from("sixteen bytes...");
        const hash = pbkdf2Sync(foreignPassword, salt, 1_500, 32, "sha256").toString("base64");
        const inParts = {
          encryptionScheme: "salted-pbkdf2-hmac-sha256",
          factor: "1500",
          salt: salt.toString("base64"),
          password: hash,
        };
        const users = [
          { username: "parts", active: true, ...inParts },
          { username: "plain", active: true, password: foreignPassword },
        ];
        expectEmpty(await importUsers(world, users, { encryptionScheme: "bcrypt", factor: 4 }), 200);
        for (const name of ["parts", "plain"]) expect((await logInto(world, name, foreignPassword)).status).toBe(202);
      },
    );

    requirement("users.import-secrets", "nothing secret of an import stands in an answer, an event or the log", async () => {
      const world = await start({ auditChanges: true });
      const twoFactor = { methods: [{ method: "authenticator", secret }], recoveryCodes: ["RECOVERY-0001"] };
      const passwordHash = foreignHashes[2]?.[1] ?? "";
      const users = [
        { id: uuid(1), email: "a@example.com", password: "plain secret", twoFactor },
        { email: "b@example.com", passwordHash },
      ];
      expectEmpty(await importUsers(world, users), 200);
      const taken = await importUsers(world, users);
      const audits = expectOk(await world.caller.post("/api/system/audit-log/search", { search: {} })).text;
      const shown = expectOk(await world.caller.get(`/api/user/${uuid(1)}`)).text;
      const all = JSON.stringify([taken.text, audits, shown, await readEvents(world.storage), world.log]);
      expect(audits).toContain("a@example.com");
      for (const text of [passwordHash.slice(7), "plain secret", secret, "RECOVERY"]) expect(all).not.toContain(text);
    });

    requirement(
      "users.import-tokens",
      "imported refresh tokens refresh, for their users and applications; all of them or none",
      async () => {
        const world = await start();
        await makeShop(world, { loginConfiguration: { allowTokenRefresh: true, generateRefreshTokens: true } });
        expectEmpty(
          await importUsers(world, [{ id: uuid(1), username: "a", active: true, registrations: [{ applicationId }] }]),
          200,
        );
        const path = "/api/user/refresh-token/import";
        const token = "an imported refresh token";
        const wanted = { token, userId: uuid(1), applicationId, metaData: { device: { name: "Phone" } } };
        const wrong = [wanted, { ...wanted, userId: uuid(2) }, { ...wanted, applicationId: uuid(3) }];
        const codes = ["[invalid]refreshTokens[1].userId", "[invalid]refreshTokens[2].userId"];
        expectRefusal(await world.caller.post(path, { refreshTokens: wrong }), 400, ...codes);
        const refresh = (): Promise<Answer> => anybody(world).post("/api/jwt/refresh", { refreshToken: token });
        expect((await refresh()).status).toBe(400);
        expectEmpty(await world.caller.post(path, { refreshTokens: [wanted] }), 200);
        expectOk(await refresh());
        expectRefusal(await world.caller.post(path, { refreshTokens: [wanted] }), 400, "[duplicate]refreshTokens");
        const other = await makeTenant(world, "Other");
        const strange = await world.caller.inTenant(other).post(path, { refreshTokens: [{ ...wanted, token: `${token} 2` }] });
        expectRefusal(strange, 400, "[invalid]refreshTokens[0].userId");
        expect(JSON.stringify(await readEvents(world.storage))).not.toContain(token);
      },
    );
  },
  isLong ? embeddedPostgres() : [],
);
