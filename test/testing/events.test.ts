import { verifyWebhook } from "latchkey";
import { createTestIdentity, type TestIdentity } from "latchkey/testing";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";

/** A webhook for new users, whose events are signed. */
async function makeSignedWebhook(kit: TestIdentity): Promise<string> {
  const { key } = await kit.identity.keys.generate({ key: { name: "Events", algorithm: "ES256" } });
  const signatureConfiguration = { enabled: true, signingKeyId: key.id };
  const { webhook } = await kit.factories.webhooks.create({
    webhook: { signatureConfiguration, headers: { "x-token": "t" }, eventsEnabled: { "user.create": true } },
  });
  return webhook.url;
}

requirement("testing.events", "every event is there once it has left, with what its type has", async () => {
  await using kit = await createTestIdentity();
  await kit.identity.groups.create({ group: { name: "Editors" } });
  await kit.factories.users.create({ user: { email: "ana@example.com" } });
  expect(kit.events.sent).toEqual([]);
  await kit.settled();
  expect(kit.events.sent.map(({ type }) => type)).toEqual([
    "group.create",
    "group.create.complete",
    "user.create",
    "user.create.complete",
  ]);
  const [created] = kit.events.ofType("user.create");
  expect(created).toMatchObject({ tenantId: kit.tenantId, createInstant: kit.clock.now() });
  expect(created?.user.email).toBe("ana@example.com");
  expect(kit.events.ofType("kickstart.success")).toEqual([]);
  kit.clear();
  expect(kit.events.sent).toEqual([]);
});

requirement("testing.events", "what the test publishes leaves as well, and so does what is delivered by itself", async () => {
  await using kit = await createTestIdentity();
  await kit.identity.start();
  const { user } = await kit.factories.users.create();
  await kit.identity.events.publish({ type: "user.login.failed", authenticationType: "PASSWORD", user });
  await kit.settled();
  expect(kit.events.ofType("user.login.failed")).toHaveLength(1);
});

requirement("testing.webhooks", "a webhook gets what a receiver can verify", async () => {
  await using kit = await createTestIdentity();
  const url = await makeSignedWebhook(kit);
  await kit.factories.users.create();
  await kit.settled();
  const [delivery, ...others] = kit.events.deliveries;
  expect([delivery?.url, delivery?.headers["x-token"], others]).toEqual([url, "t", []]);
  const keys = { jwks: await kit.identity.keys.jwks(), clock: kit.clock.now };
  const { headers = {}, body = "" } = delivery ?? {};
  expect(await verifyWebhook({ headers, body }, keys)).toEqual(delivery?.event);
  // At the webhook and at the broker it is one event.
  expect(kit.events.ofType("user.create")).toEqual([delivery?.event]);
});

requirement(
  ["testing.webhooks", "testing.clock"],
  "a webhook that fails is tried again when it is due, and not before",
  async () => {
    await using kit = await createTestIdentity();
    const url = await makeSignedWebhook(kit);
    kit.http.answer(url, "timedOut");
    await kit.factories.users.create();
    await kit.settled();
    await kit.clock.advance({ seconds: 4, milliseconds: 999 });
    expect(kit.events.deliveries).toHaveLength(1);
    await kit.clock.advance(1);
    expect(kit.events.deliveries).toHaveLength(2);
    kit.http.answer(url, { status: 503 });
    const before = kit.clock.now();
    await kit.clock.advance({ hours: 1 });
    const { webhookEventLogs } = await kit.identity.webhookEventLogs.search({ search: { eventType: "user.create" } });
    const { webhookEventLog } = await kit.identity.webhookEventLogs.retrieve({
      webhookEventLogId: webhookEventLogs[0]?.id ?? "",
    });
    const attempts = webhookEventLog.attempts?.filter((attempt) => attempt.startInstant > before);
    expect(attempts?.map((attempt) => attempt.startInstant - before)).toEqual([300_000, 2_100_000]);
    kit.http.answer(url, {});
    await kit.clock.set(kit.clock.now() + 86_400_000);
    expect(kit.events.deliveries).toHaveLength(5);
    expect(await kit.identity.settle()).toBeUndefined();
  },
);

requirement("testing.webhooks", "answers are found by method and URL, and may be made of what was sent", async () => {
  await using kit = await createTestIdentity({ delivery: { retryDelaysMilliseconds: [0, 0] } });
  const url = await makeSignedWebhook(kit);
  const asked: string[] = [];
  kit.http.answer("*", { status: 500 });
  kit.http.answer(`POST ${url}`, ({ body = "" }) => {
    asked.push(body);
    return { status: asked.length < 3 ? 500 : 200, body: { ok: true } };
  });
  await kit.factories.users.create();
  await kit.settled();
  expect(new Set(asked)).toEqual(new Set(kit.http.sent.map(({ body }) => body)));
  expect(asked).toHaveLength(3);
});
