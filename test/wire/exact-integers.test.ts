// Integers that JavaScript would read as others.
import { describe, expect } from "vitest";
import { assertExactIntegers } from "../../src/http/transport/exact-integers.js";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { finish, upload } from "../support/import-jobs.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const inexact = [
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "12345678901234567890",
  "123456789012345678901234567890123456789012345678901234567890",
  "1234567890123456789e1",
];

const exact = [
  "9007199254740991",
  "-9007199254740991",
  "1700000000123456",
  "0.12345678901234567890",
  "3.14159265358979323846",
  "1e300",
  "1.7976931348623157e308",
  '"12345678901234567890"',
  '"at 12345678901234567890"',
  '"9007199254740993: \\" 9007199254740993"',
];

forEachStorage((start) => {
  const path = `/api/group/${uuid(801)}`;
  const send = (world: World, method: string, text: string, type = "application/json", url = path): Promise<Answer> =>
    world.caller.send(method, url, text, { "content-type": type });
  const group = (value: string, space = ""): string =>
    `{"group":{"name":"G","data":{"list":[0,${space}{"n":${space}${value}}]}}}`;

  describe("an integer in a body", () => {
    requirement("wire.integers", "that is beyond 2^53 is refused, by the path of its member", async () => {
      const world = await start();
      expectOk(await send(world, "POST", group("0")));
      for (const value of inexact)
        for (const space of ["", " ", "\n\t"]) {
          const code = "[invalid]group.data.list[1].n";
          expectRefusal(await send(world, "POST", group(value, space), undefined, "/api/group"), 400, code);
          expectRefusal(await send(world, "PUT", group(value, space)), 400, code);
          expectRefusal(await send(world, "PATCH", group(value, space)), 400, code);
          const merge = "application/merge-patch+json";
          expectRefusal(await send(world, "PATCH", group(value, space), merge), 400, code);
          const patch = `[{"op":"add","path":"/group/data/n","value":${space}${value}}]`;
          expectRefusal(await send(world, "PATCH", patch, "application/json-patch+json"), 400, "[invalid][0].value");
        }
      expect(expectOk(await world.caller.get(path)).at("group.data.list.1.n")).toBe(0);
    });

    requirement("wire.integers", "that a number can hold is stored, and so are decimals and texts", async () => {
      const world = await start();
      for (const value of exact) {
        const made = expectOk(await send(world, exact[0] === value ? "POST" : "PUT", group(value)));
        expect(made.at("group.data.list.1.n")).toEqual(JSON.parse(value));
      }
    });

    requirement("wire.integers", "beyond 2^53 is never where it is an end, and refused as data of that name", async () => {
      const world = await start();
      const never = "9223372036854775807";
      const user = (fields: string): string => `{"user":{"username":"a","password":"secret password",${fields}}}`;
      const refused = await send(world, "POST", user(`"data":{"expiry":${never}}`), undefined, "/api/user");
      expectRefusal(refused, 400, "[invalid]user.data.expiry");
      const other = await send(world, "POST", user(`"expiry":${never},"data":{"n":${never}}`), undefined, "/api/user");
      expectRefusal(other, 400, "[invalid]user.data.n");
    });

    requirement(["wire.integers", "import-jobs.create"], "of a row of an import is refused alone", async () => {
      const world = await start();
      const rows = ['{"username":"a","data":{"n":12345678901234567890}}', '{"username":"b","data":{"n":1}}'];
      const { body } = await upload(world, rows.join("\n"));
      const { results } = await finish(world, body.job.id);
      expect(results.map(({ outcome }) => outcome)).toEqual(["failed", "created"]);
      expect(JSON.stringify(results[0])).toContain("[invalid]user.data.n");
    });
  });
});

requirement("wire.integers", "is found in any JSON, and nothing else is taken for one", () => {
  const value = fc.oneof(fc.constantFrom(...inexact.slice(0, -1), ...exact.slice(0, -2)), fc.json({ maxDepth: 2 }));
  const isRefused = (text: string): boolean => {
    try {
      assertExactIntegers(text, JSON.parse(text));
      return false;
    } catch {
      return true;
    }
  };
  fc.assert(
    fc.property(fc.array(value), fc.nat(40), (values, indent) => {
      const text = `${" ".repeat(indent)}[${values.join(",")}]`;
      const literals = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? [];
      const isInexact = literals.some((one) => /^-?\d+$/.test(one) && !Number.isSafeInteger(Number(one)));
      expect([text, isRefused(text)]).toEqual([text, isInexact]);
    }),
    cases(500),
  );
});
