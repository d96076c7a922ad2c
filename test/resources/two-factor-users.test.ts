import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { usersTable } from "../../src/records/users/family.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { enable, secret, secretBase32Encoded, startTwoFactor, stepMs } from "../support/two-factor.js";
import { forEachStorage, readEvents } from "../support/world.js";

const fields = ["twoFactorDelivery", "twoFactorEnabled"];

forEachStorage((start) => {
  describe("a user", () => {
    requirement("two-factor.user-fields", "shows that there is none, and what there is, before 1.26.0", async () => {
      const world = await startTwoFactor(start);
      const shown = async (): Promise<unknown[]> => {
        const [one, found] = [
          await world.caller.get(`/api/user/${world.userId}`),
          await world.caller.get("/api/user/search?queryString=ada"),
        ];
        expect(found.at("users.0")).toEqual(one.at("user"));
        expect(Object.keys(one.at("user") as object)).toEqual(expect.arrayContaining(fields));
        expect(one.at("user.twoFactor")).toBeUndefined();
        return fields.map((field) => one.at(`user.${field}`));
      };
      expect(await shown()).toEqual(["None", false]);
      await enable(world, "TextMessage");
      expect(await shown()).toEqual(["TextMessage", true]);
    });

    requirement("two-factor.user-fields", "keeps it through PUT and PATCH of the user", async () => {
      const world = await startTwoFactor(start);
      const path = `/api/user/${world.userId}`;
      await enable(world);
      const off = { twoFactorEnabled: false, twoFactorDelivery: "TextMessage", twoFactorSecret: "x", twoFactor: null };
      const user = { email: "ada@example.com", mobilePhone: "555-0100", ...off };
      const changes = [
        () => world.caller.put(path, { user }),
        () => world.caller.put(path, { user: { ...user, password: "another password" } }),
        () => world.caller.patch(path, { user: off }),
        () => world.caller.delete(path),
        () => world.caller.put(`${path}?reactivate=true`),
      ];
      for (const change of changes) {
        expectOk(await change());
        const shown = await world.caller.get(path);
        expect(fields.map((field) => shown.at(`user.${field}`))).toEqual(["None", true]);
      }
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret, 1)}`), 200);
    });

    requirement("two-factor.user-fields", "cannot be given one by a POST, PUT or PATCH", async () => {
      const world = await startTwoFactor(start);
      const on = { twoFactorEnabled: true, twoFactorDelivery: "TextMessage", twoFactorSecret: secret };
      const user = { email: "bob@example.com", ...on };
      const id = expectOk(await world.caller.post("/api/user", { user })).textAt("user.id");
      expectOk(await world.caller.put(`/api/user/${id}`, { user }));
      expectOk(await world.caller.patch(`/api/user/${id}`, { user: on }));
      const shown = await world.caller.get(`/api/user/${id}`);
      expect(fields.map((field) => shown.at(`user.${field}`))).toEqual(["None", false]);
    });

    requirement("two-factor.user-fields", "keeps the password when a second factor comes and goes", async () => {
      const world = await startTwoFactor(start);
      const hash = async (): Promise<unknown> => {
        const stored = await world.storage.retrieve(globalScope, usersTable, world.userId);
        return JSON.parse(stored?.hidden ?? "{}").passwordHash;
      };
      const before = await hash();
      expect(before).toMatch(/^\$argon2id\$/);
      await enable(world);
      expect(await hash()).toBe(before);
      expectEmpty(await world.caller.delete(`${world.path}?code=${world.codeOf(secret, 1)}`), 200);
      expect(await hash()).toBe(before);
    });

    requirement("two-factor.sealed", "shows no secret in any answer, event, log or text of the storage", async () => {
      const world = await startTwoFactor(start);
      await enable(world, "TextMessage");
      world.clock.advance(stepMs);
      const answers = [
        await world.caller.get(`/api/user/${world.userId}`),
        await world.caller.get("/api/user/search?queryString=*"),
      ];
      const stored = await world.storage.retrieve(globalScope, usersTable, world.userId);
      const told = JSON.stringify([answers, stored, await readEvents(world.storage), world.log]);
      const key = Buffer.from(secret);
      const spellings = [
        secret,
        secretBase32Encoded,
        ...(["base64", "base64url", "hex"] as const).map((form) => key.toString(form)),
      ];
      for (const spelling of spellings) expect(told).not.toContain(spelling);
    });

    requirement("two-factor.events", "is published with each change, before and after", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      expectOk(await world.caller.patch(`/api/user/${world.userId}`, { user: { firstName: "Ada" } }));
      const [updated] = await readEvents(world.storage, "user.update");
      expect(updated).toMatchObject({ user: { twoFactorEnabled: true }, original: { twoFactorEnabled: true } });
      expectOk(await world.caller.delete(`/api/user/${world.userId}`));
      const [deactivated] = await readEvents(world.storage, "user.deactivate");
      expect(deactivated).toMatchObject({ user: { active: false, twoFactorEnabled: true } });
      expectOk(await world.caller.delete(`/api/user/${world.userId}?hardDelete=true`));
      const [deleted] = await readEvents(world.storage, "user.delete");
      expect(deleted).toMatchObject({ user: { id: world.userId, twoFactorEnabled: true } });
    });
  });
});
