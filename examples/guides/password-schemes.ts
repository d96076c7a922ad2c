/** docs/reference/user-import.md: passwords that the service cannot check by itself. */
import assert from "node:assert/strict";
import { createHash, timingSafeEqual } from "node:crypto";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const pepper = "of the old application";

// The old service, which keeps its hashes to itself.
const oldService = async (username: string, password: string): Promise<boolean> =>
  username === "grace" && password === "compiler of 1952";

const identity = await createIdentityService({
  storage: memoryStorage(),
  passwordSchemes: {
    "acme-sha1": {
      accepts: (hash) => /^[0-9a-f]{40}$/.test(hash),
      verify: (password, hash) =>
        timingSafeEqual(createHash("sha1").update(pepper).update(password).digest(), Buffer.from(hash, "hex")),
    },
    "old-service": {
      verify: (password, username) => oldService(username, password),
    },
  },
});

const digest = createHash("sha1").update(`${pepper}correct horse battery`).digest("hex");
await identity.bulkUsers.import({
  users: [
    { email: "ada@example.com", active: true, passwordHash: `acme-sha1$${digest}` },
    { email: "grace@example.com", active: true, passwordHash: "old-service$grace" },
  ],
});

const login = (loginId: string, password: string): Promise<object> => identity.logins.login({ loginId, password });
assert("user" in (await login("ada@example.com", "correct horse battery")));
assert("user" in (await login("grace@example.com", "compiler of 1952")));
await assert.rejects(login("grace@example.com", "wrong"));
await identity.close();
