import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { type Answer, codesOf, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { familyCases, makeRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

/** The names of all members of all objects of a JSON text, in the order in which they stand there. */
function memberOrders(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap(memberOrders);
  if (typeof value !== "object" || value === null) return [];
  return [Object.keys(value), ...Object.values(value).flatMap(memberOrders)];
}

function expectJsonAnswer(answer: Answer): void {
  expect(answer.headers["content-type"]).toBe("application/json; charset=UTF-8");
  expect(answer.headers["cache-control"]).toBe("no-cache");
}

forEachStorage((start) => {
  describe.each(familyCases)("$name", (family) => {
    requirement(
      ["output.sorted", "output.nulls", "output.media-type"],
      "are shown in order, without nulls, as JSON in UTF-8",
      async () => {
        const world = await start();
        const made = await makeRecord(world, family);
        const data = { z: null, b: [null, "ü"], a: {} };
        const withNulls = {
          ...made.request,
          [family.wrapper]: { ...made.body(3)[family.wrapper], unset: null, ...(family.wrapper !== "apiKey" && { data }) },
        };
        const answers = [
          made.answer,
          expectOk(await world.caller.put(made.path, withNulls)),
          expectOk(await world.caller.patch(made.path, {})),
        ];
        for (const answer of answers) {
          expectJsonAnswer(answer);
          expect(answer.text).not.toMatch(/:null/);
          expect(answer.text).not.toMatch(/^\s|\s$|\n/);
          for (const names of memberOrders(answer.body)) expect(names).toEqual([...names].sort());
        }
      },
    );

    requirement("record.null-is-absent", "take null for what is not said", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const [field = ""] = family.textField;
      const optional = {
        ...made.body(4)[family.wrapper],
        data: null,
        metaData: null,
        permissions: null,
        description: null,
        firstName: null,
        timezone: null,
      };
      const nulls = { [family.wrapper]: optional, roleIds: null, unknown: null };
      const said = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null));
      const first = expectOk(await world.caller.put(made.path, nulls)).at(family.wrapper);
      expect(expectOk(await world.caller.put(made.path, { [family.wrapper]: said })).at(family.wrapper)).toEqual(first);
      if (field === "name" && family.name !== "apiKeys")
        expectRefusal(
          await world.caller.put(made.path, { [family.wrapper]: { ...said, name: null } }),
          400,
          `[blank]${family.wrapper}.name`,
        );
    });
  });

  requirement("output.empties", "shows empty maps, empty lists and false", async () => {
    const { caller } = await start();
    const user = expectOk(await caller.post("/api/user", { user: { username: "a" } }));
    expect(user.at("user")).toMatchObject({
      data: {},
      memberships: [],
      preferredLanguages: [],
      registrations: [],
      passwordChangeRequired: false,
    });
    expect((await caller.get("/api/group")).text).toBe('{"groups":[]}');
    expect((await caller.get("/api/group/search")).text).toBe('{"groups":[],"total":0}');
  });

  requirement("output.head", "answers HEAD with the status and the headers of GET", async () => {
    const { caller } = await start();
    expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
    for (const path of [
      `/api/group/${uuid(1)}`,
      `/api/group/${uuid(2)}`,
      "/api/group",
      "/api/group/search",
      "/api/group/x",
      "/api/group/member",
    ]) {
      const [get, head] = [await caller.get(path), await caller.send("HEAD", path)];
      expect({ path, status: head.status, headers: head.headers }).toEqual({ path, status: get.status, headers: get.headers });
    }
  });

  describe("refusals", () => {
    requirement(["errors.shape", "output.media-type"], "hold both lists of errors, the empty one too", async () => {
      const { caller } = await start();
      const ofField = await caller.post("/api/group", {});
      expect(ofField.body).toEqual({
        fieldErrors: { group: [{ code: "[missing]group", message: expect.stringContaining("[group]") }] },
        generalErrors: [],
      });
      const general = await caller.post("/api/group", "{");
      expect(general.body).toEqual({ fieldErrors: {}, generalErrors: [{ code: "[invalidJSON]", message: expect.any(String) }] });
      for (const answer of [ofField, general]) expectJsonAnswer(answer);
    });

    requirement(
      ["errors.all-at-once", "errors.wrong-type", "errors.paths"],
      "name every wrong field of a body at once, from the wrapper on",
      async () => {
        const { caller } = await start();
        const answer = await caller.post("/api/group", {
          group: { name: 7, data: [], tenantId: "x" },
          roleIds: [uuid(1), null, {}],
        });
        const codes = [
          "[couldNotConvert]group.tenantId",
          "[invalidJSON]group.data",
          "[invalidJSON]group.name",
          "[invalidJSON]roleIds[1]",
          "[invalidJSON]roleIds[2]",
        ];
        expectRefusal(answer, 400, ...codes);
        const second = await caller.post("/api/group", { group: { name: "G", data: "x" }, roleIds: 7 });
        expect(codesOf(second)).toEqual(["[invalidJSON]group.data", "[invalidJSON]roleIds"]);
      },
    );

    requirement("errors.405", "answer another method of a known path with an empty 405", async () => {
      const { caller } = await start();
      const methodsOf = new Map<string, Set<string>>();
      for (const { method, path } of routes) methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method));
      for (const [path, methods] of methodsOf)
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
          if (!methods.has(method)) expectEmpty(await caller.send(method, path.replaceAll(/:\w+/g, uuid(1))), 405);
      for (const method of ["TRACE", "CONNECT", "PROPFIND", "__PROTO__"])
        expectEmpty(await caller.send(method, "/api/group"), 405);
    });

    requirement("errors.options", "answer OPTIONS like any method that is not there", async () => {
      const { caller } = await start();
      expectEmpty(await caller.send("OPTIONS", "/api/group", undefined, { origin: "https://example.com" }), 405);
    });

    requirement("errors.method-override", "look at the method alone, never at a header that names another", async () => {
      const { caller } = await start();
      const path = `/api/group/${uuid(1)}`;
      for (const header of ["x-http-method-override", "x-method-override", "x-http-method"]) {
        expectOk(await caller.post(path, { group: { name: "G" } }, { [header]: "DELETE" }));
        expectOk(await caller.get(path, { [header]: "DELETE" }));
        expectEmpty(await caller.delete(path, undefined, { [header]: "GET" }), 200);
      }
    });

    requirement("errors.unknown-path", "leave paths that are not the service's to the host", async () => {
      const { identity, caller } = await start();
      const paths = [
        "/",
        "",
        "/api",
        "/api/",
        "/api/groups",
        "/api/Group",
        "/API/group",
        "/api/group/x/y/z",
        "/api//group",
        "/api/group//",
        "/x/api/group",
        "api/group",
      ];
      for (const path of paths) {
        expect(await identity.handle({ method: "GET", path, query: "", headers: {} })).toBeUndefined();
        expect((await caller.get(path)).status).toBe(404);
      }
    });

    requirement("errors.trailing-slash", "do not come from a slash at the end of a path", async () => {
      const { caller } = await start();
      expectOk(await caller.post(`/api/group/${uuid(1)}/`, { group: { name: "G" } }));
      expect((await caller.get("/api/group/")).each("groups", "id")).toEqual([uuid(1)]);
      expect(expectOk(await caller.get(`/api/group/${uuid(1)}/?x=1`)).at("group.id")).toBe(uuid(1));
      expectOk(await caller.get("/api/group/search/"));
    });
  });
});
