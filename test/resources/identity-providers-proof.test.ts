import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { logInWith, startWithProvider } from "../support/identity-providers.js";
import { ids, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

const email = "ann@example.com";

async function makeAnn(world: World): Promise<void> {
  expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { email, username: "Ann", password, verified: true } }));
}

forEachStorage((start) => {
  describe("an account at a provider", () => {
    requirement("external-login.proof", "links by an address that both sides proved alone", async () => {
      const world = await startWithProvider(start);
      expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: { email, password } }));
      world.script.user = { email };
      expect((await logInWith(world)).status).toBe(232);
      expectEmpty(await logInWith(world, "right", { noLink: true }), 404);
      expectEmpty(await world.caller.post("/api/user/verify-email", { userId: ids.user }), 200);
      world.script.user = { email, isEmailVerified: false };
      expect((await logInWith(world)).status).toBe(232);
      world.script.user = { email };
      expect(expectOk(await logInWith(world)).textAt("user.id")).toBe(ids.user);
      world.script.user = {};
      expectRefusal(await logInWith(world, "as:nameless"), 400, "[identityProviderIncomplete]");
      world.script.user = { email: "no address" };
      expectRefusal(await logInWith(world, "as:wrong"), 400, "[notEmail]user.email");
      world.script.user = { email: "first@example.com", isEmailVerified: false };
      expect(expectOk(await logInWith(world, "as:thief")).at("user.verified")).toBe(false);
      world.script.user = { email: "first@example.com", isEmailVerified: true };
      expect((await logInWith(world, "as:owner")).status).toBe(232);
    });

    for (const type of ["ExternalJWT", "OpenIDConnect", "SAMLv2"] as const)
      requirement("external-login.proof", `takes the word of ${type} for addresses of its domains alone`, async () => {
        const world = await startWithProvider(start, { type, fields: { domains: ["Example.com"] } });
        await makeAnn(world);
        const other = { email: "bob@other.example", password, verified: true };
        expectOk(await world.caller.post("/api/user", { user: other }));
        world.script.user = { email: "BOB@other.example" };
        expect((await logInWith(world, "as:bob")).status).toBe(232);
        world.script.user = { email: "eve@sub.example.com" };
        expect(expectOk(await logInWith(world, "as:eve")).at("user.verified")).toBe(false);
        world.script.user = { email: "Ann@EXAMPLE.com" };
        expect(expectOk(await logInWith(world)).textAt("user.id")).toBe(ids.user);
      });

    requirement("external-login.proof", "links by a name that is an address of the provider and was declared alone", async () => {
      const fields = { domains: ["example.com"], linkingStrategy: "LinkByUsername" };
      const world = await startWithProvider(start, { fields });
      const declared = { type: "username", verified: true, verifiedReason: "Import" };
      const users = ["ann@example.com", "eve@other.example", "bob"].map((username) => ({
        active: true,
        identities: [declared],
        username,
      }));
      expectEmpty(await world.caller.post("/api/user/import", { users }), 200);
      expectOk(await world.caller.post("/api/user", { user: { username: "kim@example.com", password } }));
      for (const [username, status] of Object.entries({
        "kim@example.com": 232,
        bob: 232,
        "eve@other.example": 232,
        "ann@example.com": 200,
      })) {
        world.script.user = { username };
        expect([username, (await logInWith(world, `as:${username}`)).status]).toEqual([username, status]);
      }
    });

    requirement("external-login.proof", "links by no letter that counts as another one in names alone", async () => {
      const world = await startWithProvider(start);
      const mose = { email: "mose@example.com", username: "mose@example.com", password, verified: true };
      expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: mose }));
      world.script.user = { email: "mo\u017fe@example.com" };
      expectRefusal(await logInWith(world, "as:long-s"), 400, "[invalid]user.email");
      world.script.user = { email: "MOSE@example.com" };
      expect(expectOk(await logInWith(world, "as:mose")).textAt("user.id")).toBe(ids.user);
      const fields = { domains: ["example.com"], linkingStrategy: "LinkByUsername" };
      const byName = await startWithProvider(start, { fields });
      const declared = { type: "username", verified: true, verifiedReason: "Import" };
      const users = [{ active: true, identities: [declared], username: "mose@example.com" }];
      expectEmpty(await byName.caller.post("/api/user/import", { users }), 200);
      byName.script.user = { username: "mo\u017fe@example.com" };
      expect((await logInWith(byName, "as:long-s")).status).toBe(232);
    });

    requirement("external-login.proof", "gives no user to a second account of one provider", async () => {
      const world = await startWithProvider(start);
      await makeAnn(world);
      world.script.user = { email };
      const answers = await Promise.all(["as:one", "as:two", "as:three"].map((token) => logInWith(world, token)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 232, 232]);
      expect((await logInWith(world, "as:four")).status).toBe(232);
      const links = await world.caller.get(`/api/identity-provider/link?userId=${ids.user}`);
      expect(links.at("identityProviderLinks")).toHaveLength(1);
    });
  });
});
