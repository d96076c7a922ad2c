// Hostile bodies that use little time and memory; those that use much run in processes that can be killed.
import { expect, test } from "vitest";
import { hostileLambdas } from "../support/hostile-lambdas.js";
import { steps } from "../support/properties.js";
import { forEachEngine } from "../support/realm.js";

const hostNames = ["fetch", "secrets.get", "host.echo", "host.fail"];

function callHost(name: string, argumentsJson: string): string {
  if (name !== "host.echo") return name === "host.fail" ? '{"error":"refused"}' : "{}";
  return JSON.stringify({ value: readDeeply(argumentsJson, 3_000) });
}

// A host that needs some of the stack for itself.
function readDeeply(json: string, levels: number): unknown {
  return levels === 0 ? JSON.parse(json)[0] : readDeeply(json, levels - 1);
}

test("there are many hostile bodies, each with a name of its own", () => {
  expect(hostileLambdas.length).toBeGreaterThanOrEqual(80);
  expect(new Set(hostileLambdas.map(({ name }) => name)).size).toBe(hostileLambdas.length);
  console.info(
    `${hostileLambdas.length} hostile bodies, ${hostileLambdas.filter(({ isHeavy }) => isHeavy).length} of them bombs`,
  );
});

forEachEngine((makeRealm, engine) => {
  for (const { name, body, kinds, isHeavy } of steps(hostileLambdas, 8))
    if (!isHeavy)
      test(`${engine} holds: ${name}`, async () => {
        const realm = makeRealm({ callHost });
        try {
          const outcome = realm.run(body, { request: { hostNames } });
          expect(kinds).toContain(outcome.kind);
          if (outcome.kind === "ok") expect(JSON.parse(outcome.changedJson).jwt?.escaped).toBeUndefined();
          await new Promise((resolve) => setImmediate(resolve));
          expect(
            realm.run("function populate(jwt) { jwt.a = [Object.keys(globalThis), String({}), [1].map(String)]; }"),
          ).toMatchObject({
            changedJson: '{"jwt":{"a":[[],"[object Object]",["1"]]}}',
          });
        } catch (error) {
          // So does what nests too deeply to be compiled.
          if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
          expect(kinds).toContain("syntax");
        } finally {
          realm.close();
        }
      });
});
