// Addresses of SCIM are those of the API: one form for the spellings of a domain, and none for what is no plain address.
import { describe, expect } from "vitest";
import { requirement } from "../../support/requirement.js";
import { forEachStorage } from "../../support/world.js";
import { createUser, expectStatus, refusalOf, startDirectory, userSchema } from "../support/directory.js";

const stored = "ann@xn--bcher-kva.example";
const spellings = ["Ann@BÜCHER.example", "ANN@xn--bcher-kva.example", "ann@XN--BCHER-KVA.EXAMPLE", "ann@bu\u0308cher.example"];

forEachStorage((start) => {
  describe("an address of SCIM", () => {
    requirement("scim.addresses", "is one user in each spelling of its domain, and comes back as it was sent", async () => {
      const { call, world } = await startDirectory(start);
      const { identity } = world;
      for (const value of spellings) {
        const emails = [{ value, type: "work", primary: true, display: "Ann" }];
        const body = { schemas: [userSchema], userName: "ann", emails };
        const id = String((await expectStatus(call("POST", "/Users", body), 201)).id);
        expect((await identity.users.retrieve({ userId: id })).user.email).toBe(stored);
        expect((await call("GET", `/Users/${id}`)).at("emails")).toEqual(emails);
        for (const other of spellings) {
          const filter = encodeURIComponent(`emails.value eq "${other}"`);
          expect([value, other, (await call("GET", `/Users?filter=${filter}`)).at("totalResults")]).toEqual([value, other, 1]);
          expect((await call("POST", "/Users", { ...body, userName: "bob", emails: [{ value: other }] })).status).toBe(409);
        }
        await expectStatus(call("DELETE", `/Users/${id}`), 204);
      }
    });

    requirement("scim.addresses", "is found as the userName of a user without a username", async () => {
      const { call, world } = await startDirectory(start);
      const { identity } = world;
      const { user } = await identity.users.create({ user: { email: stored } });
      for (const value of spellings) {
        const filter = encodeURIComponent(`userName eq "${value}"`);
        expect([value, (await call("GET", `/Users?filter=${filter}`)).at("totalResults")]).toEqual([value, 1]);
        await expectStatus(
          call("PUT", `/Users/${user.id}`, { schemas: [userSchema], userName: value, emails: [{ value }] }),
          200,
        );
        expect((await identity.users.retrieve({ userId: user.id })).user).not.toHaveProperty("username");
      }
    });

    requirement("scim.addresses", "with a dot at its end, and what is no plain address, is refused", async () => {
      const { call } = await startDirectory(start);
      await createUser(call, "ann", { emails: [{ value: "ann@example.com" }] });
      for (const value of ["ann@example.com.", "ann@[127.0.0.1]", "ann(x)@example.com"]) {
        const refused = call("POST", "/Users", { schemas: [userSchema], userName: "bob", emails: [{ value }] });
        expect([value, await refusalOf(refused)]).toEqual([value, [400, "invalidValue"]]);
      }
    });
  });
});
