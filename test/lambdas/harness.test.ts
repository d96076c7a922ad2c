import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLambdaHarness, type LambdaHarness, type LambdaHarnessOptions, readLambdaBody } from "latchkey/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { testRunner } from "../support/lambda-runner.js";

async function start(options: LambdaHarnessOptions = {}): Promise<LambdaHarness> {
  const harness = await createLambdaHarness({ runner: testRunner(), ...options });
  onTestFinished(() => harness.close());
  return harness;
}

describe("a harness for unit tests of lambdas", () => {
  test("runs a body on sample arguments and reports every detail of the run", async () => {
    const harness = await start();
    const body = "function populate(jwt, user) { jwt.color = user.data.color; console.log('colored'); }";
    const trial = await harness.load({ type: "JWTPopulate", body }).run();
    const expected = harness.fixture("JWTPopulate", { jwt: { color: "green" } });
    expect(trial).toEqual({
      arguments: expected,
      console: [{ level: "info", text: "colored" }],
      durationMilliseconds: expect.any(Number),
      outcome: { kind: "ok" },
    });
  });

  test("applies the rules of the kind: reserved and unchanged members stay", async () => {
    const harness = await start();
    const body = "function populate(jwt, user) { jwt.sub = 'x'; jwt.exp -= 60; jwt.iat = 0; user.email = 'x'; }";
    const before = harness.fixture("JWTPopulate");
    const { arguments: after } = await harness.load({ type: "JWTPopulate", body }).run();
    expect(after).toEqual({ ...before, jwt: { ...before.jwt, exp: (before.jwt.exp ?? 0) - 60 } });
  });

  test("takes each name of a type", async () => {
    const harness = await start();
    const body = "function convert(scimUser) { scimUser.nickName = 'Jo'; }";
    const runs = (["SCIMUserResponseConverter", "SCIMServerUserResponseConverter"] as const).map(async (type) => {
      const { arguments: after, outcome } = await harness.load({ type, body }).run({ scimUser: { title: "Editor" } });
      expect([outcome, after.scimUser]).toEqual([{ kind: "ok" }, expect.objectContaining({ nickName: "Jo", title: "Editor" })]);
      expect(harness.load({ type, function: (scimUser) => void delete scimUser.title }).body).toContain("const convert = ");
      return harness.fixture(type);
    });
    const [first, second] = await Promise.all(runs);
    expect(first).toEqual(second);
  });

  test("reports a failure as an outcome", async () => {
    const harness = await start();
    const run = async (body: string): Promise<unknown> => (await harness.load({ type: "LoginValidation", body }).run()).outcome;
    expect(await run("function validate() { throw new Error('No luck.'); }")).toMatchObject({
      kind: "threw",
      message: expect.stringContaining("No luck."),
    });
    expect(await run("function validate(result) { result.errors = 'no'; }")).toMatchObject({
      kind: "threw",
      message: "The value of result.errors is not allowed.",
    });
    expect(await run("function populate() {}")).toMatchObject({ kind: "missingFunction" });
    expect(await run("function validate( {")).toMatchObject({ kind: "syntax" });
  });

  test("has the limits that it is given", async () => {
    const harness = await start({ runner: testRunner({ keepsLimits: true }), limits: { wallClockMilliseconds: 50 } });
    const lambda = harness.load({ type: "JWTPopulate", body: "function populate() { for (;;); }" });
    expect((await lambda.run()).outcome.kind).toBe("timedOut");
  });

  test("loads functions under any name", async () => {
    const harness = await start();
    const arrow = harness.load({
      type: "MFARequirement",
      function: (result, user) => {
        result.required = user.data.isVip === true;
      },
    });
    expect((await arrow.run()).arguments.result.required).toBe(false);
    expect((await arrow.run({ user: { data: { isVip: true } } })).arguments.result.required).toBe(true);
    const named = harness.load({
      type: "SCIMGroupRequestConverter",
      function: function toGroup(group, members, options, scimGroup) {
        group.name = scimGroup.displayName;
        members.push({ userId: "u" });
        options.roleIds = ["r"];
      },
    });
    const { group, members, options } = (await named.run()).arguments;
    expect([group.name, members, options.roleIds]).toEqual(["Editors", [{ userId: "u" }], ["r"]]);
  });

  test("wants one of body, file and function", async () => {
    const harness = await start();
    expect(() => harness.load({ type: "JWTPopulate" })).toThrow(TypeError);
    expect(() => harness.load({ type: "JWTPopulate", body: "", file: "a.js" })).toThrow("one of body, file and function");
  });

  test("refuses arguments that the kind does not have", async () => {
    const harness = await start();
    const lambda = harness.load({ type: "JWTPopulate", body: "function populate() {}" });
    const changes = { usr: {}, jwt: undefined };
    await expect(lambda.run(changes)).rejects.toMatchObject({
      fieldErrors: {
        "arguments.usr": [{ code: "[invalid]arguments.usr" }],
        "arguments.jwt": [{ code: "[missing]arguments.jwt" }],
      },
    });
  });
});

