import { describe, expect } from "vitest";
import { integrationsRequest } from "../../src/records/integrations/schema.js";
import { type Answer, expectOk } from "../support/answer.js";
import { expectDocumented, fieldPathsOf, hostileTexts, withTextAt } from "../support/hostile.js";
import { allIntegrations, allSms, integrationsPath as path } from "../support/integrations.js";
import { anyCharacter, cases, fc, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const full = { integrations: { ...allIntegrations, sms: allSms } };
const paths = fieldPathsOf({ request: integrationsRequest });

/** Ways to bring a text into a field. */
const attacks: Readonly<Record<string, (world: World, at: readonly string[], text: string) => Promise<Answer>>> = {
  put: ({ caller }, at, text) => caller.put(path, withTextAt(full, at, text)),
  patch: ({ caller }, at, text) => caller.patch(path, withTextAt({}, at, text)),
  mergePatch: ({ caller }, at, text) => caller.mergePatch(path, withTextAt({}, at, text)),
  jsonPatch: ({ caller }, at, text) =>
    caller.jsonPatch(path, `[{"op":"add","path":${JSON.stringify(`/${at.join("/")}`)},"value":${text}}]`),
};

// The versions with sms have no patch documents.
const isSms = (at: readonly string[]): boolean => at[1] === "sms";
const targets = [
  { version: "1.25.0", paths: paths.filter(isSms), ways: Object.entries(attacks).slice(0, 2) },
  { version: "1.65.0", paths: paths.filter((at) => !isSms(at)), ways: Object.entries(attacks) },
];

/** Integrations that are attacked. */
interface Attacked {
  readonly world: World;
  /** As they were read last. */
  text: string;
}

async function startAttacked(start: Start, version: string): Promise<Attacked> {
  const world = await start({ version });
  expectOk(await world.caller.put(path, full));
  return { world, text: (await world.caller.get(path)).text };
}

async function expectWhole(attacked: Attacked, attack: () => Promise<Answer>, note: unknown): Promise<void> {
  const answer = await attack();
  expectDocumented(answer, note);
  const after = (await attacked.world.caller.get(path)).text;
  expect({ note, after }).toEqual({ note, after: answer.status === 200 ? answer.text : attacked.text });
  attacked.text = after;
}

// To make them takes longer than to try them.
const texts = fc.oneof(
  fc.json({ maxDepth: 4, stringUnit: anyCharacter }),
  fc.string({ unit: anyCharacter, maxLength: 100 }).map((value) => JSON.stringify(value)),
);

// By default each value of a field is tried in one of the ways on each storage, in another on the next one.
let storageCount = 0;

forEachStorage((start) => {
  const storage = storageCount++;
  describe.each(targets)("the integrations of $version", ({ version, paths, ways }) => {
    requirement("integration.hostile", "withstand every hostile value in every field", async () => {
      expect(paths.length).toBeGreaterThan(6);
      const attacked = await startAttacked(start, version);
      const { world } = attacked;
      for (const [way, [name, attack]] of ways.entries())
        for (const [index, at] of paths.entries())
          for (const text of steps(hostileTexts, ways.length, storage + way + index))
            await expectWhole(attacked, () => attack(world, at, text), { name, at, text });
      expect(world.log).toEqual([]);
    });

    requirement("integration.hostile", "withstand any JSON in any field", async () => {
      const attacked = await startAttacked(start, version);
      const { world } = attacked;
      const attack = fc.tuple(fc.constantFrom(...ways), fc.constantFrom(...paths), texts);
      await fc.assert(
        fc.asyncProperty(attack, async ([[name, change], at, text]) => {
          await expectWhole(attacked, () => change(world, at, text), { name, at, text });
        }),
        cases(300),
      );
      expect(world.log).toEqual([]);
    });
  });
});
