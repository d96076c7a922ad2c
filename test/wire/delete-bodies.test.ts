// What the published clients say in the body of a DELETE (docs/reference/wire.md#bodies-of-delete).
import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { deleteBodyParameters } from "../../src/http/transport/read-parameters.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeUser } from "../support/families.js";
import { arrangeLogin, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const nobody = uuid(900);
const removals = routes.filter(({ method }) => method === "DELETE");

interface Removal {
  readonly path: string;
  /** The names of parameters that the path holds. */
  readonly inPath: readonly string[];
  /** Those that the body may name, beside the path. */
  readonly names: readonly string[];
}

const walked: readonly Removal[] = removals.map(({ path, target }) => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const names = deleteBodyParameters.filter((name) => target.parameters.includes(name) && !inPath.includes(name));
  return { path: path.replace(/:\w+/g, nobody), inPath, names };
});

const isId = (name: string): boolean => name.endsWith("Id") && name !== "methodId";
const two = (name: string): readonly [unknown, unknown] => {
  if (name === "hardDelete") return [true, false];
  return isId(name) ? [uuid(901), uuid(902)] : ["one", "two"];
};

forEachStorage((start) => {
  describe("every DELETE", () => {
    requirement("wire.delete-body", "refuses a body that disagrees with the query", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const { path, names } of walked)
        for (const name of names) {
          const [inQuery, inBody] = two(name);
          const url = `${path}?${name}=${inQuery}`;
          expectRefusal(await caller.delete(url, { [name]: inBody }), 400, `[doNotMatch]${name}`);
        }
    });

    requirement("wire.delete-body", "refuses a body that disagrees with the path", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const { path, inPath } of walked)
        for (const name of inPath.filter((one) => deleteBodyParameters.includes(one))) {
          expectRefusal(await caller.delete(path, { [name]: uuid(901) }), 400, `[doNotMatch]${name}`);
          const [alone, same] = [await caller.delete(path), await caller.delete(path, { [name]: nobody.toUpperCase() })];
          expect([same.status, same.text]).toEqual([alone.status, alone.text]);
        }
    });

    requirement("wire.delete-body", "answers what the body says as it answers what the query says", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const { path, names } of walked)
        for (const name of names)
          for (const value of [two(name)[0], "not an id"]) {
            const inQuery = await caller.delete(`${path}?${name}=${encodeURIComponent(String(value))}`);
            const inBody = await caller.delete(path, { [name]: value });
            expect([name, inBody.status, inBody.text]).toEqual([name, inQuery.status, inQuery.text]);
            const inBoth = await caller.delete(`${path}?${name}=${encodeURIComponent(String(value))}`, { [name]: value });
            expect([name, inBoth.status, inBoth.text]).toEqual([name, inQuery.status, inQuery.text]);
          }
    });

    requirement("wire.delete-body", "refuses values of another kind, and takes null for absent", async () => {
      const { caller } = await start({ version: "1.69.0" });
      for (const { path, names } of walked)
        for (const name of names) {
          const wrong = name === "hardDelete" ? [1, [], {}] : [1, true, [], {}];
          for (const value of wrong) expectRefusal(await caller.delete(path, { [name]: value }), 400, `[invalidJSON]${name}`);
          expectRefusal(await caller.delete(path, { [name]: "undefined" }), 400, `[couldNotConvert]${name}`);
          const [alone, nothing] = [await caller.delete(path), await caller.delete(path, { [name]: null })];
          expect([nothing.status, nothing.text]).toEqual([alone.status, alone.text]);
        }
    });
  });

  describe("a body of DELETE", () => {
    const isGone = async ({ caller }: World, url: string): Promise<boolean> => (await caller.get(url)).status === 404;

    requirement("wire.delete-body", "removes a user or an application for good, or deactivates it", async () => {
      const world = await start();
      await arrangeLogin(world);
      for (const [url, wrapper] of [
        [`/api/application/${ids.application}`, "application"],
        [`/api/user/${ids.user}`, "user"],
      ] as const) {
        expectEmpty(await world.caller.delete(url, { hardDelete: false }), 200);
        expect(expectOk(await world.caller.get(url)).at(`${wrapper}.active`)).toBe(false);
        expectEmpty(await world.caller.delete(url, { hardDelete: true }), 200);
        expect(await isGone(world, url)).toBe(true);
      }
    });

    requirement("wire.delete-body", "names the user, and the application of a registration", async () => {
      const world = await start();
      await arrangeLogin(world);
      const registration = `/api/user/registration/${ids.user}/${ids.application}`;
      expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}`, { applicationId: ids.application }), 200);
      expect(await isGone(world, registration)).toBe(true);
      expectOk(
        await world.caller.post(`/api/user/registration/${ids.user}`, { registration: { applicationId: ids.application } }),
      );
      expectEmpty(await world.caller.delete("/api/user/registration", { applicationId: ids.application, userId: ids.user }), 200);
      expect(await isGone(world, registration)).toBe(true);
      expectEmpty(await world.caller.delete("/api/user", { hardDelete: true, userId: ids.user }), 200);
      expect(await isGone(world, `/api/user/${ids.user}`)).toBe(true);
    });

    requirement("wire.delete-body", "proves and names the second factor that goes", async () => {
      const world = await start({ version: "1.69.0" });
      await arrangeLogin(world);
      const url = `/api/user/two-factor/${ids.user}`;
      const code = (): string => codeAt(secret, world.clock.instant);
      expectOk(await world.caller.post(url, { code: code(), method: "authenticator", secret }));
      world.clock.advance(stepMs);
      const methodId = expectOk(await world.caller.get(`/api/user/${ids.user}`)).textAt("user.twoFactor.methods.0.id");
      expectEmpty(await world.caller.delete(url, { code: "000000", methodId }), 421);
      expectEmpty(await world.caller.delete(url, { code: code(), methodId }), 200);
      expect(expectOk(await world.caller.get(`/api/user/${ids.user}`)).at("user.twoFactor.methods") ?? []).toEqual([]);
    });

    requirement("wire.delete-body", "revokes the refresh tokens that it names", async () => {
      const world = await start();
      await arrangeLogin(world);
      const left = async (): Promise<number> => {
        const answer = expectOk(await world.caller.get(`/api/jwt/refresh?userId=${ids.user}`));
        return (answer.at("refreshTokens") as readonly unknown[]).length;
      };
      const { refreshToken } = await logIn(world);
      await logIn(world);
      expectEmpty(await world.caller.delete("/api/jwt/refresh", { token: refreshToken }), 200);
      expect(await left()).toBe(1);
      expectEmpty(await world.caller.delete("/api/jwt/refresh", { applicationId: ids.application, userId: ids.user }), 200);
      expect(await left()).toBe(0);
      await logIn(world);
      expectEmpty(await world.caller.delete("/api/jwt/refresh", { userId: ids.user }), 200);
      expect(await left()).toBe(0);
    });

    requirement("wire.delete-body", "names a member of a group", async () => {
      const world = await start();
      const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
      expectOk(await world.caller.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
      expectOk(await world.caller.post("/api/group/member", { members: { [uuid(1)]: [{ userId }] } }));
      expectEmpty(await world.caller.delete(`/api/group/member?groupId=${uuid(1)}`, { userId }), 200);
      expect(expectOk(await world.caller.get(`/api/group/member/search?groupId=${uuid(1)}`)).at("total")).toBe(0);
    });
  });
});
