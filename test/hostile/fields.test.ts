import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { snapshotPrototypes } from "../patch/support.js";
import { type Answer, expectOk } from "../support/answer.js";
import { callerFor, type FamilyCase, familyCases, type Made, makeRecord, readRecord } from "../support/families.js";
import { expectDocumented, fieldPathsOf, hostileTexts, withTextAt } from "../support/hostile.js";
import { anyCharacter, cases, fc, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { unexpectedOf } from "../support/unexpected-log.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const prototypes = snapshotPrototypes();
beforeAll(() => Object.freeze(prototypes));
afterAll(() => expect(snapshotPrototypes()).toEqual(prototypes));

/** One way to bring a value into a record. */
type Attack = (world: World, family: FamilyCase, made: Made, path: readonly string[], text: string) => Promise<Answer>;

const changes: Readonly<Record<string, Attack>> = {
  put: (world, _family, made, path, text) => world.caller.put(made.path, withTextAt(made.request, path, text)),
  patch: (world, _family, made, path, text) => world.caller.patch(made.path, withTextAt({}, path, text)),
  mergePatch: (world, _family, made, path, text) => world.caller.mergePatch(made.path, withTextAt({}, path, text)),
  jsonPatch: (world, _family, made, path, text) =>
    world.caller.jsonPatch(made.path, `[{"op":"add","path":${JSON.stringify(`/${path.join("/")}`)},"value":${text}}]`),
};

/** A record that is attacked. */
interface Attacked {
  readonly world: World;
  readonly made: Made;
  /** As it was read last. */
  text: unknown;
}

/** Makes the change, and expects a documented answer and a record that is whole: changed as answered, or not at all. */
async function expectWhole(attacked: Attacked, family: FamilyCase, attack: () => Promise<Answer>, note: unknown): Promise<void> {
  const { made, text: before, world } = attacked;
  const answer = await attack();
  expectDocumented(answer, note);
  const after = await readRecord(world, family, made);
  if (answer.status >= 400) expect({ note, after }).toEqual({ note, after: before });
  else if (family.hasGet) expect({ note, after }).toEqual({ note, after: answer.text });
  attacked.text = after;
}

/** POSTs a body with an id of its own, and expects that exactly a 200 makes the record, which is removed again. */
async function expectMadeOrNot(world: World, family: FamilyCase, made: Made, text: string, note: unknown): Promise<void> {
  // Another one each time, for families whose DELETE keeps the record.
  const id = randomUUID();
  const path = family.takesId ? made.url(id) : made.path;
  if (!family.takesId) expectOk(await world.caller.delete(path));
  const answer = await callerFor(world, family).post(family.takesId ? `${made.collection}/${id}` : made.collection, text);
  expectDocumented(answer, note);
  const removed = await world.caller.delete(path + family.deleteQuery);
  expect({ note, removed: removed.status }).toEqual({ note, removed: answer.status === 200 ? 200 : 404 });
  if (!family.takesId) expectOk(await world.caller.post(made.collection, made.request));
}

async function startAttacked(start: Start, family: FamilyCase): Promise<Attacked> {
  const world = await start();
  const made = await makeRecord(world, family);
  onTestFinished(() => expect(unexpectedOf(world.log)).toEqual([]));
  return { world, made, text: await readRecord(world, family, made) };
}

// To make them takes longer than to try them.
const texts = fc.oneof(
  fc.json({ maxDepth: 5, stringUnit: anyCharacter }),
  fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }).map((value) => JSON.stringify(value)),
  fc.string({ unit: anyCharacter, maxLength: 300 }).map((value) => JSON.stringify(value)),
);

/** By default each field is tried in one of the ways, with one value. In full the storages share the values: which fits a field, no storage decides. */
const everyText = hostileTexts.length;

forEachStorage((start, share) => {
  describe.each(steps(familyCases, 3, 1))("$name", (family) => {
    const paths = fieldPathsOf(family);

    requirement(
      ["errors.never-500", "errors.nothing-half-done"],
      "withstands every hostile value in every field by PUT and PATCH",
      async () => {
        const attacked = await startAttacked(start, family);
        const { made, world } = attacked;
        for (const [way, [name, attack]] of Object.entries(changes).entries())
          for (const [index, path] of steps(paths, 8, way).entries())
            for (const text of share(steps(hostileTexts, everyText, 9 * way + index), index + way))
              await expectWhole(attacked, family, () => attack(world, family, made, path, text), { name, path, text });
      },
    );

    requirement(
      ["errors.never-500", "errors.nothing-half-done"],
      "withstands every hostile value in every field by POST",
      async () => {
        const { world, made } = await startAttacked(start, family);
        for (const [index, path] of steps(paths, 8).entries())
          for (const text of share(steps(hostileTexts, everyText, index), index))
            await expectMadeOrNot(world, family, made, withTextAt(made.body(9), path, text), { path, text });
      },
    );

    requirement("errors.never-500", "withstands any JSON in any field", async () => {
      const attacked = await startAttacked(start, family);
      const { made, world } = attacked;
      const attack = fc.tuple(fc.constantFrom(...Object.entries(changes)), fc.constantFrom(...paths), texts);
      await fc.assert(
        fc.asyncProperty(attack, async ([[name, change], path, text]) => {
          await expectWhole(attacked, family, () => change(world, family, made, path, text), { name, path, text });
        }),
        cases(300),
      );
    });
  });
});
