// Passwords in other forms of Unicode (RFC 8265, OpaqueString).
import { hashSync } from "bcryptjs";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const chosen = "Ünïcödé pass 한글 Å";

/** Forms of the one password, as systems and keyboards send it. */
const forms: Readonly<Record<string, string>> = {
  composed: chosen.normalize("NFC"),
  decomposed: chosen.normalize("NFD"),
  "with an Angstrom sign": chosen.normalize("NFC").replace("Å", "\u212b"),
  "with spaces of others": chosen.normalize("NFD").replace(" ", "\u00a0").replace(" ", "\u3000"),
};

/** Texts that look alike, and are other passwords. */
const others: readonly string[] = [
  chosen.toUpperCase(),
  chosen.replace("Ü", "U"),
  chosen.replace("pass", "\uff50ass"),
  chosen.replace(" ", "  "),
  ` ${chosen}`,
  chosen.replace(" ", "\t"),
];

async function statusOf(world: World, password: string, loginId = "ann@example.com"): Promise<number> {
  return (await world.caller.post("/api/login", loginBody({ loginId, password }))).status;
}

forEachStorage((start) => {
  describe("a password", () => {
    for (const [name, form] of Object.entries(forms))
      requirement("account.unicode-password", `that was chosen ${name} logs in in every form`, async () => {
        const world = await start({ throttle: { login: { maxDelayMs: 0 } } });
        await arrangeLogin(world, { user: { password: form } });
        for (const [how, typed] of Object.entries(forms)) expect([how, await statusOf(world, typed)]).toEqual([how, 200]);
        for (const other of others) expect([other, await statusOf(world, other)]).toEqual([other, 404]);
      });

    requirement("account.unicode-password", "is current, used before and as long in every form", async () => {
      const world = await start();
      const rules = { maxLength: [...chosen].length, rememberPreviousPasswords: { enabled: true, count: 3 } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { passwordValidationRules: rules } }));
      await arrangeLogin(world, { user: { password: forms.decomposed } });
      const { token } = await logIn(world, { password: forms.composed });
      const change = async (currentPassword: string, password: string) =>
        anybody(world, { authorization: `Bearer ${token}` }).post("/api/user/change-password", { currentPassword, password });
      for (const [how, password] of Object.entries(forms)) {
        const answer = await change(forms["with spaces of others"] ?? "", password);
        expect([how, answer.text]).toEqual([how, expect.stringContaining("[previouslyUsed]password")]);
      }
      expectRefusal(await change(forms.decomposed ?? "", `${forms.decomposed}!`), 400, "[tooLong]password");
      expectOk(await change(forms.decomposed ?? "", "another one"));
    });

    requirement(
      ["account.unicode-password", "users.import-rehash"],
      "whose hash was made before is taken as it is typed",
      async () => {
        const world = await start();
        await arrangeLogin(world);
        const users = Object.values(forms).map((form, index) => ({
          active: true,
          email: `${index}@example.com`,
          id: uuid(700 + index),
          passwordHash: hashSync(form, 4),
        }));
        expect((await world.caller.post("/api/user/import", { users })).status).toBe(200);
        for (const [index, form] of Object.values(forms).entries()) {
          const loginId = `${index}@example.com`;
          expect(await statusOf(world, others[0] ?? "", loginId)).toBe(404);
          expect([form, await statusOf(world, form, loginId)]).toEqual([form, 202]);
        }
        // A weak hash is replaced at the login, by one for every form.
        for (const form of Object.values(forms)) expect(await statusOf(world, form, "1@example.com")).toBe(202);
      },
    );

    requirement("account.unicode-password", "that is imported as a text logs in in every form", async () => {
      const world = await start();
      await arrangeLogin(world);
      const user = { active: true, email: "0@example.com", id: uuid(700), password: forms.decomposed };
      for (const [index, scheme] of [{}, { encryptionScheme: "bcrypt", factor: 4 }].entries()) {
        const users = [{ ...user, email: `${index}@example.com`, id: uuid(700 + index) }];
        expect((await world.caller.post("/api/user/import", { users, ...scheme })).status).toBe(200);
        expect(await statusOf(world, forms.composed ?? "", `${index}@example.com`)).toBe(202);
      }
    });
  });
});
