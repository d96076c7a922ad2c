import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { parseHidden } from "../../src/operations/family/family.js";
import { toRecordToStore } from "../../src/operations/family/record-steps.js";
import { toUserDraft } from "../../src/people/users/user-draft.js";
import { usersTable } from "../../src/records/users/family.js";
import type { User, UserIdentity } from "../../src/records/users/schema.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { logInWith, startWithProvider } from "../support/identity-providers.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

const path = `/api/user/${ids.user}`;
const email = "ann@example.com";
const verifying = { emailConfiguration: { verifyEmail: true } };

async function reasonsOf(world: World, id: string = ids.user): Promise<Readonly<Record<string, string | undefined>>> {
  const identities = expectOk(await world.caller.get(`/api/user/${id}`)).at("user.identities") as readonly UserIdentity[];
  return Object.fromEntries(identities.map(({ type, verifiedReason }) => [type, verifiedReason]));
}

/** Stores users as earlier versions did: without reasons, and with some members changed. */
async function forgetReasons(world: World, changes: Partial<User> = {}): Promise<void> {
  for (const stored of await world.storage.find(globalScope, usersTable, undefined)) {
    const user = JSON.parse(stored.json) as User;
    const identities = user.identities.map(({ verifiedReason: _, ...identity }) => identity);
    const draft = toUserDraft({ ...user, ...changes, identities }, parseHidden(stored));
    const record = toRecordToStore(draft, stored.tenantId, stored.version + 1);
    await world.storage.transaction((tx) => tx.update(globalScope, usersTable, record));
  }
}

const userOf = (fields: object): object => ({ user: { email, password: "correct horse battery", ...fields } });

async function claimedOf(world: World): Promise<unknown> {
  return claimsOf((await logIn(world)).token).email_verified;
}

