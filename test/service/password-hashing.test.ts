import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { requirement } from "../support/requirement.js";
import { startWorld, testCost, testSecret } from "../support/world.js";

requirement("account.hash-cost", "a cost below the lower bound of OWASP is refused, unless it is allowed for tests", async () => {
  const start = (passwordHashing: object) =>
    createIdentityService({ storage: memoryStorage(), secret: testSecret, delivery: false, passwordHashing });
  await expect(start({ memoryKib: 8 })).rejects.toThrow("passwordHashing.memoryKib must be a whole number from 19456");
  await expect(start({ passes: 1 })).rejects.toThrow("passwordHashing.passes must be a whole number from 2 to 100");
  await expect(start({ passes: 2.5 })).rejects.toThrow(TypeError);
  await expect(start({ memory: 20_000 })).rejects.toThrow("memory");
  await expect(start({ ...testCost, allowWeak: "false" })).rejects.toThrow("passwordHashing.allowWeak must be true or false");
  for (const wrong of [null, 5, []]) await expect(start(wrong as never)).rejects.toThrow(TypeError);
  await (await start({ ...testCost })).close();
});

requirement("account.hash-cost", "hashes have the cost of the option, and a login replaces a cheaper one", async () => {
  const storage = memoryStorage();
  const { identity } = await startWorld(storage);
  const login = { loginId: "ann@example.com", password: "a password of Ann" };
  await identity.users.create({ user: { email: login.loginId, password: login.password } });
  const stored = async (): Promise<string> => JSON.stringify(await storage.find(globalScope, usersTable, undefined));
  expect(await stored()).toContain("$argon2id$v=19$m=8,t=1,p=1$");
  const costlier = await startWorld(storage, { passwordHashing: { memoryKib: 16, passes: 2, allowWeak: true } });
  await costlier.identity.logins.login(login);
  expect(await stored()).toContain("$argon2id$v=19$m=16,t=2,p=1$");
});
