import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { StorageUnavailable, type Telemetry } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { createTestIdentity, type TestIdentity, type TestIdentityOptions } from "latchkey/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { testRunner } from "../support/lambda-runner.js";
import { requirement } from "../support/requirement.js";
import { createTestTelemetry, type TestTelemetry } from "../support/telemetry.js";

interface Scene extends TestIdentity, TestTelemetry {
  /** The spans since then, by name. */
  readonly since: () => () => Readonly<Record<string, ReadableSpan>>;
}

async function start(options: TestIdentityOptions = {}): Promise<Scene> {
  const told = createTestTelemetry();
  const kit = await createTestIdentity({ telemetry: told.telemetry, ...options });
  onTestFinished(() => kit.close());
  const since: Scene["since"] = () => {
    const { length } = told.spans();
    return () =>
      Object.fromEntries(
        told
          .spans()
          .slice(length)
          .map((span) => [span.name, span]),
      );
  };
  return { ...kit, ...told, since };
}

const parentOf = (span: ReadableSpan | undefined): string | undefined => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;

describe("a request", () => {
  requirement(["telemetry.requests", "telemetry.children"], "is a span of its route, with its transaction", async () => {
    const { caller, since } = await start();
    const spans = since();
    await caller.post("/api/group?x=1", { group: { name: "Editors" } });
    const { "POST /api/group": request, transaction } = spans();
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      parentSpanContext: undefined,
    });
    expect(request?.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/group",
      "http.response.status_code": 200,
      "latchkey.outcome": "ok",
      "latchkey.request.id": expect.any(String),
    });
    expect(parentOf(transaction)).toBe(idOf(request));
    expect(transaction?.attributes).toEqual({ "latchkey.outcome": "committed" });
  });

  requirement("telemetry.children", "has its own transaction where a storage commits several together", async () => {
    const storage = sqliteStorage({ filename: ":memory:" });
    const kit = await start({ storage });
    const { length } = kit.spans();
    await Promise.all([1, 2, 3].map((number) => kit.caller.post("/api/group", { group: { name: `Group ${number}` } })));
    const spans = kit.spans().slice(length);
    const idsOf = (name: string, idOfSpan: typeof idOf): unknown[] => spans.filter((span) => span.name === name).map(idOfSpan);
    expect(idsOf("transaction", parentOf).sort()).toEqual(idsOf("POST /api/group", idOf).sort());
  });

  requirement("telemetry.requests", "that is refused has the code of the refusal, and is no failure", async () => {
    const { caller, identity, since } = await start();
    await caller.post("/api/group", { group: { name: "Editors" } });
    const spans = since();
    const twice = await caller.post("/api/group", { group: { name: "EDITORS" } });
    await caller.get("/api/group/00000000-0000-4000-8000-000000000001");
    await identity.inject({ method: "POST", url: "/oauth2/token", headers: { "content-type": "application/json" }, body: {} });
    const { "POST /api/group": request, "GET /api/group/:groupId": missing, "POST /oauth2/token": token, transaction } = spans();
    expect(twice.status).toBe(400);
    expect(request?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(request?.attributes).toMatchObject({ "http.response.status_code": 400, "latchkey.outcome": "duplicate" });
    expect(missing?.attributes).toMatchObject({ "http.response.status_code": 404, "latchkey.outcome": "404" });
    expect(token?.attributes).toMatchObject({ "latchkey.outcome": expect.stringMatching(/^[a-z_]+$/) });
    expect(transaction?.attributes).toEqual({ "latchkey.outcome": "rolledBack" });
  });

  requirement("telemetry.requests", "that fails is marked as failed", async () => {
    const storage = memoryStorage();
    const logged: object[] = [];
    const note = (fields: object): void => void logged.push(fields);
    const { caller, since } = await start({ storage, logger: { debug: note, info: note, warn: note, error: note } });
    const spans = since();
    storage.transaction = () => Promise.reject(new StorageUnavailable("The password is secret."));
    expect((await caller.post("/api/group", { group: { name: "Editors" } })).status).toBe(503);
    const { "POST /api/group": request, transaction } = spans();
    expect(request?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(request?.attributes).toMatchObject({ "error.type": "storageUnavailable", "http.response.status_code": 503 });
    expect(transaction?.attributes).toMatchObject({ "error.type": "StorageUnavailable" });
    expect(JSON.stringify([request?.events, transaction?.events])).toBe("[[],[]]");
    expect(logged).toMatchObject([{ requestId: request?.attributes["latchkey.request.id"] }]);
  });

  requirement("telemetry.parent", "continues the trace of its caller", async () => {
    const { caller, since } = await start();
    const spans = since();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await caller.send({ url: "/api/group", headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    const { "GET /api/group": request } = spans();
    expect([request?.spanContext().traceId, parentOf(request)]).toEqual([traceId, "b7ad6b7169203331"]);
  });

  requirement("telemetry.parent", "is part of what the host has begun, and so are calls in process", async () => {
    const { caller, identity, provider, since } = await start();
    const own = provider.getTracer("host").startSpan("own");
    const spans = since();
    await context.with(trace.setSpan(context.active(), own), async () => {
      await caller.send({
        url: "/api/group",
        headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
      });
      await identity.groups.create({ group: { name: "Editors" } });
    });
    const { "GET /api/group": request, transaction } = spans();
    expect([parentOf(request), parentOf(transaction)]).toEqual([own.spanContext().spanId, own.spanContext().spanId]);
  });

  test("for a path that is not ours is no span", async () => {
    const { caller, since } = await start();
    const spans = since();
    expect((await caller.get("/nothing")).status).toBe(404);
    expect(spans()).toEqual({});
  });
});

describe("functions of the host", () => {
  requirement("telemetry.context", "are called within the span that is under way", async () => {
    const seen: (string | undefined)[] = [];
    const see = (): void => void seen.push(trace.getActiveSpan()?.spanContext().spanId);
    const functions = { see };
    const kit = await start({ lambdas: { runner: testRunner(), functions }, moderation: { action: "allow" } });
    kit.moderation.answer(() => {
      see();
      return { action: "allow" };
    });
    const spans = kit.since();
    await kit.caller.post("/api/user", { user: { username: "ana" } });
    const body = "function populate(jwt) { host.see(); }";
    const { lambda } = await kit.factories.lambdas.create({ lambda: { body } });
    await kit.identity.lambdas.run(lambda.id, { jwt: {}, user: {}, registration: {} });
    const { "POST /api/user": request, "lambda populate": run } = spans();
    expect(seen).toEqual([idOf(request), idOf(run)]);
    expect(run?.attributes).toEqual({
      "latchkey.lambda.id": lambda.id,
      "latchkey.lambda.function": "populate",
      "latchkey.outcome": "ok",
    });
  });
});

describe("a delivery", () => {
  requirement("telemetry.deliveries", "is a span for each attempt, with its outcome", async () => {
    const kit = await start();
    const { webhook } = await kit.factories.webhooks.create({ webhook: { eventsEnabled: { "group.create": true } } });
    const { emailTemplate } = await kit.factories.emailTemplates.create();
    const { user } = await kit.factories.users.create();
    await kit.settled();
    kit.http.answer(webhook.url, { status: 500 });
    kit.broker.answer({ kind: "failed", reason: "full" });
    await kit.factories.groups.create();
    await kit.identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id] });
    await kit.identity.sms.send({ mobilePhone: "+49 30 1234567", textMessage: "Hello", tenantId: kit.tenantId });
    const { length } = kit.spans();
    await kit.settled();
    const deliveries = kit
      .spans()
      .slice(length)
      .filter(({ name }) => name.startsWith("deliver"));
    const told = deliveries.map(({ attributes, kind, name }) => [
      name,
      kind,
      attributes["latchkey.delivery.channel"],
      attributes["latchkey.outcome"],
    ]);
    expect(told.sort()).toEqual(
      [
        ["deliver group.create", SpanKind.PRODUCER, "broker", "failed"],
        ["deliver group.create", SpanKind.PRODUCER, "webhook", "failed"],
        ["deliver group.create.complete", SpanKind.PRODUCER, "broker", "failed"],
        ["deliver mail", SpanKind.PRODUCER, "mail", "ok"],
        ["deliver sms", SpanKind.PRODUCER, "sms", "ok"],
      ].sort(),
    );
  });
});

