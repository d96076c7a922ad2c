import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { createPasswords } from "../../src/security/password-hashes/password.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/user";

async function passwordHashOf(world: World, id: string): Promise<string> {
  const stored = await world.storage.retrieve(globalScope, usersTable, id);
  return (JSON.parse(stored?.hidden ?? "{}") as { readonly passwordHash?: string }).passwordHash ?? "";
}

forEachStorage((start) => {
  describe("the password of a user", () => {
    requirement("user.password", "is hashed and shown by no answer and no event", async () => {
      const world = await start();
      const password = "correct horse battery";
      const made = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { user: { email: "a@example.com", password } }));
      expect(made.at("user.passwordLastUpdateInstant")).toBe(world.clock.instant);
      const hash = await passwordHashOf(world, uuid(1));
      expect(hash).toMatch(/^\$argon2id\$/);
      expect(await createPasswords().verify(password, hash)).toBe(true);
      const texts = [
        made.text,
        (await world.caller.get(`${path}/${uuid(1)}`)).text,
        JSON.stringify(await readEvents(world.storage)),
      ];
      for (const text of texts) {
        expect(text).not.toContain(password);
        expect(text).not.toContain(hash);
        expect(text).not.toMatch(/passwordHash|"password"/);
      }
    });

    requirement("user.password", "stays through PUT and PATCH without one, and changes with one", async () => {
      const world = await start();
      const own = `${path}/${uuid(1)}`;
      const user = { email: "a@example.com" };
      expectOk(await world.caller.post(own, { user: { ...user, password: "the first one" } }));
      const first = await passwordHashOf(world, uuid(1));
      const { instant } = world.clock;
      world.clock.advance(1_000);
      expect(expectOk(await world.caller.put(own, { user })).at("user.passwordLastUpdateInstant")).toBe(instant);
      expectOk(await world.caller.patch(own, { user: { firstName: "A" } }));
      expect(await passwordHashOf(world, uuid(1))).toBe(first);
      for (const change of [
        (password: string) => world.caller.put(own, { user: { ...user, password } }),
        (password: string) => world.caller.patch(own, { user: { password } }),
        (password: string) => world.caller.jsonPatch(own, [{ op: "add", path: "/user/password", value: password }]),
      ]) {
        const password = `the next one at ${world.clock.advance(1_000)}`;
        expect(expectOk(await change(password)).at("user.passwordLastUpdateInstant")).toBe(world.clock.instant);
        expect(await createPasswords().verify(password, await passwordHashOf(world, uuid(1)))).toBe(true);
      }
      expectRefusal(await world.caller.patch(own, { user: { password: "" } }), 400, "[blank]user.password");
      expectRefusal(await world.caller.patch(own, { user: { password: "p".repeat(257) } }), 400, "[tooLong]user.password");
      expect(await readEvents(world.storage, "user.password.update")).toHaveLength(3);
    });

    requirement("user.password", "may be as long as the tenant allows wherever it is given", async () => {
      const world = await start();
      const { caller } = world;
      const longest = (letter: string): string => `${letter}1`.repeat(2_048);
      const passwordValidationRules = { maxLength: 4_096 };
      expectOk(await caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { passwordValidationRules } }));
      const loginId = "a@example.com";
      expectOk(await caller.post(path, { user: { email: loginId, password: longest("a") } }));
      const logIn = (password: string) => caller.post("/api/login", { loginId, password, noJWT: true });
      expectOk(await logIn(longest("a")));
      const change = { loginId, currentPassword: longest("a"), password: longest("b") };
      expectOk(await caller.post("/api/user/change-password", change));
      expectOk(await logIn(longest("b")));
      expectRefusal(await logIn(`${longest("b")}.`), 400, "[tooLong]password");
      const imported = { email: "b@example.com", active: true, password: longest("c") };
      expectOk(await caller.post("/api/user/import", { users: [imported] }));
      expectOk(await caller.post("/api/login", { loginId: imported.email, password: imported.password, noJWT: true }));
    });
  });
});
