import { describe, expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { createUser, startDirectory } from "../support/directory.js";

forEachStorage((start) => {
  describe("a user of a directory", () => {
    requirement(
      "account.verified-reason",
      "declares the addresses of new users, unless the tenant asks for their proof",
      async () => {
        const { call, tenantId, world } = await startDirectory(start);
        const reasonOf = async (userName: string): Promise<unknown> => {
          const emails = [{ value: `${userName}@example.com`, primary: true }];
          const id = await createUser(call, userName, { emails });
          return expectOk(await world.caller.get(`/api/user/${id}`)).at("user.identities.0.verifiedReason");
        };
        expect(await reasonOf("ann")).toBe("Administrative");
        const tenant = { emailConfiguration: { verifyEmail: true } };
        expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant }));
        expect(await reasonOf("bob")).toBe("Pending");
      },
    );
  });
});
