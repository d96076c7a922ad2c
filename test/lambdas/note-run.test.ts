import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { eventLogNumbersTable, eventLogsTable } from "../../src/records/event-logs/family.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import {
  addRunRoutes,
  makePopulate,
  missingRunner,
  notePlace,
  readLog,
  run,
  runBare,
  runDry,
  runIn,
  runInTransaction,
  ToldRunner,
  unknownLambda,
  withLambdas,
} from "../support/lambda-runs.js";
import { makeLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";

addRunRoutes();

const everyLevel =
  "console.log(1); console.warn('w'); console.error('e', 2); console.info('i'); console.debug('d'); console.error('f');";

/** The types and messages of the entries, each without its first line. */
async function textsOf(world: World): Promise<readonly (readonly [type: string, text: string])[]> {
  return (await readLog(world)).map(({ message, type }) => [type, message.slice(message.indexOf("\n") + 1)]);
}

const reconcileArguments = {
  user: {
    email: "ann@example.com",
    password: "hunter22",
    passwordChangeRequired: true,
    twoFactor: { methods: [{ secret: "s3cr3t", method: "sms" }], recoveryCodes: ["r3cov3ry"] },
  },
  registration: { authenticationToken: "t0ken", roles: ["admin"] },
  jwt: { sub: "1", at_hash: "kept" },
  id_token: { sub: "1", nonce: "kept too", raw: "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln" },
  tokens: { access_token: "acc3ss", anything: "els3", nested: { deep: "d33p" } },
  context: { headers: { Authorization: "Basic abc", cookie: "c00kie", "X-Api-Key": "k3y" }, clientSecret: "cl13nt", pin: 7 },
};

forEachStorage((start) => {
  describe("a run in the event log", () => {
    requirement("lambda.noted", "has an entry for each level, which begins with the lambda", async () => {
      const world = await start(withLambdas());
      const lambdaId = await makePopulate(world, everyLevel, { name: "All levels" });
      expectOk(await run(world.caller, lambdaId));
      const title = `Lambda All levels (${lambdaId}, JWTPopulate)\n`;
      expect((await readLog(world)).map(({ message, type }) => [type, message])).toEqual([
        ["Information", `${title}1\nw\ni`],
        ["Error", `${title}e 2\nf`],
      ]);
    });

    requirement("lambda.noted-debug", "has the lines for debugging when the lambda says debug", async () => {
      const world = await start(withLambdas());
      expectOk(await run(world.caller, await makePopulate(world, "console.debug('d'); console.debug('e')", { debug: true })));
      expectOk(await run(world.caller, await makePopulate(world, "console.debug('f')")));
      expect(await textsOf(world)).toEqual([["Debug", "d\ne"]]);
    });

    requirement("lambda.noted-debug", "has the arguments of a reconcile lambda, without secrets", async () => {
      const runner = new ToldRunner();
      const world = await start({ lambdas: { runner } });
      runner.outcome = { kind: "ok", changedJson: '{"user":{},"registration":{}}', console: [] };
      const fields = { body: "function reconcile() {}", debug: true };
      const requested = { type: "OpenIDReconcile", arguments: reconcileArguments } as const;
      expectOk(await run(world.caller, await makeLambda(world, "OpenIDReconcile", fields), requested));
      expectOk(await run(world.caller, await makeLambda(world, "OpenIDReconcile", { ...fields, debug: false }), requested));
      const texts = await textsOf(world);
      expect(texts).toHaveLength(1);
      const [type, text = ""] = texts[0] ?? [];
      expect(type).toBe("Debug");
      expect(JSON.parse(text.slice(text.indexOf("{")))).toEqual({
        user: {
          email: "ann@example.com",
          password: "***",
          passwordChangeRequired: true,
          twoFactor: { methods: [{ secret: "***", method: "sms" }], recoveryCodes: "***" },
        },
        registration: { authenticationToken: "***", roles: ["admin"] },
        jwt: { sub: "1", at_hash: "kept" },
        id_token: { sub: "1", nonce: "kept too", raw: "***" },
        tokens: "***",
        context: { headers: { Authorization: "***", cookie: "***", "X-Api-Key": "***" }, clientSecret: "***", pin: 7 },
      });
    });

    requirement("lambda.noted-debug", "takes no long time to leave out what looks like tokens", async () => {
      const runner = new ToldRunner();
      const world = await start({ lambdas: { runner } });
      runner.outcome = { kind: "ok", changedJson: '{"user":{},"registration":{}}', console: [] };
      const lambdaId = await makeLambda(world, "HYPRReconcile", { body: "function reconcile() {}", debug: true });
      const begin = performance.now();
      for (const unit of ["eyJ-", "eyJ.", "eyJ.a", ".eyJ"]) {
        const user = { data: unit.repeat(100_000) };
        expectOk(await run(world.caller, lambdaId, { type: "HYPRReconcile", arguments: { user, registration: {} } }));
      }
      // A generous bound for a busy machine: looked for carelessly, one takes a minute.
      expect(performance.now() - begin).toBeLessThan(20_000);
      expect(await textsOf(world)).toHaveLength(4);
    });

    requirement(
      "lambda.noted",
      "has nothing for a run that said nothing and went well, nor for a dry run or a trial",
      async () => {
        const world = await start(withLambdas());
        expectOk(await run(world.caller, await makePopulate(world, "jwt.a = 1;", { debug: true })));
        const loud = await makePopulate(world, `${everyLevel} throw new Error("loud")`);
        expectOk(await runDry(world.caller, loud));
        await runBare(world, loud);
        expect(await readLog(world)).toEqual([]);
        expect(world.log).toEqual([]);
      },
    );

    requirement("lambda.noted", "says why a lambda failed, whether its place needs it or not", async () => {
      const world = await start(withLambdas());
      const populate = await makePopulate(world, "console.error('before'); throw new Error('Broken here');");
      expect(expectOk(await run(world.caller, populate, { arguments: { jwt: { a: 1 } } })).body).toEqual({ jwt: { a: 1 } });
      const validate = await makeLambda(world, "LoginValidation", { body: "function validate() { throw new Error('No'); }" });
      const refused = await run(world.caller, validate, { type: "LoginValidation", arguments: { result: {} } });
      expectRefusal(refused, 400, "[LambdaFailed]");
      expect(await textsOf(world)).toEqual([
        ["Error", expect.stringMatching(/^before\nThe lambda failed: it threw at line 1, column \d+\. .*Broken here$/)],
        ["Error", expect.stringMatching(/^The lambda failed: it threw at line 1, column \d+\. .*No$/)],
      ]);
    });

    requirement("lambda.noted", "says that a lambda is gone, of another type, or has no runner", async () => {
      const world = await start(withLambdas());
      expectOk(await run(world.caller, unknownLambda));
      expectRefusal(await run(world.caller, await makePopulate(world, ""), { type: "LoginValidation" }), 400, "[LambdaFailed]");
      const messages = (await readLog(world)).map(({ message }) => message);
      expect(messages[0]).toBe(
        `Lambda unknown (${unknownLambda}, JWTPopulate)\nThe lambda failed: it was not run. The lambda is gone.`,
      );
      expect(messages[1]).toContain("The lambda is of the type JWTPopulate, and one of the type LoginValidation is needed.");
      const bare = await start({ lambdas: { runner: missingRunner() } });
      await run(bare.caller, await makePopulate(bare, ""));
      expect((await readLog(bare))[0]?.message).toContain(
        "The option lambdas.runner is not set, and isolatedVmRunner() needs the package isolated-vm",
      );
    });

    requirement("lambda.noted", "says what the place of a lambda found out afterwards", async () => {
      const world = await start(withLambdas());
      await notePlace(world, await makePopulate(world, ""));
      const text = "The lambda failed: it is too large, or left too much behind. The token is too long.";
      expect(await textsOf(world)).toEqual([["Error", text]]);
    });

    requirement("lambda.noted", "is bounded, and nothing in it is what a storage refuses", async () => {
      const runner = new ToldRunner();
      const world = await start({ lambdas: { runner } });
      const line = (text: string): object => ({ level: "info", text });
      const lambdaId = await makePopulate(world, "");
      for (const text of ["ü".repeat(60_000), `${"x".repeat(65_000)}${"🙂".repeat(500)}`, "a\0b\ud800c"]) {
        runner.outcome = { kind: "ok", changedJson: '{"jwt":{}}', console: [line(text) as never] };
        expectOk(await run(world.caller, lambdaId));
      }
      const messages = (await readLog(world)).map(({ message }) => message);
      expect(messages).toHaveLength(3);
      for (const message of messages) {
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(65_536);
        expect(message.isWellFormed()).toBe(true);
      }
      for (const message of messages.slice(0, 2)) {
        expect(Buffer.byteLength(message)).toBeGreaterThan(65_500);
        expect(message).toMatch(/[xü🙂]\n… \(cut off\)$/u);
      }
      expect(messages[2]).toMatch(/\na\ufffdb\ufffdc$/);
    });

    requirement("lambda.noted", "shares the fate of the host's transaction", async () => {
      const world = await start(withLambdas());
      const lambdaId = await makePopulate(world, "console.info('inside')");
      const undone = world.identity.transaction(async (tx) => {
        await Promise.all([runIn(tx, lambdaId), runIn(tx, lambdaId)]);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await readLog(world)).toEqual([]);
      await world.identity.transaction((tx) => Promise.all([runIn(tx, lambdaId), runIn(tx, lambdaId)]));
      await Promise.all(Array.from({ length: 20 }, () => runIn(world.identity, lambdaId)));
      expect((await readLog(world)).map(({ id }) => id)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    });
  });
});

requirement("lambda.noted", "A failed write to the event log fails no call, and is logged", async () => {
  const storage = memoryStorage();
  const world = await startWorld(storage, withLambdas());
  const lambdaId = await makePopulate(world, "console.info('lost'); jwt.a = 1;");
  const inner = storage.transaction.bind(storage);
  const watched = vi.spyOn(storage, "transaction").mockRejectedValueOnce(new Error("full"));
  expect(expectOk(await run(world.caller, lambdaId)).at("jwt")).toEqual({ a: 1 });
  expect(world.log).toEqual([
    {
      level: "warn",
      fields: { err: new Error("full"), lambdaId },
      message: "the event log does not have what a lambda wrote",
    },
  ]);
  watched.mockImplementation(inner);
  // The number that would come next is taken already.
  const json = '{"id":0}';
  const columns = { number: 1, messageFolded: "", messageStart: "", type: "Debug" };
  const taken = { id: uuid(1), tenantId: null, version: 1, insertInstant: 0, lastUpdateInstant: 0, json, hidden: null, columns };
  await storage.transaction((tx) => tx.insert(globalScope, eventLogsTable, [taken]));
  await world.identity.transaction(async (tx) => {
    await runIn(tx, lambdaId);
    await tx.tenants.create({ tenant: { name: "Kept" } });
  });
  expect(world.log).toHaveLength(2);
  // Nor in a transaction of the place, in which nothing of the entry stays.
  expectOk(await runInTransaction(world.caller, lambdaId));
  expect(world.log).toHaveLength(3);
  expect(await storage.find(globalScope, eventLogNumbersTable, undefined)).toEqual([]);
  expect((await world.identity.tenants.list()).tenants.map(({ name }) => name)).toContain("Kept");
});