describe("fixtures", () => {
  test("are merged member by member; lists are replaced, and what is undefined is taken out", async () => {
    const harness = await start();
    const changes = { user: { data: { color: "red" }, preferredLanguages: ["de"], email: undefined }, registration: undefined };
    const before = harness.fixture("JWTPopulate");
    const after = harness.fixture("JWTPopulate", changes);
    const { email: _email, ...user } = before.user;
    const { registration: _registration, ...others } = before;
    const data = { ...user.data, color: "red" };
    expect(after).toEqual({ ...others, user: { ...user, data, preferredLanguages: ["de"] } });
    expect(harness.fixture("JWTPopulate")).toEqual(before);
  });

  test("are what a run sees", async () => {
    const harness = await start();
    const body =
      "function populate(jwt, user, registration) { jwt.saw = [user.data.color, user.email, registration].map(String); }";
    const lambda = harness.load({ type: "JWTPopulate", body });
    const trial = await lambda.run({ user: { data: { color: "red" }, email: undefined }, registration: undefined });
    expect(trial.arguments.jwt.saw).toEqual(["red", "undefined", "undefined"]);
    expect((await lambda.run()).arguments.jwt.saw).toEqual(["green", "ada@example.com", "[object Object]"]);
  });
});

describe("what lambdas of a harness reach", () => {
  test("is what fetch is answered by a table, which keeps the calls", async () => {
    const harness = await start({
      responses: {
        "POST https://example.com/plans": { status: 201, body: { plan: "gold" } },
        "https://example.com/echo": ({ method, body }) => ({ headers: { "x-method": method }, body: `${body}!` }),
      },
    });
    const body = `function populate(jwt) {
      const made = fetch("https://example.com/plans", { method: "POST", headers: { "X-Key": "k" }, body: "{}" });
      jwt.plan = [made.status, JSON.parse(made.body).plan];
      const echo = fetch("https://example.com/echo", { method: "PUT", body: "hello" });
      jwt.echo = [echo.status, echo.headers["x-method"], echo.body];
      try { fetch("https://example.com/plans"); } catch (error) { jwt.refused = error.message; }
    }`;
    const { jwt } = (await harness.load({ type: "JWTPopulate", body }).run()).arguments;
    expect([jwt.plan, jwt.echo]).toEqual([
      [201, "gold"],
      [200, "PUT", "hello!"],
    ]);
    expect(jwt.refused).toBe("The harness has no response to GET https://example.com/plans.");
    expect(harness.requests).toEqual([
      { url: "https://example.com/plans", method: "POST", headers: { "x-key": "k" }, body: "{}" },
      { url: "https://example.com/echo", method: "PUT", headers: {}, body: "hello" },
      { url: "https://example.com/plans", method: "GET", headers: {}, body: undefined },
    ]);
  });

  test("are secrets by name, and no others", async () => {
    const harness = await start({ secrets: { token: "abc" } });
    const body = `function populate(jwt, user, registration, { secrets, services }) {
      jwt.seen = [secrets.get("token"), services.secrets.get("token"), String(secrets.get("other")), String(secrets.get("toString"))];
    }`;
    const { jwt, context } = (await harness.load({ type: "JWTPopulate", body }).run()).arguments;
    expect(jwt.seen).toEqual(["abc", "abc", "undefined", "undefined"]);
    expect(JSON.stringify(context)).not.toContain("abc");
  });

  test("are constants of the harness, or of one lambda", async () => {
    const harness = await start({ constants: { plan: "free" }, secrets: { token: "abc" } });
    const body = `function populate(jwt, user, registration, { constants, secrets, services }) {
      jwt.seen = [constants.plan, services.constants === constants, Object.isFrozen(constants), secrets?.get("token")];
    }`;
    const type = "JWTPopulate";
    const { jwt, context } = (await harness.load({ type, body }).run()).arguments;
    expect([jwt.seen, JSON.stringify(context).includes("free")]).toEqual([["free", true, true, "abc"], false]);
    const own = harness.load({ type, body, constants: { plan: "gold" }, secrets: { token: "def" } });
    expect((await own.run()).arguments.jwt.seen).toEqual(["gold", true, true, "def"]);
    const bare = (await start()).load({ type, body });
    expect((await bare.run()).arguments.jwt.seen).toEqual([null, true, true, null]);
  });

  test("are functions as a service has them", async () => {
    const harness = await start({
      functions: {
        add: (_place, a, b) => Number(a) + Number(b),
        whereAmI: (place) => place,
        fail: () => {
          throw new Error("Not today.");
        },
      },
    });
    const body = `function populate(jwt) {
      jwt.sum = host.add(1, 2); jwt.place = host.whereAmI();
      try { host.fail(); } catch (error) { jwt.failed = error.message; }
    }`;
    const { jwt } = (await harness.load({ type: "JWTPopulate", body }).run()).arguments;
    expect([jwt.sum, jwt.failed]).toEqual([3, "Not today."]);
    expect(jwt.place).toEqual({ lambdaId: "harness-JWTPopulate" });
  });

  test("is nothing where nothing is given", async () => {
    const harness = await start();
    const body = "function populate(jwt) { fetch('https://example.com'); }";
    expect((await harness.load({ type: "JWTPopulate", body }).run()).outcome.kind).toBe("threw");
    expect(harness.requests).toEqual([]);
  });
});

