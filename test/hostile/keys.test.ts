import { expect } from "vitest";
import { expectDocumented } from "../support/hostile.js";
import { ecPair, edPair, rsaPair, signer } from "../support/keys.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const { certificate, privateKey, publicKey } = signer;
const parts = [
  { certificate },
  { publicKey },
  { privateKey },
  ...[rsaPair(), ecPair("P-521"), edPair()].flatMap((pair) => [{ publicKey: pair.publicKey }, { privateKey: pair.privateKey }]),
];

/** The text of a PEM block with some bytes of its content replaced, or its end left out. */
function spoil(pem: string, edits: readonly (readonly [place: number, byte: number])[], length: number): string {
  const [head = "", ...lines] = pem.split("\n");
  const bytes = Buffer.from(lines.slice(0, -1).join(""), "base64");
  for (const [place, byte] of edits) bytes[Math.floor(place * bytes.length)] = byte;
  const kept = bytes.subarray(0, Math.ceil(length * bytes.length)).toString("base64");
  return [head, ...(kept.match(/.{1,64}/g) ?? []), lines.at(-1)].join("\n");
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

forEachStorage((start) => {
  requirement(
    ["errors.never-500", "key.import-pem"],
    "imports or refuses any spoilt part, and shows only what is sound",
    async () => {
      const world = await start();
      const { caller } = world;
      const edits = fc.array(fc.tuple(share, fc.nat(255)), { maxLength: 3 });
      const attack = fc.tuple(fc.constantFrom(...parts), edits, fc.oneof(fc.constant(1), share), fc.uuid());
      await fc.assert(
        fc.asyncProperty(attack, async ([part, places, length, name]) => {
          const [[field = "", pem = ""] = []] = Object.entries(part);
          const answer = await caller.post("/api/key/import", { key: { name, kid: name, [field]: spoil(pem, places, length) } });
          expectDocumented(answer, { field, places, length });
          if (answer.status === 200) expect(answer.at("key.hasPrivateKey")).toBe(field === "privateKey");
        }),
        cases(500),
      );
      expect(world.log).toEqual([]);
    },
  );
});
