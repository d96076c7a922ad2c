import type { ServerResponse } from "node:http";
import { describe, expect, vi } from "vitest";
import { globalScope } from "../../src/ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { codesOf, expectOk } from "../support/answer.js";
import { runJob } from "../support/import-jobs.js";
import { arrangeLogin, ids, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, type Start, type World } from "../support/world.js";

const type = "user.create";
const email = "ada@example.com";

/** A service whose tenant wants so many of these receivers to agree to new users. */
async function startAsking(
  start: Start,
  transactionType: string,
  statuses: readonly number[],
  asked = type,
): Promise<World & { readonly sinks: readonly Sink[] }> {
  const world = await start({ allowPrivateNetwork: true });
  const answer = (status: number) => (_request: unknown, response: ServerResponse) => void response.writeHead(status).end();
  const sinks = await Promise.all(statuses.map((status) => startSink(answer(status))));
  for (const { url } of sinks) await makeWebhook(world, { url, global: true, eventsEnabled: { [asked]: true } });
  const eventConfiguration = { events: { [asked]: { enabled: true, transactionType } } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration } }));
  return { ...world, sinks };
}

function createUser({ caller }: World, path = "/api/user"): ReturnType<World["caller"]["post"]> {
  return caller.post(path, { user: { email, password: "a password of the tests" } });
}

forEachStorage((start) => {
  describe("receivers that are asked first", () => {
    for (const [transactionType, statuses, isKept] of [
      ["Any", [500, 201], true],
      ["Any", [500, 500], false],
      ["SimpleMajority", [201, 500], true],
      ["SimpleMajority", [201, 500, 500], false],
      ["SuperMajority", [201, 201, 500], true],
      ["SuperMajority", [201, 500], false],
      ["AbsoluteMajority", [201, 201], true],
      ["AbsoluteMajority", [201, 302], false],
      ["Any", [], true],
    ] as const)
      requirement("delivery.asked-types", `decide by ${transactionType} of ${JSON.stringify(statuses)}`, async () => {
        const world = await startAsking(start, transactionType, statuses);
        const answer = await createUser(world);
        expect(answer.status).toBe(isKept ? 200 : 504);
        expect(world.sinks.map(({ received }) => received.length)).toEqual(statuses.map(() => 1));
        const found = await world.caller.get(`/api/user?email=${email}`);
        expect(found.status).toBe(isKept ? 200 : 404);
      });

    requirement("delivery.asked-refused", "leave nothing behind where too few agreed", async () => {
      const world = await startAsking(start, "Any", [500]);
      const before = (await readEvents(world.storage)).length;
      expect(codesOf(await createUser(world))).toEqual(["[WebhookTransactionException]"]);
      expect((await readEvents(world.storage)).length).toBe(before);
    });

    requirement("delivery.asked-refused", "a session leave the code of its second factor used", async () => {
      const world = await startAsking(start, "Any", [500], "user.login.success");
      await arrangeLogin(world);
      const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
      const twoFactorId = (await world.caller.post("/api/login", loginBody())).textAt("twoFactorId");
      const finish = async () =>
        world.caller.post("/api/two-factor/login", { twoFactorId, code: codeAt(secret, world.clock.advance(stepMs)) });
      expect([(await finish()).status, (await finish()).status]).toEqual([504, 404]);
      expect(world.sinks[0]?.received).toHaveLength(1);
      expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
    });

    requirement("delivery.asked", "are asked about the same user that is stored", async () => {
      const world = await startAsking(start, "AbsoluteMajority", [201]);
      const created = expectOk(await createUser(world));
      const { event } = JSON.parse(world.sinks[0]?.received[0]?.body ?? "{}");
      expect(event.user).toEqual(created.at("user"));
      expect((await readEvents(world.storage, type))[0]).toEqual(event);
    });

    requirement("delivery.asked", "are asked about the same users that an import stores", async () => {
      const world = await startAsking(start, "AbsoluteMajority", [201], "user.bulk.create");
      const rows = Array.from({ length: 60 }, (_, index) => ({ username: `user${index}` }));
      const { job, results } = await runJob(world, rows);
      expect(job).toMatchObject({ state: "Completed", created: rows.length });
      const asked = world.sinks.flatMap(({ received }) => received.flatMap(({ body }) => JSON.parse(body).event.users));
      expect(asked.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    });

    requirement("delivery.asked", "are not asked about a dry run, nor about what is refused anyway", async () => {
      const world = await startAsking(start, "AbsoluteMajority", [201]);
      expectOk(await createUser(world, "/api/user?dryRun=true"));
      expect((await world.caller.post("/api/user", { user: { email: "none" } })).status).toBe(400);
      expect(world.sinks[0]?.received).toEqual([]);
    });

    requirement(
      "delivery.asked-host",
      "are not asked inside of the host's own transaction, and notified afterwards",
      async () => {
        const world = await startAsking(start, "AbsoluteMajority", [500]);
        await world.identity.transaction((tx) => tx.users.create({ user: { email } }));
        expect(world.sinks[0]?.received).toEqual([]);
        expect(await readEvents(world.storage, type)).toHaveLength(1);
      },
    );

    requirement(
      "delivery.asked-retried",
      "that refused although enough agreed are tried three more times, the others not again",
      async () => {
        const world = await startAsking(start, "Any", [201, 500]);
        expectOk(await createUser(world));
        await world.identity.start();
        const readLogs = async () =>
          (await world.storage.find(globalScope, webhookEventLogsTable, undefined)).map(({ json }) => JSON.parse(json));
        await vi.waitFor(
          async () => expect((await readLogs())[0]).toMatchObject({ eventResult: "Failed", failedAttempts: 4 }),
          10_000,
        );
        expect(world.sinks.map(({ received }) => received.length)).toEqual([1, 4]);
        expect(await world.storage.find(globalScope, webhookAttemptLogsTable, undefined)).toHaveLength(5);
      },
    );
  });
});

const refusal = {
  fieldErrors: { "user.email": [{ code: "[notAllowed]user.email", message: "Only addresses of example.org." }] },
  generalErrors: [{ code: "[closed]", message: "Registration is closed." }],
};
const own = { code: "[WebhookTransactionException]", message: expect.any(String) };

/** A service whose only receiver refuses new users with this body. */
async function startRefusing(start: Start, body: string): Promise<World> {
  const world = await start({ allowPrivateNetwork: true });
  const { url } = await startSink((_request, response) => void response.writeHead(422).end(body));
  await makeWebhook(world, { url, global: true, eventsEnabled: { [type]: true } });
  const eventConfiguration = { events: { [type]: { enabled: true, transactionType: "AbsoluteMajority" } } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration } }));
  return world;
}

