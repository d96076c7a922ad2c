import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, uuid, type World } from "../support/world.js";
import {
  builtInId,
  genericId,
  logInBy,
  makeGeneric,
  policy,
  setPolicies,
  startConnected,
  startPasswords,
} from "./support/connectors.js";

const ann = { email: "ann@example.com", id: uuid(71) };
const url = `/api/user/${ann.id}`;

/** A service with a user of a connector, who logged in to an application. */
async function startWithUser(start: Start): Promise<World> {
  const sink = await startPasswords({ "ann@example.com": ann });
  const world = await startConnected(start);
  await makeGeneric(world, sink.url);
  await setPolicies(world, [policy(genericId), policy(builtInId)]);
  const application = { name: "Shop", passwordlessConfiguration: { enabled: true } };
  expectOk(await world.caller.post(`/api/application/${ids.application}`, { application }));
  expectOk(await logInBy(world, ann.email));
  return world;
}

forEachStorage((start) => {
  describe("a user of a connector", () => {
    requirement("connector.external-password", "cannot change or reset the password here", async () => {
      const world = await startWithUser(start);
      const login = await logInBy(world, ann.email, undefined, { applicationId: ids.application });
      expect(login.status).toBe(202);
      const token = login.textAt("token");
      const own = anybody(world, { Authorization: `Bearer ${token}` });
      const change = { currentPassword: "the password of the other system", password: "another password" };
      expectRefusal(await own.post("/api/user/change-password", change), 400, "[externalPassword]");
      expectRefusal(await own.get("/api/user/change-password"), 400, "[externalPassword]");
      const named = { loginId: ann.email, password: "another password" };
      expectRefusal(await world.caller.post("/api/user/change-password", named), 400, "[externalPassword]");
      expectRefusal(await world.caller.post("/api/user/forgot-password", { loginId: ann.email }), 400, "[externalPassword]");
      // A caller without a key learns no more than of nobody.
      const known = await anybody(world).post("/api/user/forgot-password", { loginId: ann.email });
      const unknown = await anybody(world).post("/api/user/forgot-password", { loginId: "nobody@example.com" });
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
      expect(await readEvents(world.storage, "user.password.reset.start")).toEqual([]);
    });

    requirement("account.verified-reason", "has an address that is proved where it is of the domains of the policy", async () => {
      const reasonOf = async (world: World): Promise<unknown> =>
        expectOk(await world.caller.get(url)).at("user.identities.0.verifiedReason");
      expect(await reasonOf(await startWithUser(start))).toBe("Trusted");
      const sink = await startPasswords({ "ann@example.org": ann });
      const world = await startConnected(start);
      await makeGeneric(world, sink.url);
      await setPolicies(world, [policy(genericId, { domains: ["example.org"] })]);
      expectOk(await logInBy(world, "ann@example.org"));
      expect(await reasonOf(world)).toBe("Skipped");
    });

    requirement("connector.passwordless", "logs in by no mail, since the other system is not asked then", async () => {
      const world = await startWithUser(start);
      const body = { applicationId: ids.application, loginId: ann.email };
      expectEmpty(await world.caller.post("/api/passwordless/start", body), 404);
    });

    requirement("connector.required-change", "is not asked for another password", async () => {
      const world = await startWithUser(start);
      const passwordValidationRules = { validateOnLogin: true, minLength: 100 };
      const tenant = { passwordValidationRules, maximumPasswordAge: { enabled: true, days: 1 } };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
      expectOk(await world.caller.patch(url, { user: { passwordChangeRequired: true } }));
      world.clock.advance(90 * 86_400_000);
      expectOk(await logInBy(world, ann.email));
    });

    requirement("connector.set-password", "becomes one of the built-in connector by a password of an administrator", async () => {
      const world = await startWithUser(start);
      expect(expectOk(await world.caller.patch(url, { user: { firstName: "Ann" } })).at("user.connectorId")).toBe(genericId);
      const changed = expectOk(await world.caller.patch(url, { user: { password: "a local password" } }));
      expect(changed.at("user.connectorId")).toBe(builtInId);
      expectEmpty(await logInBy(world, ann.email), 404);
      expectOk(await logInBy(world, ann.email, "a local password"));
    });

    requirement("connector.no-policy", "cannot log in once no policy names the connector", async () => {
      const world = await startWithUser(start);
      await setPolicies(world, [policy(builtInId)]);
      expectEmpty(await logInBy(world, ann.email), 404);
      await setPolicies(world, [policy(genericId)]);
      expectOk(await logInBy(world, ann.email));
    });

    requirement("connector.inactive", "who is inactive here stays so", async () => {
      const world = await startWithUser(start);
      expectEmpty(await world.caller.delete(url), 200);
      expectEmpty(await logInBy(world, ann.email), 404);
      expect(expectOk(await world.caller.get(url)).at("user.active")).toBe(false);
    });
  });
});
