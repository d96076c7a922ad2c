import { describe, expect } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { type FamilyCase, familyCases, type Made, makeRecord, readRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

const withData = familyCases.filter((family) => family.hasData);

// The `application/json` flavour, row by row of docs/reference/patch.md#merging-with-applicationjson.
forEachStorage((start) => {
  describe.each(withData)("$name", (family) => {
    const { wrapper } = family;

    async function startWith(data: object): Promise<{ world: World; made: Made }> {
      const world = await start();
      const made = await makeRecord(world, family);
      const body = { ...made.request, [wrapper]: { ...made.request[wrapper], data } };
      expectOk(await world.caller.put(made.path, body));
      return { world, made };
    }

    async function dataAfter(before: object, patch: unknown): Promise<unknown> {
      const { world, made } = await startWith(before);
      const answer = expectOk(await world.caller.patch(made.path, { [wrapper]: { data: patch } }));
      expect((await world.caller.get(made.path)).at(wrapper)).toEqual(answer.at(wrapper));
      return answer.at(`${wrapper}.data`);
    }

    requirement("patch.absent", "leaves alone what the patch does not name", async () => {
      const { world, made } = await startWith({ a: 1, b: { c: 2 } });
      const before = (await world.caller.get(made.path)).at(wrapper);
      const answer = expectOk(await world.caller.patch(made.path, { [wrapper]: { data: { z: 1 } } }));
      expect(answer.at(wrapper)).toEqual({ ...(before as object), data: { a: 1, b: { c: 2 }, z: 1 } });
    });

    requirement("patch.scalar", "replaces a scalar, also by another type, and an object by a scalar", async () => {
      expect(await dataAfter({ a: 1, b: "x", c: true, d: { e: 1 } }, { a: "one", b: 2, c: false, d: 3 })).toEqual({
        a: "one",
        b: 2,
        c: false,
        d: 3,
      });
    });

    requirement("patch.object", "merges objects key by key at every depth", async () => {
      expect(await dataAfter({ a: { b: { c: 1, d: 2 } } }, { a: { b: { d: 3, e: 4 }, f: 5 } })).toEqual({
        a: { b: { c: 1, d: 3, e: 4 }, f: 5 },
      });
    });

    requirement("patch.array", "appends arrays and keeps duplicates", async () => {
      expect(await dataAfter({ a: ["bar"] }, { a: ["bar", "baz"] })).toEqual({ a: ["bar", "bar", "baz"] });
      expect(await dataAfter({ a: [{ x: 1 }] }, { a: [{ x: 1 }, [2]] })).toEqual({ a: [{ x: 1 }, { x: 1 }, [2]] });
      expect(await dataAfter({ a: "text" }, { a: ["new"] })).toEqual({ a: ["new"] });
    });

    requirement("patch.null", "removes what is null, in maps too", async () => {
      expect(await dataAfter({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { a: null, b: { c: null }, e: null, missing: null })).toEqual({
        b: { d: 2 },
      });
      expect(await dataAfter({ a: 1 }, null)).toEqual({});
    });

    requirement("patch.empty", "changes nothing with {} and []", async () => {
      expect(await dataAfter({ a: { b: 1 }, c: [1] }, { a: {}, c: [] })).toEqual({ a: { b: 1 }, c: [1] });
      expect(await dataAfter({ a: 1 }, {})).toEqual({ a: 1 });
    });
  });

  describe.each(familyCases)("$name by an append patch", (family) => {
    const { wrapper } = family;

    requirement("patch.wrapper", "is patched below its wrapper", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const answer = expectOk(await world.caller.patch(made.path, { [wrapper]: setText(family, family.texts[0]) }));
      expect(answer.at([wrapper, ...family.textField].join("."))).toBe(family.texts[0]);
    });

    requirement("patch.validated", "is refused with the field errors of PUT and stays as it was", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      const wrong = { [wrapper]: setText(family, 7) };
      const path = [wrapper, ...family.textField].join(".");
      expectRefusal(await world.caller.patch(made.path, wrong), 400, `[invalidJSON]${path}`);
      expectRefusal(await world.caller.mergePatch(made.path, wrong), 400, `[invalidJSON]${path}`);
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement(
      ["errors.empty-body", "errors.not-an-object"],
      "is refused without a body, or with one that is no object",
      async () => {
        const world = await start();
        const made = await makeRecord(world, family);
        expectRefusal(await world.caller.patch(made.path), 400, `[missing]${wrapper}`);
        for (const text of ["[]", "7", '"text"', "null"]) {
          expectRefusal(await world.caller.patch(made.path, text), 400, "[invalidJSON]");
          expectRefusal(await world.caller.mergePatch(made.path, text), 400, "[invalidJSON]");
        }
      },
    );
  });

  describe("fields that have defaults or are sets", () => {
    requirement("patch.defaults", "keeps stored values that differ from the default", async () => {
      const world = await start();
      const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false };
      const made = expectOk(await world.caller.post("/api/application", { application: { name: "A", loginConfiguration } }));
      const path = `/api/application/${made.textAt("application.id")}`;
      for (const patch of [{ name: "B" }, { loginConfiguration: {} }])
        expect(expectOk(await patchApplication(world, path, patch)).at("application.loginConfiguration")).toEqual(
          loginConfiguration,
        );
      const one = await patchApplication(world, path, { loginConfiguration: { allowTokenRefresh: false } });
      expect(one.at("application.loginConfiguration")).toEqual({ ...loginConfiguration, allowTokenRefresh: false });
      const cleared = await patchApplication(world, path, { loginConfiguration: { requireAuthentication: null } });
      expect(cleared.at("application.loginConfiguration.requireAuthentication")).toBe(true);
    });

    requirement("patch.sets", "keeps one of each in preferredLanguages", async () => {
      const { caller } = await start();
      const user = { email: "a@example.com", preferredLanguages: ["en", "de"] };
      const path = `/api/user/${expectOk(await caller.post("/api/user", { user })).textAt("user.id")}`;
      const answer = expectOk(await caller.patch(path, { user: { preferredLanguages: ["de", "fr", "fr"] } }));
      expect(answer.at("user.preferredLanguages")).toEqual(["en", "de", "fr"]);
    });

    requirement("patch.array", "appends the methods of an endpoint grant", async () => {
      const { caller } = await start();
      const permissions = { endpoints: { "/api/group": ["GET"] } };
      const path = `/api/api-key/${expectOk(await caller.post("/api/api-key", { apiKey: { permissions } })).textAt("apiKey.id")}`;
      const more = { endpoints: { "/api/group": ["POST"], "/api/user": ["GET"] } };
      const answer = expectOk(await caller.patch(path, { apiKey: { permissions: more } }));
      expect(answer.at("apiKey.permissions")).toEqual({ endpoints: { "/api/group": ["GET", "POST"], "/api/user": ["GET"] } });
    });
  });
});

function setText(family: FamilyCase, value: unknown): object {
  return family.textField.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

function patchApplication(world: World, path: string, application: object): Promise<Answer> {
  return world.caller.patch(path, { application });
}
