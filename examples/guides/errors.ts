/** docs/errors.md */
import assert from "node:assert/strict";
import { createIdentityService, IdentityError } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { assertLike } from "./like.ts";

const identity = await createIdentityService({ storage: memoryStorage() });
const { apiKey } = await identity.apiKeys.create({ apiKey: { name: "Guide" } });

const { status, body } = await identity.inject({
  method: "POST",
  url: "/api/group",
  headers: { authorization: apiKey.key ?? "", "content-type": "application/json" },
  body: JSON.stringify({ group: { name: "" } }),
});
assert.equal(status, 400);
assertLike(JSON.parse(String(body)), "error-blank");

try {
  await identity.groups.create({ group: { name: "" } });
} catch (error) {
  if (!(error instanceof IdentityError)) throw error;
  console.log(error.status, error.code, error.fieldErrors["group.name"]?.[0]?.message);
}
await identity.close();
