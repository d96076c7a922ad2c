import { memoryStorage } from "latchkey/memory";
import { createTestIdentity } from "latchkey/testing";
import { pino } from "pino";
import { expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { everySecret, plantings } from "../support/planted-secrets.js";
import { requirement } from "../support/requirement.js";
import { createTestTelemetry } from "../support/telemetry.js";
import { startWorld } from "../support/world.js";

interface Written {
  readonly lines: string[];
  readonly write: (line: string) => void;
}

/** Where a logger of pino writes its lines. */
function createLines(): Written {
  const lines: string[] = [];
  return { lines, write: (line) => void lines.push(line) };
}

requirement("log.pino", "a logger of pino and its children are taken as they are, with their levels and fields", async () => {
  const written = createLines();
  const logger = pino({ level: "warn" }, written).child({ part: "identity" });
  const storage = memoryStorage();
  await using kit = await createTestIdentity({ storage, logger });
  const { emailTemplate } = await kit.factories.emailTemplates.create();
  const { user } = await kit.factories.users.create();
  kit.mails.answer({ kind: "failed", reason: "full" });
  await kit.identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id] });
  await kit.settled();
  storage.transaction = () => Promise.reject(new Error("broken"));
  await kit.caller.send({
    method: "POST",
    url: "/api/group",
    body: { group: { name: "A" } },
    headers: { "x-request-id": "mine" },
  });
  const [warning, failure] = written.lines.map((line) => JSON.parse(line));
  expect(warning).toMatchObject({
    level: 40,
    part: "identity",
    msg: "a mail could not be sent",
    userId: user.id,
    reason: "full",
  });
  expect(failure).toMatchObject({
    level: 50,
    part: "identity",
    msg: "request failed",
    method: "POST",
    path: "/api/group",
    requestId: "mine",
    err: { type: "Error", message: "broken", stack: expect.stringContaining("Error: broken") },
  });
});

requirement("secrets.observed", "no secret is in any line of a log or any span, for each outcome of a request", async () => {
  const written = createLines();
  const told = createTestTelemetry();
  const storage = memoryStorage();
  const logger = pino({ level: "trace" }, written);
  const world = await startWorld(storage, { logger, telemetry: told.telemetry, mail: async () => ({ kind: "ok" }) });
  const again = JSON.parse(JSON.stringify(plantings).replaceAll('"name":"', '"name":7,"x":"')) as typeof plantings;
  for (const [, method, path, body] of plantings) expectOk(await world.caller.send(method, path, body));
  for (const [, method, path, body] of again) await world.caller.send(method, path, body);
  for (const secret of everySecret) {
    await world.as(secret).get("/api/group");
    await world.caller.get(`/api/group/search?name=${encodeURIComponent(secret)}`);
  }
  const { transaction } = storage;
  storage.transaction = () => Promise.reject(new Error("broken"));
  for (const [, method, path, body] of plantings) expect((await world.caller.send(method, path, body)).status).toBe(500);
  storage.transaction = transaction;
  const spans = told.spans().map(({ attributes, events, name, status }) => ({ attributes, events, name, status }));
  const metrics = (await told.metrics()).flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes));
  const all = [...written.lines, JSON.stringify(spans), JSON.stringify(metrics)].join("\n");
  expect([written.lines.length, spans.length > 3 * plantings.length, metrics.length > 0]).toEqual([plantings.length, true, true]);
  expect(everySecret.filter((secret) => all.includes(secret))).toEqual([]);
});
