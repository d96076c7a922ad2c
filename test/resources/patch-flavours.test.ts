import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { familyCases, makeRecord, readRecord } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const mediaTypes = ["application/json", "application/merge-patch+json", "application/json-patch+json"];

forEachStorage((start) => {
  describe.each(familyCases)("$name", (family) => {
    const { wrapper } = family;
    const field = [wrapper, ...family.textField];
    const pointer = `/${field.join("/")}`;
    const [one, two] = family.texts;

    requirement("patch.media-types", "takes the three media types in any case, with UTF-8 as their charset", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      for (const type of mediaTypes)
        for (const header of [type, `${type}; charset=utf-8`, `${type.toUpperCase()};CHARSET="UTF-8"`]) {
          const body = type.includes("json-patch") ? [] : { [wrapper]: {} };
          expectOk(await world.caller.patch(made.path, body, { "content-type": header }));
        }
      for (const header of ["text/plain", "application/json5", "application/x-www-form-urlencoded", "application/xml"])
        expectRefusal(await world.caller.patch(made.path, {}, { "content-type": header }), 400, "[UnsupportedContentType]");
    });

    requirement("patch.json", "is edited by JSON Patch", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const operations = [
        { op: "add", path: pointer, value: one },
        { op: "test", path: pointer, value: one },
        { op: "replace", path: pointer, value: two },
      ];
      expect(expectOk(await world.caller.jsonPatch(made.path, operations)).at(field.join("."))).toBe(two);
    });

    requirement("patch.test-failed", "stays as it was when a test fails, without revealing its content", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      expectOk(await world.caller.jsonPatch(made.path, [{ op: "add", path: pointer, value: one }]));
      const before = await readRecord(world, family, made);
      const operations = [
        { op: "replace", path: pointer, value: two },
        { op: "test", path: pointer, value: "Three" },
      ];
      const answer = await world.caller.jsonPatch(made.path, operations);
      expectRefusal(answer, 400, "[JSONPatchTestFailed]");
      for (const text of [one, two, "Three"]) expect(answer.text).not.toContain(text);
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("patch.invalid", "stays as it was when an operation does not fit", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      const first = { op: "replace", path: pointer, value: "Changed" };
      const misfits = [
        { op: "remove", path: `/${wrapper}/missing` },
        { op: "replace", path: "/nothing/here", value: 1 },
        // Keys have no such member: that is another refusal.
        ...(wrapper === "apiKey" ? [] : [{ op: "add", path: `/${wrapper}/data/list/01`, value: 1 }]),
        { op: "add", path: "no-pointer", value: 1 },
        { op: "add", path: pointer },
        { op: "copy", path: pointer },
        { op: "dance", path: pointer },
        { path: pointer, value: 1 },
        7,
        null,
      ];
      for (const misfit of misfits) {
        const answer = await world.caller.jsonPatch(made.path, [first, misfit]);
        expectRefusal(answer, 400, "[invalidPatch]");
      }
      for (const body of [{}, '"text"', 7]) expectRefusal(await world.caller.jsonPatch(made.path, body), 400, "[invalidPatch]");
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement("patch.validated", "is checked as by PUT after a JSON Patch", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      const wrongType = await world.caller.jsonPatch(made.path, [{ op: "add", path: pointer, value: [] }]);
      expectRefusal(wrongType, 400, `[invalidJSON]${field.join(".")}`);
      expect(await readRecord(world, family, made)).toEqual(before);
    });

    requirement(["patch.forbidden-keys", "errors.proto"], "refuses keys of the prototype chain and changes nothing", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const before = await readRecord(world, family, made);
      for (const key of ["__proto__", "constructor", "prototype"]) {
        const add = { op: "add", path: `/${wrapper}/${key}`, value: { polluted: true } };
        expectRefusal(await world.caller.jsonPatch(made.path, [add]), 400, `[invalid]${wrapper}.${key}`);
        const inside = { op: "add", path: `/${wrapper}/${key}/polluted`, value: true };
        expectRefusal(await world.caller.jsonPatch(made.path, [inside]), 400, `[invalid]${wrapper}.${key}`);
      }
      const hostile = `{"${wrapper}":{"__proto__":{"polluted":true}}}`;
      expectRefusal(await world.caller.patch(made.path, hostile), 400, `[invalid]${wrapper}.__proto__`);
      expectRefusal(await world.caller.mergePatch(made.path, hostile), 400, `[invalid]${wrapper}.__proto__`);
      expect(await readRecord(world, family, made)).toEqual(before);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    });

    requirement("patch.too-many", "takes 500 operations and refuses 501", async () => {
      const world = await start();
      const made = await makeRecord(world, family);
      const operations = (count: number): object[] =>
        Array.from({ length: count }, () => ({ op: "add", path: pointer, value: two }));
      expectOk(await world.caller.jsonPatch(made.path, operations(500)));
      expectRefusal(await world.caller.jsonPatch(made.path, operations(501)), 400, "[invalidPatch]");
    });
  });

  describe("a group with data", () => {
    const body = { group: { name: "G", data: { list: ["a", "b"], map: { k: "v" }, "a/b": 1, "m~n": 2 } } };

    requirement(["patch.merge"], "has arrays replaced and members removed by a merge patch", async () => {
      const world = await start();
      const path = `/api/group/${expectOk(await world.caller.post("/api/group", body)).textAt("group.id")}`;
      const patch = { group: { data: { list: ["c"], map: { k: null, n: { deep: null, kept: 1 } }, "a/b": null } } };
      const answer = expectOk(await world.caller.mergePatch(path, patch));
      expect(answer.at("group")).toMatchObject({ name: "G", data: { list: ["c"], map: { n: { kept: 1 } }, "m~n": 2 } });
      expect(answer.text).not.toContain("a/b");
      const emptied = expectOk(await world.caller.mergePatch(path, { group: { data: { list: [] } } }));
      expect(emptied.at("group.data.list")).toEqual([]);
      expect(expectOk(await world.caller.mergePatch(path, { group: { data: null } })).at("group.data")).toEqual({});
    });

    requirement(["patch.validated"], "loses nothing when a merge patch removes what is required", async () => {
      const world = await start();
      const path = `/api/group/${expectOk(await world.caller.post("/api/group", body)).textAt("group.id")}`;
      expectRefusal(await world.caller.mergePatch(path, { group: { name: null } }), 400, "[blank]group.name");
      expectRefusal(await world.caller.patch(path, { group: { name: null } }), 400, "[blank]group.name");
      expectRefusal(await world.caller.mergePatch(path, { group: null }), 400, "[missing]group");
      expectRefusal(await world.caller.jsonPatch(path, [{ op: "remove", path: "/group" }]), 400, "[missing]group");
      expectRefusal(await world.caller.jsonPatch(path, [{ op: "replace", path: "", value: {} }]), 400, "[missing]group");
      expect((await world.caller.get(path)).at("group")).toMatchObject(body.group);
    });

    requirement("patch.json", "has elements and members added, moved, copied and removed by JSON Patch", async () => {
      const world = await start();
      const path = `/api/group/${expectOk(await world.caller.post("/api/group", body)).textAt("group.id")}`;
      const answer = await world.caller.jsonPatch(path, [
        { op: "add", path: "/group/data/list/1", value: "x" },
        { op: "add", path: "/group/data/list/-", value: "end" },
        { op: "remove", path: "/group/data/list/0" },
        { op: "move", from: "/group/data/map/k", path: "/group/data/moved" },
        { op: "copy", from: "/group/data/list", path: "/group/data/copied" },
        { op: "replace", path: "/group/data/a~1b", value: { deep: [1] } },
        { op: "remove", path: "/group/data/m~0n" },
        { op: "test", path: "/group/data/list", value: ["x", "b", "end"] },
      ]);
      const list = ["x", "b", "end"];
      expect(expectOk(answer).at("group.data")).toEqual({ list, copied: list, map: {}, moved: "v", "a/b": { deep: [1] } });
    });

    requirement("patch.too-large", "refuses a result that is larger than a body may be", async () => {
      const world = await start({ maxBodyBytes: 10_000 });
      const path = `/api/group/${expectOk(await world.caller.post("/api/group", body)).textAt("group.id")}`;
      const text = "x".repeat(6_000);
      expectOk(await world.caller.patch(path, { group: { data: { list: [text] } } }));
      expectRefusal(await world.caller.patch(path, { group: { data: { list: [text] } } }), 400, "[invalidPatch]");
      const copies = Array.from({ length: 3 }, (_, index) => ({
        op: "copy",
        from: "/group/data",
        path: `/group/data/c${index}`,
      }));
      expectRefusal(await world.caller.jsonPatch(path, copies), 400, "[invalidPatch]");
      expect((await world.caller.get(path)).at("group.data.list")).toEqual(["a", "b", text]);
    });
  });
});