describe("bodies in files", () => {
  async function write(name: string, text: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "latchkey-bodies-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, name), text);
    return join(directory, name);
  }

  test("are read by path and by URL", async () => {
    const harness = await start();
    const body = "function populate(jwt) { jwt.a = 1; }\n";
    const file = await write("body.js", body);
    for (const one of [file, pathToFileURL(file)]) {
      const lambda = harness.load({ type: "JWTPopulate", file: one });
      expect([lambda.body, (await lambda.run()).arguments.jwt.a]).toEqual([body, 1]);
    }
    expect(() => harness.load({ type: "JWTPopulate", file: `${file}.missing` })).toThrow("ENOENT");
  });

  test("may be TypeScript, whose types are taken out without moving a line", async () => {
    const harness = await start();
    const text = `import type { JWTPopulate } from "latchkey/lambdas";
const populate: JWTPopulate = (jwt, user) => {
  jwt.color = user.data.color as string;
};
`;
    const file = await write("body.ts", text);
    const body = readLambdaBody(file);
    expect(body).not.toMatch(/import|JWTPopulate|as string/);
    expect(body.split("\n")).toHaveLength(text.split("\n").length);
    expect((await harness.load({ type: "JWTPopulate", file }).run()).arguments.jwt.color).toBe("green");
  });
});

test("a harness runs on the engine of production by itself", async () => {
  await using harness = await createLambdaHarness();
  const body = "function populate(jwt) {\n  jwt.a = 1;\n  nothing.at.all;\n}";
  const { outcome } = await harness.load({ type: "JWTPopulate", body }).run();
  expect(outcome).toEqual({ kind: "threw", message: expect.stringContaining("nothing is not defined"), line: 3, column: 3 });
});

test("a harness closes its runner, and disposes of itself", async () => {
  let closed = 0;
  const runner = { ...testRunner(), close: async () => void closed++ };
  {
    await using harness = await createLambdaHarness({ runner });
    expect(harness.requests).toEqual([]);
  }
  expect(closed).toBe(1);
});
