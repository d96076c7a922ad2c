import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { codesOf } from "../support/answer.js";
import { makeFieldFor, makeFormOf, validate } from "../support/forms.js";
import { cases, fc, isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startWorld, type World } from "../support/world.js";

const fields: Readonly<Record<string, object>> = {
  "user.data.a": { required: true, confirm: true },
  "user.data.a.b": { type: "number" },
  "user.data.a.b[3]['c']": { type: "date" },
  "user.data.toString.length": { type: "bool", control: "checkbox" },
  "registration.data.list[0]": { type: "email", validator: { enabled: true, expression: "(\\w+)+@\\w+" } },
  "registration.data.list['x']": { control: "checkbox", options: ["a", "b"] },
  "registration.data.valueOf": { type: "phoneNumber" },
};
const keys = Object.keys(fields);

/** A form whose fields get in each other's way. */
async function makeForm(world: World): Promise<string> {
  return makeFormOf(world, await Promise.all(Object.entries(fields).map(([key, field]) => makeFieldFor(world, key, field))));
}

const scalar = fc.oneof(
  fc.constantFrom("", " ", "true", "1", "2024-01-01", "a@b", "a", "toString", 0, -1, 1e308, true, false, null),
  fc.string(),
);
const entered = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.array(scalar)),
  fc.dictionary(fc.string(), scalar),
);
const names = ["a", "b", "data", "list", "toString", "length", "constructor", "valueOf", "3"];
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie("node"), { maxKeys: 4 }),
  ),
})).node;
const objects = fc.dictionary(fc.constantFrom("data", "id", "password"), tree);
const submission = fc.dictionary(fc.constantFrom(...keys, ...keys.map((key) => `confirm.${key}`), "hasOwnProperty"), entered);

requirement(
  ["form-use.codes", "form-use.values"],
  "answers every submission with values or with refusals of fields",
  async () => {
    const world = await startWorld(memoryStorage());
    const formId = await makeForm(world);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.option(submission, { nil: undefined }), objects, objects, async (entry, user, registration) => {
        const answer = await validate(world, formId, { submission: entry, user, registration });
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 200) return;
        expect(codesOf(answer).length).toBeGreaterThan(0);
        refused++;
      }),
      cases(500),
    );
    expect(world.log).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype).includes("data")).toBe(false);
    expect("length" in Object.prototype.toString && Object.prototype.toString.length).toBe(0);
    expect(refused).toBeGreaterThan(0);
  },
);

requirement(["form-use.values", "form-use.codes"], "what was accepted is accepted again, and says the same", async () => {
  const world = await startWorld(memoryStorage());
  const own = ["user.data.n", "user.data.d", "user.data.b", "user.data.s", "registration.data.c[1]"];
  const shapes = [{ type: "number" }, { type: "date" }, { type: "bool", control: "checkbox" }, {}, { type: "email" }];
  const formId = await makeFormOf(world, await Promise.all(own.map((key, index) => makeFieldFor(world, key, shapes[index]))));
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...own), scalar), async (entry) => {
      const first = await validate(world, formId, { submission: entry });
      if (first.status !== 200) return;
      accepted++;
      const second = await validate(world, formId, first.body as object);
      expect([second.status, second.text]).toEqual([200, first.text]);
    }),
    cases(300),
  );
  expect(accepted).toBeGreaterThan(isLong ? 20 : 1);
});
