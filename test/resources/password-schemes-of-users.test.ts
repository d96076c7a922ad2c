// A password that a call hashes by a scheme of the reference.
import { hashSync } from "bcryptjs";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { encryptionSchemes } from "../../src/security/password-hashes/scheme-names.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { foreignHashes } from "../support/foreign-hashes.js";
import { anybody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/user";
const own = `${path}/${uuid(1)}`;
const email = "ada@example.com";
const password = "correct horse battery";

async function hashOf(world: World): Promise<string> {
  const stored = await world.storage.retrieve(globalScope, usersTable, uuid(1));
  return (JSON.parse(stored?.hidden ?? "{}") as { readonly passwordHash?: string }).passwordHash ?? "";
}

/** The beginning of a hash. */
const beginning = (encryptionScheme: string, factor: number): string =>
  encryptionScheme === "bcrypt" ? `$2a$${String(factor).padStart(2, "0")}$` : `${encryptionScheme}$${factor}$`;

forEachStorage((start) => {
  const logIn = async (world: World, tried: string): Promise<number> =>
    (await world.caller.post("/api/login", { loginId: email, password: tried })).status;

  describe("the password of a user with an encryptionScheme", () => {
    requirement(
      "user.password-scheme",
      "is hashed by each scheme, and good for logins, the first of which hashes it anew",
      async () => {
        for (const encryptionScheme of encryptionSchemes) {
          const world = await start();
          const factor = encryptionScheme === "bcrypt" ? 5 : 2_048;
          const made = expectOk(await world.caller.post(own, { user: { email, password, encryptionScheme, factor } }));
          const hash = await hashOf(world);
          expect(hash.slice(0, beginning(encryptionScheme, factor).length)).toBe(beginning(encryptionScheme, factor));
          const texts = [made.text, expectOk(await world.caller.get(own)).text, JSON.stringify(await readEvents(world.storage))];
          for (const text of texts) expect(text).not.toMatch(/encryptionScheme|"factor"|salt/);
          expect([encryptionScheme, await logIn(world, `${password}x`)]).toEqual([encryptionScheme, 404]);
          expect([encryptionScheme, await logIn(world, password)]).toEqual([encryptionScheme, 200]);
          expect(await hashOf(world)).toMatch(/^\$argon2id\$/);
          expect(await logIn(world, password)).toBe(200);
        }
      },
    );

    requirement("user.password-scheme", "is hashed so by PUT, every kind of PATCH, registrations and in process", async () => {
      const world = await start();
      expectOk(await world.caller.post(own, { user: { email, password } }));
      const scheme = { encryptionScheme: "salted-sha256", factor: 7 } as const;
      const changes: readonly ((next: string) => Promise<Answer>)[] = [
        (next) => world.caller.put(own, { user: { email, password: next, ...scheme } }),
        (next) => world.caller.patch(own, { user: { password: next, ...scheme } }),
        (next) => world.caller.mergePatch(own, { user: { password: next, ...scheme } }),
        (next) =>
          world.caller.jsonPatch(
            own,
            Object.entries({ password: next, ...scheme }).map(([name, value]) => ({ op: "add", path: `/user/${name}`, value })),
          ),
      ];
      for (const [index, change] of changes.entries()) {
        expectOk(await change(`the next one ${index}`));
        expect(await hashOf(world)).toMatch(/^salted-sha256\$7\$/);
        expect(await logIn(world, `the next one ${index}`)).toBe(200);
      }
      expectEmpty(await world.caller.delete(`${own}?hardDelete=true`), 200);
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const user = { email, password, ...scheme };
      expectOk(await world.caller.post(`${path}/registration/${uuid(1)}`, { registration: { applicationId }, user }));
      expect(await hashOf(world)).toMatch(/^salted-sha256\$7\$/);
      await world.identity.users.update({ userId: uuid(1), user: { ...user, encryptionScheme: "bcrypt", factor: 4 } });
      expect(await hashOf(world)).toMatch(/^\$2a\$04\$/);
      expect(await logIn(world, password)).toBe(200);
    });

    requirement("user.password-scheme", "is refused for what the service cannot do so, and then nothing is stored", async () => {
      const world = await start();
      const refusals: readonly (readonly [fields: object, code: string])[] = [
        [{ password, encryptionScheme: "rot13" }, "[invalidOption]user.encryptionScheme"],
        [{ password, encryptionScheme: "bcrypt", factor: 31 }, "[invalid]user.factor"],
        [{ password, encryptionScheme: "bcrypt", factor: 0 }, "[invalid]user.factor"],
        [{ password, factor: 10 }, "[missing]user.encryptionScheme"],
        [{ encryptionScheme: "bcrypt" }, "[missing]user.password"],
        [{ passwordHash: "$2b$10$" }, "[invalid]user.passwordHash"],
        [{ password, encryptionScheme: "bcrypt", salt: "c2FsdA==" }, "[invalid]user.salt"],
        [{ password: "short", encryptionScheme: "bcrypt" }, "[tooShort]user.password"],
        [{ password: "\u00e9".repeat(37), encryptionScheme: "bcrypt" }, "[tooLong]user.password"],
      ];
      for (const [fields, code] of refusals)
        expectRefusal(await world.caller.post(own, { user: { email, ...fields } }), 400, code);
      expect((await world.caller.get(own)).status).toBe(404);
      expectOk(await world.caller.post(own, { user: { email, password } }));
      const hash = await hashOf(world);
      for (const [fields, code] of refusals) expectRefusal(await world.caller.patch(own, { user: fields }), 400, code);
      expect(await hashOf(world)).toBe(hash);
    });

    requirement("user.password-scheme", "of an import that bcrypt has read in part is hashed anew by no login", async () => {
      const world = await start();
      const beginning = "a".repeat(72);
      const passwordHash = hashSync(`${beginning}right`, 4);
      expectEmpty(
        await world.caller.post("/api/user/import", { users: [{ id: uuid(1), email, active: true, passwordHash }] }),
        200,
      );
      expect([await logIn(world, `${beginning}wrong`), await logIn(world, `${beginning}right`)]).toEqual([200, 200]);
      expect(await hashOf(world)).toBe(passwordHash);
    });

    requirement("user.password-scheme", "names the factors of the scheme where it refuses one", async () => {
      const world = await start();
      const refused = await world.caller.post(own, { user: { email, password, encryptionScheme: "bcrypt", factor: 31 } });
      expect(refused.text).toContain("The factor of [bcrypt] is a number from 4 to 14.");
    });
  });

  describe("the text of a hash as a password", () => {
    requirement("user.password-hash", "is refused for every format, with the way to import it", async () => {
      const world = await start();
      const tooSlow = `$2b$15$${"a".repeat(53)}`;
      for (const hash of [...foreignHashes.map(([, text]) => text), tooSlow]) {
        const refused = await world.caller.post(own, { user: { email, password: hash } });
        expect([hash, refused.status]).toEqual([hash, 400]);
        expectRefusal(refused, 400, "[invalid]user.password");
        expect(refused.text).toContain("POST /api/user/import");
        expect(refused.text).not.toContain(JSON.stringify(hash).slice(1, -1));
      }
      expect((await world.caller.get(own)).status).toBe(404);
    });

    requirement("user.password-hash", "is refused wherever another than the user sets it, also a hash of the host", async () => {
      const world = await start({ passwordSchemes: { legacy: { verify: async () => false } } });
      expectOk(await world.caller.post(own, { user: { email, password } }));
      const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
      const registration = { applicationId };
      for (const hash of [`$2b$10$${"a".repeat(53)}`, "legacy$0123456789abcdef"]) {
        const fields = { user: { username: "bob", password: hash } };
        const scheme = { encryptionScheme: "bcrypt", factor: 10 };
        const calls: readonly (readonly [answer: Answer, field: string])[] = [
          [await world.caller.post(path, fields), "user.password"],
          [await world.caller.post(path, { user: { ...fields.user, ...scheme } }), "user.password"],
          [await world.caller.put(own, { user: { email, password: hash } }), "user.password"],
          [await world.caller.patch(own, { user: { password: hash } }), "user.password"],
          [await world.caller.mergePatch(own, { user: { password: hash } }), "user.password"],
          [await world.caller.post(`${path}/registration`, { ...fields, registration }), "user.password"],
          [await world.caller.post(`${path}/change-password`, { loginId: email, password: hash }), "password"],
          [await world.caller.post(`${path}/import`, { users: [fields.user] }), "users[0].password"],
        ];
        for (const [answer, field] of calls) expectRefusal(answer, 400, `[invalid]${field}`);
      }
      expect(await logIn(world, password)).toBe(200);
    });

    requirement("user.password-hash", "is taken from the user, whose choice it is", async () => {
      const world = await start();
      const own = { id: uuid(1), email, password };
      expectOk(await world.caller.post(`${path}/${uuid(1)}`, { user: own }));
      const hash = `$2b$10$${"a".repeat(53)}`;
      const { token } = await world.identity.logins.login({ loginId: email, password });
      const asUser = anybody(world).with({ authorization: `Bearer ${token}` });
      expectOk(await asUser.post(`${path}/change-password`, { currentPassword: password, password: hash }));
      expect(await logIn(world, hash)).toBe(200);
    });
  });
});
