import { describe, expect, test } from "vitest";
import { parseKey, readAt, writeAt } from "../../src/forms/forms/validate-fields.js";

describe("the key of a field", () => {
  test.each([
    ["user.email", ["user", "email"]],
    ["user.data.pets[0]", ["user", "data", "pets", 0]],
    ["user.data.preferences['color']", ["user", "data", "preferences", "color"]],
    ["registration.data.a[12]['b'].c_1[0]", ["registration", "data", "a", 12, "b", "c_1", 0]],
    ["consents['00000000-0000-4000-8000-000000000001']", ["consents", "00000000-0000-4000-8000-000000000001"]],
  ])("%s is a path", (key, path) => {
    expect(parseKey(key)).toEqual(path);
  });

  test("leads to a value, and to nothing where there is none", () => {
    const root = { user: { data: { pets: [{ name: "Rex" }], color: "red", none: null } } };
    expect(readAt(root, parseKey("user.data.pets[0].name"))).toBe("Rex");
    expect(readAt(root, parseKey("user.data['color']"))).toBe("red");
    for (const key of [
      "user.data.pets[1].name",
      "user.data.color[0]",
      "user.data.none.x",
      "registration.data.x",
      "user.data.pets.length.x",
    ])
      expect([key, readAt(root, parseKey(key))]).toEqual([key, undefined]);
  });

  test("does not lead to what every object inherits", () => {
    for (const key of ["user.data.toString", "user.data.constructor.prototype", "user.data.__proto__"])
      expect([key, readAt({ user: { data: {} } }, parseKey(key))]).toEqual([key, undefined]);
  });
});

describe("a value is put", () => {
  const put = (root: object, key: string, value: unknown): unknown => [writeAt(root, parseKey(key), value), root];

  test("to its place, and what is missing on the way is made", () => {
    expect(put({}, "user.data.a['b'].c", 1)).toEqual([true, { user: { data: { a: { b: { c: 1 } } } } }]);
    expect(put({}, "user.data.pets[2].name", "Rex")).toEqual([true, { user: { data: { pets: [null, null, { name: "Rex" }] } } }]);
    expect(put({ user: { data: { x: 1 } } }, "user.data.y", [])).toEqual([true, { user: { data: { x: 1, y: [] } } }]);
    expect(put({ user: { data: { pets: ["a", "b"] } } }, "user.data.pets[0]", "c")).toEqual([
      true,
      { user: { data: { pets: ["c", "b"] } } },
    ]);
  });

  test("nowhere where something else is on the way, which stays", () => {
    const cases: readonly (readonly [unknown, string])[] = [
      ["text", "user.data.a.b"],
      [["list"], "user.data.a.b"],
      [{ b: 1 }, "user.data.a[0]"],
      [1, "user.data.a['b']"],
    ];
    for (const [a, key] of cases) expect(put({ user: { data: { a } } }, key, "v")).toEqual([false, { user: { data: { a } } }]);
  });

  test("as an own member, for every name", () => {
    const [, root] = put({ user: { data: {} } }, "user.data.toString.length", 1) as [true, { user: { data: object } }];
    expect(Object.entries(root.user.data)).toEqual([["toString", { length: 1 }]]);
    expect({}.toString.length).toBe(0);
  });

  test("away when it is undefined; others keep their positions, and nothing is made for it", () => {
    expect(put({ user: { email: "a@b.c", data: {} } }, "user.email", undefined)).toEqual([true, { user: { data: {} } }]);
    expect(put({ user: { data: { a: ["x", "y"] } } }, "user.data.a[0]", undefined)).toEqual([
      true,
      { user: { data: { a: [null, "y"] } } },
    ]);
    expect(put({}, "user.data.a.b", undefined)).toEqual([true, {}]);
    expect(put({ user: { data: { a: "text" } } }, "user.data.a.b", undefined)).toEqual([true, { user: { data: { a: "text" } } }]);
  });
});
