// The shortest ways to embed the service, as the README, docs/try-it.md and docs/embedding.md show them, are servers that answer.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { embedded, tryEmbedded } from "./support/embedded.js";
import { tryFirstExample } from "./support/first-example.js";
import { tryReadmeExample } from "./support/readme-example.js";

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

describe("an embedded service", () => {
  test.each(embedded)("answers in %s beside the routes of the host", { timeout: 60_000 }, async (name) => {
    expect(await tryEmbedded(stage.directory, `examples/embed/${name}.ts`)).toEqual([200, 200, 401]);
  });

  test("of the README signs users up, logs them in and protects a route", { timeout: 60_000 }, async () => {
    expect(await tryReadmeExample(stage.directory, "examples/readme.js")).toEqual({
      signUp: 200,
      signUpAgain: 400,
      wrongPassword: [401, ["message"]],
      login: 200,
      withoutToken: 401,
      withoutBody: [400, 400],
      email: "grace@example.com",
    });
  });

  test("of docs/try-it.md calls webhooks, runs lambdas and shares its transaction", { timeout: 60_000 }, async () => {
    expect(await tryFirstExample(stage.directory, "examples/first-app.ts")).toMatchObject({
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
