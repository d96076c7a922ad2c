/** docs/reference/user-import.md: users of another system, with their passwords; and their removal. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { assertLike, readJson } from "./like.ts";

interface Users {
  readonly users: readonly [{ readonly id: string; readonly email: string }];
}

const identity = await createIdentityService({ storage: memoryStorage() });
const applicationId = "2d1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e";
await identity.applications.create({ applicationId, application: { name: "Shop", roles: [{ name: "buyer" }] } });
await identity.groups.create({ groupId: "3e1f5c9e-1f5c-4c1e-9c1f-5c9e1f5c4c1e", group: { name: "Members" } });

const { users } = readJson<Users>("user-import");
await identity.bulkUsers.import({ users });

const [{ email, id }] = users;
const login = await identity.logins.login({ loginId: email, password: "correct horse battery", applicationId });
assert("token" in login);

async function* readUsers(): AsyncGenerator<{ readonly email: string; readonly active: boolean }> {
  for (let number = 1; number <= 1_200; number++) yield { email: `user${number % 1_000}@example.com`, active: true };
}

const { job, results } = await identity.users.import(readUsers(), {
  onDuplicate: "skip",
  onProgress: ({ created, total }) => console.log(`${created} of ${total}`),
});
for await (const { errors, line, outcome } of results) if (outcome === "failed") console.log(line, JSON.stringify(errors));
assert.equal(job.created, 1_000);
assert.equal(job.skipped, 200);

assertLike(await identity.bulkUsers.remove({ userIds: [id] }), "user-removal");
await identity.close();