requirement("telemetry.metrics", "requests, runs, deliveries and the outbox are measured", async () => {
  const kit = await start({ lambdas: { runner: testRunner() } });
  await kit.caller.get("/api/group");
  await kit.caller.get("/api/group");
  const { lambda } = await kit.factories.lambdas.create();
  await kit.identity.lambdas.run(lambda.id, { jwt: {}, user: {}, registration: {} });
  await kit.factories.users.create();
  const depth = async (): Promise<unknown> =>
    (await kit.metrics()).find(({ descriptor }) => descriptor.name === "latchkey.outbox.events")?.dataPoints[0]?.value;
  // One record stands for user.create and its twin.
  expect(await depth()).toBe(1);
  await kit.settled();
  expect(await depth()).toBe(0);
  const points = (await kit.metrics()).flatMap(({ dataPoints, descriptor }) =>
    dataPoints.map(({ attributes, value }) => [descriptor.name, attributes, (value as { readonly count?: number }).count]),
  );
  const request = { "http.request.method": "GET", "http.route": "/api/group", "http.response.status_code": 200 };
  expect(points).toContainEqual(["http.server.request.duration", request, 2]);
  const run = { "latchkey.lambda.id": lambda.id, "latchkey.lambda.function": "populate", "latchkey.outcome": "ok" };
  expect(points).toContainEqual(["latchkey.lambda.run.duration", run, 1]);
  const sent = { "latchkey.delivery.channel": "broker", "latchkey.event.type": "user.create", "latchkey.outcome": "ok" };
  expect(points).toContainEqual(["latchkey.delivery.duration", sent, 1]);
});

requirement("telemetry.metrics", "the outbox is observed until the service closes, with any telemetry", async () => {
  let watching = 0;
  const telemetry: Telemetry = {
    follow: (_activity, work) => work(),
    watchOutbox() {
      watching++;
      return () => void watching--;
    },
  };
  const identity = await createIdentityService({ storage: memoryStorage(), telemetry });
  expect(watching).toBe(1);
  await identity.close();
  expect(watching).toBe(0);
});

test("a service with telemetry does all that one without does", async () => {
  const { telemetry } = createTestTelemetry();
  const identity = await createIdentityService({ storage: memoryStorage(), telemetry });
  onTestFinished(() => identity.close());
  await identity.ping();
  await identity.transaction(async (tx) => {
    await tx.groups.create({ group: { name: "Editors" } });
    await expect(tx.groups.create({ group: { name: "editors" } })).rejects.toThrow("already in use");
  });
  expect((await identity.groups.search({ search: { name: "edit" } })).total).toBe(1);
});
