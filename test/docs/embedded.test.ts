// The shortest ways to embed the service, as the README and docs/embedding.md show them, are servers that answer.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { embedded, tryEmbedded } from "./support/embedded.js";
import { tryFirstExample } from "./support/first-example.js";

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

describe("an embedded service", () => {
  test.each(embedded)("answers in %s beside the routes of the host", { timeout: 60_000 }, async (name) => {
    expect(await tryEmbedded(stage.directory, `examples/embed/${name}.ts`)).toEqual([200, 200, 401]);
  });

  test("as the README begins with it does all that the README says of it", { timeout: 60_000 }, async () => {
    expect(await tryFirstExample(stage.directory, "examples/readme.ts")).toMatchObject({
      received: ["group.create", "group.create", "group.update", "user.create"],
      department: "Engines",
      patched: { tags: ["a", "b"] },
      project: "Members of Atlas",
    });
  });

  test("that does not start says why", async () => {
    await copyFile(join(stage.directory, "examples/unit-test.ts"), join(stage.directory, "broken.ts"));
    await expect(tryEmbedded(stage.directory, "broken.ts")).rejects.toThrow("broken.ts");
  });
});