forEachStorage((start) => {
  describe("what a receiver that refuses answers", () => {
    requirement("delivery.asked-veto", "reaches the caller with its codes and messages", async () => {
      const world = await startRefusing(start, JSON.stringify(refusal));
      const answer = await createUser(world);
      expect(answer.status).toBe(504);
      expect(answer.body).toEqual({ ...refusal, generalErrors: [own, ...refusal.generalErrors] });
      const error = await world.identity.users.create({ user: { email } }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        status: 504,
        code: "[WebhookTransactionException]",
        fieldErrors: refusal.fieldErrors,
        generalErrors: [own, ...refusal.generalErrors],
      });
    });

    requirement("delivery.asked-veto", "adds texts only, and nothing where it is not of that shape", async () => {
      const one = { code: "[a]", message: "b", data: { c: 1 } };
      for (const [body, general, fields] of [
        ["", [], {}],
        ["no JSON", [], {}],
        ["[1]", [], {}],
        [JSON.stringify({ fieldErrors: [one], generalErrors: { one } }), [], {}],
        [JSON.stringify({ fieldErrors: { a: one }, generalErrors: [1, null, { code: 1, message: "b" }] }), [], {}],
        [JSON.stringify({ generalErrors: [one, one] }), [{ code: "[a]", message: "b" }], {}],
        [`{"fieldErrors":{"__proto__":[${JSON.stringify(one)}]}}`, [], '{"__proto__":[{"code":"[a]","message":"b"}]}'],
        [
          JSON.stringify({ generalErrors: [{ code: "[a]\u0000\ud800", message: "\u001b[2J" }] }),
          [{ code: "[a] \ufffd", message: " [2J" }],
          {},
        ],
        [JSON.stringify({ generalErrors: [{ ...one, message: "x".repeat(70_000) }] }), [], {}],
        ["[".repeat(60_000), [], {}],
      ] as const) {
        const answer = await createUser(await startRefusing(start, body));
        const expected = typeof fields === "string" ? JSON.parse(fields) : fields;
        expect([answer.status, answer.body]).toEqual([504, { fieldErrors: expected, generalErrors: [own, ...general] }]);
      }
    });

    requirement("delivery.asked-veto", "is bounded", async () => {
      const generalErrors = Array.from({ length: 1_500 }, (_, index) => ({ code: `[c${index}]`, message: "m" }));
      const answer = await createUser(await startRefusing(start, JSON.stringify({ generalErrors })));
      expect(codesOf(answer)).toHaveLength(101);
      const long = { code: "c".repeat(10_000), message: "m".repeat(10_000) };
      const cut = await createUser(await startRefusing(start, JSON.stringify({ generalErrors: [long] })));
      expect(cut.at("generalErrors.1")).toEqual({ code: "c".repeat(255), message: "m".repeat(1_000) });
    });
  });
});
