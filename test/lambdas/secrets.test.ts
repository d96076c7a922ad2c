import { describe, expect, test } from "vitest";
import { redactorOf } from "../../src/lambdas/run/redact.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { cpuTime } from "../support/cpu-time.js";
import { addRunRoutes, makePopulate, readLog, run, runBare, withLambdas } from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

addRunRoutes();

const secret = 'sk "live"/+\\ü&=%\nline two';

/** Ways in which a secret gets into a text by mistake, as expressions of a lambda that has it in `s`. */
const written: Readonly<Record<string, string>> = {
  plain: "'key ' + s",
  json: "JSON.stringify({ key: s })",
  "json of json": "JSON.stringify({ body: JSON.stringify({ key: s }) })",
  percent: "'?key=' + encodeURIComponent(s)",
};

describe("redactorOf", () => {
  const redact = redactorOf([secret, "second-secret"]);

  test("finds a secret in every form, and leaves the rest", () => {
    const base64 = Buffer.from(secret).toString("base64");
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
      new URLSearchParams({ a: secret }).toString().slice(2),
      base64,
      Buffer.from(secret).toString("base64url"),
    ])
      expect(redact(`before ${form} after ${form}`)).toBe("before *** after ***");
    expect(redact("second-secret, first secret")).toBe("***, first secret");
  });

  test("finds a secret in Basic credentials, with any text before and after it", () => {
    for (const [before, behind] of [
      ["", ":x"],
      ["a:", ""],
      ["ab:", "yz"],
      ["abc:", "é"],
      ["user:", ":pass"],
    ] as const)
      for (const encoding of ["base64", "base64url"] as const) {
        const redacted = redact(Buffer.from(`${before}second-secret${behind}`).toString(encoding));
        expect(redacted).toContain("***");
        expect(Buffer.from(redacted.replace("***", ""), "base64").toString()).not.toContain("secret");
        expect(redacted.length).toBeLessThan(20);
      }
  });

  test("takes short secrets as they are, and an empty one for none", () => {
    expect(redactorOf(["", "ab"])("ab YWI abc YWI=")).toBe("*** YWI ***c ***");
    expect(redactorOf(["key", "key-and-more"])("key-and-more, key")).toBe("***, ***");
    expect(redactorOf([])("nothing")).toBe("nothing");
    expect(redactorOf(["^a.b$|(c)*[d]\\{1}+?"])("ab ^a.b$|(c)*[d]\\{1}+? ^aXb$")).toBe("ab *** ^aXb$");
  });

  test("takes no long time for many secrets and long texts", () => {
    const many = Array.from({ length: 20 }, (_, index) => `${"a".repeat(40)}${index}`);
    const begin = cpuTime();
    const redact = redactorOf(many);
    for (const text of ["a".repeat(65_536), "YWFh".repeat(16_384)]) expect(redact(text)).toBe(text);
    for (let line = 0; line < 65_536; line++) redact("a");
    const long = "long".repeat(4_096);
    expect(redactorOf([long])(`a ${long} b`)).toBe("a *** b");
    // A generous bound for a busy machine: it takes some milliseconds.
    expect(cpuTime() - begin).toBeLessThan(10_000);
  });
});

/** A resolver, and what it was asked. */
function watchedResolver(values: Readonly<Record<string, unknown>>): {
  readonly asked: unknown[];
  readonly resolveSecret: (name: string, place: object) => Promise<string | undefined>;
} {
  const asked: unknown[] = [];
  return {
    asked,
    resolveSecret: async (name, place) => {
      asked.push([name, place]);
      if (name === "broken") throw new Error(`The vault at 10.0.0.7 is closed to ${name}.`);
      return values[name] as string | undefined;
    },
  };
}

async function expectHidden(world: World, ...texts: readonly string[]): Promise<void> {
  const everything = JSON.stringify([await readLog(world), await readEvents(world.storage), world.log, texts]);
  for (const part of ["live", "line two", "c2sg", "%22live"]) expect(everything).not.toContain(part);
}

