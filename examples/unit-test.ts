/** The service in unit tests: in memory, on a clock that the test moves, cut off from the world. Run it: `node --test examples/unit-test.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IdentityError } from "latchkey";
import { createTestIdentity } from "latchkey/testing";

test("a renamed team keeps its birthday", async () => {
  await using kit = await createTestIdentity({ now: Date.UTC(2030, 0, 1) });
  const { group } = await kit.factories.groups.create();
  await kit.clock.advance({ minutes: 1 });
  const renamed = await kit.identity.groups.patch({ groupId: group.id, patch: { group: { name: "Writers" } } });
  assert.equal(renamed.group.insertInstant, Date.UTC(2030, 0, 1));
  assert.equal(renamed.group.lastUpdateInstant, Date.UTC(2030, 0, 1, 0, 1));
});

test("whoever signs up is told of, also where the webhook fails at first", async () => {
  await using kit = await createTestIdentity();
  const { webhook } = await kit.factories.webhooks.create({ webhook: { eventsEnabled: { "user.create": true } } });
  kit.http.answer(webhook.url, { status: 503 });
  await kit.factories.users.create({ user: { email: "ana@example.com" } });
  await kit.settled();
  assert.equal(kit.events.ofType("user.create")[0]?.user.email, "ana@example.com");
  kit.http.answer(webhook.url, { status: 200 });
  await kit.clock.advance({ seconds: 5 });
  assert.equal(kit.events.deliveries.length, 2);
});

test("a mail says what it should", async () => {
  await using kit = await createTestIdentity();
  const { user } = await kit.factories.users.create({ user: { firstName: "Ana" } });
  const { emailTemplate } = await kit.factories.emailTemplates.create({
    emailTemplate: { defaultSubject: "Hello ${user.firstName}" },
  });
  await kit.identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id] });
  await kit.settled();
  assert.deepEqual(
    kit.mails.sent.map(({ subject, to }) => [subject, to.address]),
    [["Hello Ana", user.email]],
  );
});

test("the client of another tenant sees nothing, without a socket", async () => {
  await using kit = await createTestIdentity();
  const { tenant } = await kit.factories.tenants.create();
  const { group } = await kit.factories.groups.create();
  const stranger = await kit.as({ tenantId: tenant.id, endpoints: { "/api/group": ["GET"] } });
  assert.equal((await stranger.get(`/api/group/${group.id}`)).status, 404);
  assert.equal((await stranger.post("/api/group", { group: { name: "Any" } })).status, 401);
});

test("a refusal says which field it is about", async () => {
  await using kit = await createTestIdentity();
  await assert.rejects(kit.factories.groups.create({ group: { name: "" } }), (error: unknown) => {
    assert.ok(error instanceof IdentityError);
    return Object.keys(error.fieldErrors).includes("group.name");
  });
});
