import { scimPath } from "latchkey/scim";
import { describe, expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { hostHook } from "../../support/write-hook.js";
import { createUser, startDirectory, userSchema } from "../support/directory.js";

forEachStorage((start) => {
  describe("a directory whose changes the host follows", () => {
    requirement(["on-write.places", "on-write.errors"], "calls onWrite, and is refused where it throws", async () => {
      const hook = hostHook();
      const { call, token, world } = await startDirectory(start, { onWrite: hook.onWrite });
      hook.calls.length = 0;
      const id = await createUser(call, "ada@example.com");
      expect(hook.calls).toMatchObject([{ action: "create", family: "users", id, principal: { kind: "client" } }]);
      const cause = new Error("The host cannot follow.");
      hook.atEnd = () => {
        throw cause;
      };
      const refused = await world.identity.inject({
        method: "POST",
        url: `${scimPath}/Users`,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
        body: JSON.stringify({ schemas: [userSchema], userName: "bob@example.com" }),
      });
      expect([refused.status, world.log.at(-1)?.fields.err]).toEqual([503, cause]);
      expect((await world.identity.users.search({ search: { queryString: "bob*" } })).total).toBe(0);
    });
  });
});
