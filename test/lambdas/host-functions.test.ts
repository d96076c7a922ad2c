import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { addRunRoutes, makePopulate, run, runBare, ToldRunner, withLambdas } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant } from "../support/world.js";

addRunRoutes();

forEachStorage((start) => {
  describe("functions of the host", () => {
    requirement("lambda.host-functions", "receive the place of the call, and return values", async () => {
      const calls: unknown[] = [];
      const world = await start(
        withLambdas({
          functions: {
            echo: (...call) => {
              calls.push(call);
              return { at: new Date(0), list: [1, undefined], nothing: undefined };
            },
            nothing: () => undefined,
          },
        }),
      );
      const tenantId = await makeTenant(world, "Own");
      const text = "jwt.answer = host.echo('a', { b: [1, null] }); jwt.nothing = host.nothing() === undefined;";
      const lambdaId = await makePopulate(world, text);
      const shown = { answer: { at: "1970-01-01T00:00:00.000Z", list: [1, null] }, nothing: true };
      expect(expectOk(await run(world.caller, lambdaId, { tenantId })).at("jwt")).toEqual(shown);
      expect((await runBare(world, lambdaId, { tenantId })).at("changed.jwt")).toEqual(shown);
      expect(calls).toEqual(new Array(2).fill([{ lambdaId, tenantId }, "a", { b: [1, null] }]));
    });

    requirement("lambda.host-functions", "may call the service in process", async () => {
      const world = await start(
        withLambdas({
          functions: {
            countTenants: async () => (await world.identity.tenants.list()).tenants.length,
          },
        }),
      );
      await makeTenant(world, "Another");
      const lambdaId = await makePopulate(world, "jwt.tenants = host.countTenants();");
      expect(expectOk(await run(world.caller, lambdaId)).at("jwt.tenants")).toBe(2);
    });

    requirement("lambda.host-functions", "throw a message to the lambda, logged without arguments", async () => {
      const circular: unknown[] = [];
      circular.push(circular);
      const world = await start(
        withLambdas({
          functions: {
            fail: () => Promise.reject(Object.assign(new RangeError("Too far"), { password: "hidden" })),
            text: () => {
              throw "just a text";
            },
            odd: () => {
              throw Object.create(null);
            },
            circular: () => circular,
          },
        }),
      );
      const text = `jwt.errors = ["fail", "text", "odd", "circular"].map((name) => {
        try { host[name]("argument"); return "none"; } catch (error) { return error.name + ": " + error.message; }
      });`;
      const lambdaId = await makePopulate(world, text);
      const errors = expectOk(await run(world.caller, lambdaId)).at("jwt.errors") as string[];
      expect(errors.slice(0, 3)).toEqual(["Error: Too far", "Error: just a text", "Error: The function of the host failed."]);
      expect(errors[3]).toContain("circular");
      expect(world.log.map(({ level, fields }) => [level, fields.function, fields.lambdaId])).toEqual([
        ["error", "host.fail", lambdaId],
        ["error", "host.text", lambdaId],
        ["error", "host.odd", lambdaId],
      ]);
      expect(world.log[0]?.fields.error).toContain("RangeError: Too far");
      expect(JSON.stringify(world.log)).not.toMatch(/argument|hidden/);
    });

    requirement(
      "lambda.host-functions",
      "are not called with arguments that change how objects behave, and log a failure once",
      async () => {
        const calls: unknown[] = [];
        const note = (_place: object, ...args: readonly unknown[]): void => void calls.push(args);
        const runner = new ToldRunner();
        const world = await start({ lambdas: { runner, functions: { note } } });
        await run(world.caller, await makePopulate(world, ""));
        const host = runner.runs[0]?.host;
        for (const args of ['[{"__proto__":{"isAdmin":true}}]', '["a\\u0000b"]', `${"[".repeat(70)}${"]".repeat(70)}`])
          await expect(host?.call("host.note", args)).rejects.toThrow("The arguments of host.note are not allowed.");
        expect(calls).toEqual([]);
        expect(world.log).toHaveLength(1);
        await host?.call("host.note", '[{"proto":1}]');
        expect(calls).toEqual([[{ proto: 1 }]]);
      },
    );

    requirement("lambda.host-functions", "are those that the host registers, and no others", async () => {
      const runner = new ToldRunner();
      const options = { runner, allowFetch: true, resolveSecret: () => "x", functions: { a: () => 1, constructor: () => 2 } };
      const world = await start({ lambdas: options });
      await run(world.caller, await makePopulate(world, ""));
      const host = runner.runs[0]?.host;
      expect(host?.names).toEqual(["fetch", "secrets.get", "host.a", "host.constructor"]);
      expect(await host?.call("host.constructor", "[]")).toBe("2");
      for (const name of ["host.b", "host.toString", "a", "", "__proto__", "secrets.set"])
        await expect(host?.call(name, "[]")).rejects.toThrow(new Error(`There is no function ${name}.`));
      await expect(host?.call("host.a", "no JSON")).rejects.toThrow("JSON");
      const bare = new ToldRunner();
      const without = await start({ lambdas: { runner: bare } });
      await run(without.caller, await makePopulate(without, ""));
      expect(bare.runs[0]?.host).toBeUndefined();
    });
  });
});
