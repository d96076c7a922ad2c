import { execFile, spawn } from "node:child_process";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isolatedVmRunner, quickJsRunner } from "latchkey/runners";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { jwtAfter, runStatements } from "../contract/lambda-runner/kit.js";
import { guestsOf, until } from "../support/guests.js";
import { requirement } from "../support/requirement.js";

requirement(
  ["runner.lazy", "runner.leaves-nothing"],
  "no process is started before the first run, and none is left after close",
  async () => {
    const runner = isolatedVmRunner();
    expect(guestsOf(process.pid)).toEqual([]);
    await jwtAfter(runner, "jwt.a = 1;");
    expect(guestsOf(process.pid)).toHaveLength(runner.readState().guests);
    await runner.close();
    expect(guestsOf(process.pid)).toEqual([]);
  },
);

requirement("runner.lazy", "processes without work end after a while, and come back", async () => {
  const runner = isolatedVmRunner({ idleMilliseconds: 50 });
  await jwtAfter(runner, "jwt.a = 1;");
  await until(() => runner.readState().guests === 0);
  expect(guestsOf(process.pid)).toEqual([]);
  expect(await jwtAfter(runner, "jwt.a = 2;")).toMatchObject({ a: 2 });
  expect(runner.readState().killed).toBe(0);
  await runner.close();
});

requirement(
  "runner.holds-nothing",
  "a process holds no environment, no file but its own and no handle but its pipes",
  async () => {
    const runner = isolatedVmRunner();
    await jwtAfter(runner, "jwt.a = 1;");
    const [guest] = guestsOf(process.pid);
    const pid = guest?.pid ?? 0;
    expect(
      readFileSync(`/proc/${pid}/environ`, "utf8")
        .replaceAll(/^(PWD|SHLVL|_|OLDPWD)=.*$/gm, "")
        .split("\0")
        .filter(isOfHost),
    ).toEqual([]);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
    expect([0, 1, 2, 3].map((handle) => readlinkSync(`/proc/${pid}/fd/${handle}`).replace(/\d+/, ""))).toEqual([
      "socket:[]",
      "/dev/null",
      "socket:[]",
      "socket:[]",
    ]);
    expect(guest?.command).toEqual(
      expect.arrayContaining(["--permission", "--allow-addons", "--no-node-snapshot", "--no-turbofan"]),
    );
    const readable = guest?.command
      .filter((word) => word.startsWith("--allow-"))
      .map((word) => word.replace(/^.*\/(adapters\/runners|node_modules)\//, ""));
    expect(readable).toEqual([
      "--allow-addons",
      "isolated-vm/*",
      "lambda-guest/*",
      expect.stringMatching(/^isolated-vm\/.*\.node$/),
    ]);
    expect(readFileSync(`/proc/${pid}/limits`, "latin1")).toMatch(/Max core file size +0 /);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, "latin1").trim()).toBe("1000");
    await runner.close();
  },
);

requirement("runner.holds-nothing", "a process of QuickJS may load no native code", async () => {
  const runner = quickJsRunner({ processMebibytes: 128 });
  await jwtAfter(runner, "jwt.a = 1;");
  const [guest] = guestsOf(process.pid);
  expect(guest?.command).toContain("--permission");
  expect(guest?.command.filter((word) => /--allow-(?!fs-read)/.test(word))).toEqual([]);
  const readable = guest?.command.flatMap(
    (word) => /^--allow-fs-read=.*\/(?:adapters\/runners|node_modules)\/(.*)$/.exec(word)?.[1] ?? [],
  );
  const packages = ["quickjs-emscripten-core/*", "@jitl/quickjs-wasmfile-release-sync/*", "@jitl/quickjs-ffi-types/*"];
  expect(readable).toEqual(["quickjs/*", "lambda-guest/*", ...packages]);
  expect(readFileSync(`/proc/${guest?.pid}/limits`, "latin1")).toMatch(/Max data size +2415919104 /);
  await runner.close();
});

function isOfHost(variable: string): boolean {
  return variable !== "" && !/^(PWD|SHLVL|_|OLDPWD)=/.test(variable);
}

requirement("service.options", "options are checked once", () => {
  expect(() => isolatedVmRunner({ processes: 0 })).toThrow(/^processes must/);
  expect(() => isolatedVmRunner({ processes: 1.5 })).toThrow(TypeError);
  expect(() => isolatedVmRunner({ idleMilliseconds: -1 })).toThrow(/^idleMilliseconds must/);
  expect(() => isolatedVmRunner({ maxWaiting: 0 })).toThrow(/^maxWaiting must/);
  expect(() => isolatedVmRunner({ maxWaitingPerTenant: Number.NaN })).toThrow(/^maxWaitingPerTenant must/);
  expect(() => isolatedVmRunner({ processMebibytes: 1 })).toThrow(/^processMebibytes must/);
  expect(() => isolatedVmRunner({ isolation: "none" as "realm" })).toThrow(/^isolation must/);
});

describe("a host of the published package", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage();
  }, 120_000);

  afterAll(() => stage[Symbol.asyncDispose]());

  const hostScript = (runner: string, ending: string): string => `
    import { ${runner} as createRunner } from "latchkey/runners";
    import { defaultLambdaLimits as limits } from "latchkey/ports";
    const runner = createRunner();
    const run = (body, wallClockMilliseconds) => runner.run({
      script: { tenantId: "a", lambdaId: "b", version: body, body, functionName: "populate", parameters: ["jwt"], changes: ["jwt"] },
      argumentsJson: '{"jwt":{}}', limits: { ...limits, wallClockMilliseconds },
    });
    console.log((await run("function populate(jwt) { jwt.a = 1 }", 10_000)).changedJson);
    ${ending}`;

  test.each(["isolatedVmRunner", "nodeVmRunner"])("ends by itself when it has nothing else to do (%s)", async (runner) => {
    const file = join(stage.directory, `ends-${runner}.mjs`);
    writeFileSync(file, hostScript(runner, ""));
    expect((await promisify(execFile)(process.execPath, [file], { timeout: 60_000 })).stdout).toBe('{"jwt":{"a":1}}\n');
  });

  test.each(["process.exit(0);", "process.kill(process.pid, 'SIGKILL');"])(
    "leaves no process behind after %s",
    async (ending) => {
      const file = join(stage.directory, "leaves.mjs");
      writeFileSync(
        file,
        hostScript(
          "isolatedVmRunner",
          `void run("function populate() { for (;;); }", 500); process.stdin.once("data", () => { ${ending} });`,
        ),
      );
      const host = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
      await new Promise((resolve) => host.stdout.once("data", resolve));
      const guests = guestsOf(host.pid ?? 0);
      expect(guests.length).toBeGreaterThan(0);
      host.stdin.write("end\n");
      await until(() => guests.every(({ pid }) => !isRunning(pid)));
    },
  );

  function isRunning(pid: number): boolean {
    try {
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
    } catch {
      return false;
    }
  }
});

test("a script that is refused starts nothing", async () => {
  const runner = isolatedVmRunner();
  const outcome = await runStatements(runner, "jwt.a = 1;", { functionName: "not a name" });
  expect(outcome).toMatchObject({ kind: "missingFunction" });
  expect(await runStatements(runner, "jwt.a = 1;", { limits: { bodyBytes: 3 } })).toMatchObject({ kind: "tooLarge" });
  expect(runner.readState().guests).toBe(0);
  await runner.close();
});