forEachStorage((start) => {
  describe("the reason of a login id", () => {
    requirement("account.verified-reason", "follows from what a key declares, or what the tenant asks for", async () => {
      const cases: readonly (readonly [typeof verifying | undefined, object, string])[] = [
        [undefined, userOf({}), "Disabled"],
        [undefined, userOf({ verified: true }), "Administrative"],
        [undefined, userOf({ verified: false }), "Pending"],
        [undefined, { ...userOf({}), skipVerification: true }, "Skipped"],
        [verifying, userOf({}), "Pending"],
        [verifying, userOf({ verified: true }), "Administrative"],
        [verifying, { ...userOf({}), skipVerification: true }, "Skipped"],
      ];
      for (const [settings, body, reason] of cases) {
        const { world } = await startFlows(start, settings);
        const made = expectOk(await world.caller.post(path, body));
        expect(made.at("user.identities.0")).toMatchObject({ verified: reason !== "Pending", verifiedReason: reason });
        expectOk(await world.caller.patch(path, { user: { firstName: "Ann", verified: true } }));
        expect(await reasonsOf(world)).toEqual({ email: reason });
      }
    });

    requirement("account.verified-reason", "changes with the address, and never by PUT or PATCH alone", async () => {
      const { world, setTenant } = await startFlows(start);
      expectOk(await world.caller.post(path, userOf({ phoneNumber: "+15550100", username: "Ann", verified: true })));
      expect(await reasonsOf(world)).toEqual({ email: "Administrative", phoneNumber: "Disabled", username: "Unverifiable" });
      const changed = expectOk(await world.caller.patch(path, { user: { email: "lee@example.com", verified: true } }));
      expect([changed.at("user.verified"), changed.at("user.identities.0.verifiedReason")]).toEqual([true, "Disabled"]);
      await setTenant({ emailConfiguration: { verifyEmailWhenChanged: true } });
      expectOk(await world.caller.patch(path, { user: { email: "kim@example.com" } }));
      expect((await reasonsOf(world)).email).toBe("Pending");
      expectEmpty(await world.caller.post("/api/user/verify-email", { userId: ids.user }), 200);
      expect((await reasonsOf(world)).email).toBe("Administrative");
    });

    requirement("account.verified-reason", "is the proof of the user, by a verification or by another mail", async () => {
      const { nextMail, world } = await startFlows(start, verifying);
      const made = expectOk(await world.caller.post(path, userOf({})));
      expectEmpty(await anybody(world).post(`/api/user/verify-email/${made.textAt("emailVerificationId")}`), 200);
      expect(await reasonsOf(world)).toEqual({ email: "Completed" });
      const { nextMail: nextOther, world: other } = await startFlows(start);
      expectOk(await other.caller.post(path, userOf({})));
      expectEmpty(await anybody(other).post("/api/user/forgot-password", { loginId: email }), 200);
      const [, id = ""] = (await nextOther("forgot")).words;
      expectOk(await anybody(other).post(`/api/user/change-password/${id}`, { password: "another battery" }));
      expect(await reasonsOf(other)).toEqual({ email: "Implicit" });
      expect((await nextMail("verified")).words).toEqual(["verified", email]);
    });

    requirement("account.verified-reason", "is what an import declares, and survives an export", async () => {
      const { world } = await startFlows(start);
      const users = [
        { email: "a@example.com", verified: true },
        { email: "b@example.com" },
        { email: "c@example.com", phoneNumber: "+1555", identities: [{ type: "phoneNumber", verified: true }] },
        { email: "d@example.com", verified: true, identities: [{ type: "email", verified: true, verifiedReason: "Disabled" }] },
        { email: "e@example.com", identities: [{ type: "email", verified: false, verifiedReason: "Completed" }] },
      ];
      expectEmpty(await world.caller.post("/api/user/import", { users }), 200);
      const found = expectOk(await world.caller.get("/api/user/search?queryString=*&sortFields=email")).at(
        "users",
      ) as readonly User[];
      const reasons = found.flatMap(({ identities }) => identities.map(({ verifiedReason }) => verifiedReason));
      expect(reasons.toSorted()).toEqual(["Disabled", "Disabled", "Disabled", "Import", "Import", "Pending"]);
    });

    requirement("account.verified-reason", "is the word of a provider about an address", async () => {
      const world = await startWithProvider(start);
      world.script.user = { email: " Ann@Example.com", isEmailVerified: true };
      const vouched = expectOk(await logInWith(world)).textAt("user.id");
      expect(await reasonsOf(world, vouched)).toEqual({ email: "Trusted" });
      world.script.user = { email: "bob@example.com", isEmailVerified: false };
      expect(await reasonsOf(world, expectOk(await logInWith(world, "as:bob")).textAt("user.id"))).toEqual({ email: "Pending" });
    });

    requirement("account.verified-reason", "of a registration says the same", async () => {
      const world = await start();
      await arrangeLogin(world);
      const own = `/api/user/registration/${ids.user}/${ids.application}`;
      expect((await world.caller.get(own)).at("registration.verifiedReason")).toBe("Disabled");
      expectOk(await world.caller.delete(own));
      const registration = { applicationId: ids.application, verified: true };
      const made = expectOk(await world.caller.post(`/api/user/registration/${ids.user}`, { registration }));
      expect(made.at("registration.verifiedReason")).toBe("Administrative");
      expect(expectOk(await world.caller.patch(own, { registration: { data: { a: 1 } } })).at("registration")).toMatchObject({
        verifiedReason: "Administrative",
      });
    });
  });

  describe("tokens", () => {
    requirement("account.proof-in-tokens", "say that an address is verified where somebody proved it", async () => {
      for (const [user, isProved] of [
        [{}, false],
        [{ verified: false }, false],
        [{ verified: true }, true],
      ] as const) {
        const world = await start();
        await arrangeLogin(world, { user });
        expect(await claimedOf(world)).toBe(isProved);
        const { token } = await logIn(world);
        const info = await anybody(world, { Authorization: `Bearer ${token}` }).get("/oauth2/userinfo");
        expect(expectOk(info).at("email_verified")).toBe(isProved);
      }
    });

    requirement("account.proof-in-tokens", "say nothing of an address that the user does not have", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { email: undefined } });
      const claims = claimsOf((await logIn(world, { loginId: "Ann" })).token);
      expect(claims).not.toHaveProperty("email_verified");
    });

    requirement("account.proof-in-tokens", "of users of earlier versions follow the record and the tenant", async () => {
      const { setTenant, world } = await startFlows(start);
      await arrangeLogin(world);
      await forgetReasons(world);
      expect(await claimedOf(world)).toBe(false);
      await setTenant(verifying);
      await forgetReasons(world);
      expect(await claimedOf(world)).toBe(true);
      await setTenant({ emailConfiguration: { verifyEmail: false } });
      await forgetReasons(world, { verifiedInstant: world.clock.instant + 1 });
      expect(await claimedOf(world)).toBe(true);
      expectOk(await world.caller.patch(path, { user: { firstName: "Ann" } }));
      expect((await reasonsOf(world)).email).toBe("Completed");
    });
  });
});
