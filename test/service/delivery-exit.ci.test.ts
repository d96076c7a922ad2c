import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";

describe("a process", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage();
  }, 60_000);

  afterAll(() => stage[Symbol.asyncDispose]());

  requirement("defaults.delivery-exit", "ends by itself while a service is open in it", async () => {
    const script = `
      import { createIdentityService } from "latchkey";
      import { memoryStorage } from "latchkey/memory";
      const identity = await createIdentityService({ storage: memoryStorage() });
      await identity.groups.create({ group: { name: "Editors" } });
      await identity.start();
      console.log("done");`;
    const args = ["--input-type=module", "--eval", script];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: stage.directory, timeout: 20_000 });
    expect([stdout, stderr]).toEqual(["done\n", ""]);
  });
});