forEachStorage((start) => {
  describe("the secrets of a lambda", () => {
    requirement("lambda.secrets", "come from the host's resolver, which is asked once for each run and name", async () => {
      const { asked, resolveSecret } = watchedResolver({ one: "first", two: "" });
      const world = await start(withLambdas({ resolveSecret }));
      const lambdaId = await makePopulate(
        world,
        "const { secrets, services } = context; jwt.all = [secrets.get('one') + secrets.get('one'), services.secrets.get('two'), secrets.get('none') === undefined];",
      );
      const tenantId = world.defaultTenantId;
      for (const request of [{}, { tenantId }])
        expect(expectOk(await run(world.caller, lambdaId, request)).at("jwt.all")).toEqual(["firstfirst", "", true]);
      const askedOf = (place: object): unknown[] => ["one", "two", "none"].map((name) => [name, place]);
      expect(asked).toEqual([...askedOf({ lambdaId }), ...askedOf({ lambdaId, tenantId })]);
    });

    requirement("lambda.secrets", "are texts with a name, else an error", async () => {
      const { resolveSecret } = watchedResolver({
        number: 7,
        object: { a: 1 },
        long: "x".repeat(16_385),
        fits: "x".repeat(16_384),
      });
      const world = await start(withLambdas({ resolveSecret }));
      const errorOf = async (expression: string): Promise<unknown> => {
        const text = `try { context.secrets.get(${expression}); } catch (error) { jwt.error = error.message; }`;
        return expectOk(await run(world.caller, await makePopulate(world, text))).at("jwt.error");
      };
      for (const expression of ["''", "'x'.repeat(201)"])
        expect(await errorOf(expression)).toBe("The name of a secret is a text of 1 to 200 characters.");
      const many = "(() => { for (let n = 0; n < 60; n++) context.secrets.get('name ' + n); })()";
      expect(await errorOf(many)).toBe("A run may ask for 20 secrets at most.");
      expect(await errorOf("'fits'")).toBeUndefined();
      for (const expression of ["'number'", "'object'", "'long'"])
        expect(await errorOf(expression)).toBe("The secret is no text of 16384 characters at most.");
      expect(await errorOf("'broken'")).toBe("The vault at 10.0.0.7 is closed to broken.");
      expect(world.log.at(-1)).toMatchObject({
        level: "error",
        fields: { function: "secrets.get", error: expect.stringContaining("The vault at 10.0.0.7") },
      });
    });

    requirement("lambda.secrets-redacted", "are in no line, message, event or refusal, in any encoding", async () => {
      const { resolveSecret } = watchedResolver({ key: secret });
      const world = await start(withLambdas({ resolveSecret }));
      for (const [name, expression] of Object.entries(written)) {
        const body = `const s = context.secrets.get('key'); const t = ${expression}; for (const level of ['info', 'warn', 'error', 'debug']) console[level](t);`;
        const populate = await makePopulate(world, `${body} jwt.key = t; throw new Error(t);`, { debug: true });
        expectOk(await run(world.caller, populate));
        const outcome = await runBare(world, populate);
        const validation = `function validate(result, user, registration, context) { ${body} throw t; }`;
        const validate = await makeLambda(world, "LoginValidation", { body: validation });
        const request = { type: "LoginValidation", arguments: { result: {}, context: {} } } as const;
        const refused = await run(world.caller, validate, request);
        expectRefusal(refused, 400, "[LambdaFailed]");
        for (const text of [outcome.text, refused.text]) expect([name, text]).toEqual([name, expect.stringContaining("***")]);
        expect(outcome.each("console", "text")).toEqual(new Array(4).fill(expect.stringContaining("***")));
        await expectHidden(world, outcome.text, refused.text);
      }
      expect((await readLog(world)).filter(({ message }) => message.includes("***"))).toHaveLength(4 * 5);
    });

    requirement("lambda.secrets-redacted", "are not in the log of a function that failed with one", async () => {
      const { resolveSecret } = watchedResolver({ key: secret });
      const pay = (_place: object, key: unknown): void => {
        throw new Error(`The key ${key} is not valid.`);
      };
      const world = await start(withLambdas({ resolveSecret, functions: { pay } }));
      const text = "try { host.pay(context.secrets.get('key')); } catch (error) { console.error(error.message); }";
      expectOk(await run(world.caller, await makePopulate(world, text)));
      expect(world.log).toMatchObject([
        { level: "error", fields: { error: expect.stringContaining("The key *** is not valid.") } },
      ]);
      expect((await readLog(world))[0]?.message).toMatch(/The key \*\*\* is not valid\.$/);
      await expectHidden(world);
    });
  });
});
