import { createTestIdentity } from "latchkey/testing";
import { describe, expect, test } from "vitest";
import { testRunner } from "../support/lambda-runner.js";
import { requirement } from "../support/requirement.js";

describe("a service for a test", () => {
  requirement("testing.seed", "is the same in each run with a seed, and another one without", async () => {
    const run = async (seed?: string): Promise<unknown> => {
      await using kit = await createTestIdentity({ seed });
      const { apiKey } = await kit.identity.apiKeys.create({ apiKey: { name: "Any" } });
      const { user } = await kit.factories.users.create();
      await kit.settled();
      return [apiKey, user, kit.tenantId, kit.events.sent.map(({ id }) => id)];
    };
    expect(await run("a")).toEqual(await run("a"));
    expect(await run("a")).not.toEqual(await run("b"));
    expect(await run()).not.toEqual(await run());
  });

  requirement("testing.clock", "begins when the test says, and lets time pass by its parts", async () => {
    await using kit = await createTestIdentity({ now: new Date("2031-02-03T00:00:00Z") });
    expect(kit.clock.now()).toBe(Date.UTC(2031, 1, 3));
    await kit.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 });
    expect(kit.clock.now()).toBe(Date.UTC(2031, 1, 4, 2, 3, 4, 5));
    await kit.clock.set(new Date("2031-01-01T00:00:00Z"));
    expect(kit.clock.now()).toBe(Date.UTC(2031, 0, 1));
    await expect(kit.clock.set(Number.NaN)).rejects.toThrow("instant");
  });

  requirement("testing.clock", "lets keys expire", async () => {
    await using kit = await createTestIdentity();
    const expirationInstant = kit.clock.now() + 3_600_000;
    const { apiKey } = await kit.identity.apiKeys.create({ apiKey: { key: "a-key-that-expires-0123456789", expirationInstant } });
    expect(await kit.identity.findPrincipal(apiKey.key ?? "")).toMatchObject({ kind: "apiKey", keyId: apiKey.id });
    await kit.clock.advance({ hours: 1 });
    expect(await kit.identity.findPrincipal("a-key-that-expires-0123456789")).toBeUndefined();
  });

  requirement("testing.outgoing", "keeps mails and text messages, and answers them as the test says", async () => {
    await using kit = await createTestIdentity();
    const { user } = await kit.factories.users.create();
    const { emailTemplate } = await kit.factories.emailTemplates.create();
    kit.mails.answer(({ subject }) => ({ kind: "failed", reason: subject }));
    await kit.identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, userIds: [user.id] });
    await kit.identity.sms.send({ mobilePhone: "+49 30 1234567", textMessage: "Hello", tenantId: kit.tenantId });
    await kit.settled();
    expect(kit.mails.sent).toMatchObject([{ subject: "Subject 1", to: { address: "user1@factory.example" } }]);
    expect(kit.texts.sent).toMatchObject([{ text: "Hello" }]);
    kit.mails.answer({ kind: "ok" });
    await kit.clock.advance({ seconds: 5 });
    expect(kit.mails.sent).toHaveLength(2);
    kit.clear();
    expect([kit.mails.sent, kit.texts.sent]).toEqual([[], []]);
  });

  requirement("testing.outgoing", "moderates usernames as the test decides", async () => {
    await using kit = await createTestIdentity({ moderation: { action: "replace", replacement: "Nice" } });
    const { user } = await kit.identity.users.create({ user: { username: "rude" } });
    expect([user.username, kit.moderation.sent[0]?.username]).toEqual(["Nice", "rude"]);
    kit.moderation.answer({ action: "reject" });
    await expect(kit.identity.users.create({ user: { username: "worse" } })).rejects.toThrow();
    await using plain = await createTestIdentity();
    expect((await plain.identity.users.create({ user: { username: "rude" } })).user.username).toBe("rude");
    expect(plain.moderation.sent).toEqual([]);
  });

  requirement("testing.callers", "is called with keys of any rights, without a socket", async () => {
    await using kit = await createTestIdentity();
    const { tenant } = await kit.factories.tenants.create();
    const { group } = await kit.factories.groups.create({}, { tenantId: tenant.id });
    const reader = await kit.as({ tenantId: tenant.id, endpoints: { "/api/group": ["GET"] } });
    expect(await reader.get(`/api/group/${group.id}`)).toMatchObject({ status: 200, body: { group } });
    expect((await reader.post("/api/group", { group: { name: "Other" } })).status).toBe(401);
    expect((await reader.delete(`/api/group/${group.id}`)).status).toBe(401);
    const stranger = await kit.as({ tenantId: kit.tenantId });
    expect(await stranger.get(`/api/group/${group.id}`)).toMatchObject({ status: 404, text: "", body: undefined });
    const put = await kit.caller.put(`/api/group/${group.id}`, { group: { name: "Put" } });
    const patched = await kit.caller.patch(`/api/group/${group.id}`, { group: { data: { a: 1 } } });
    expect([put.status, patched.body]).toMatchObject([200, { group: { name: "Put", data: { a: 1 } } }]);
    expect((await kit.caller.send({ url: "/api/group", headers: { authorization: reader.apiKey } })).status).toBe(200);
    expect((await kit.as({ keyManager: true })).apiKey).not.toBe(reader.apiKey);
  });

  requirement("testing.lambdas", "runs lambdas on the runner of the options, in the service and in a harness", async () => {
    await using kit = await createTestIdentity({ lambdas: { runner: testRunner() } });
    const body = "function populate(jwt) { jwt.color = 'green'; }";
    const { lambda } = await kit.factories.lambdas.create({ lambda: { body } });
    const { jwt } = await kit.identity.lambdas.run(lambda.id, { jwt: {}, user: {}, registration: {} });
    expect(jwt).toMatchObject({ color: "green" });
    await (await kit.lambdaHarness()).close();
    await using harness = await kit.lambdaHarness();
    expect((await harness.load({ type: "JWTPopulate", body }).run()).outcome.kind).toBe("ok");
  });

  requirement("testing.options", "is of any version, plan, names and kickstart", async () => {
    const kickstart = { requests: [{ method: "POST" as const, url: "/api/group", body: { group: { name: "Started" } } }] };
    await using kit = await createTestIdentity({
      version: "1.25.0",
      plan: "community",
      names: { broker: "queue", service: "Acme" },
      kickstart: { apiKeys: [{ key: "a-key-of-the-kickstart-0123456" }], ...kickstart },
    });
    expect((await kit.identity.groups.list()).groups.map(({ name }) => name)).toEqual(["Started"]);
    await kit.settled();
    kit.clear();
    await kit.factories.users.create();
    await kit.settled();
    expect(kit.events.ofType("user.create")).toHaveLength(1);
  });

  test("closes with its block", async () => {
    const kept = await (async () => {
      await using kit = await createTestIdentity();
      return kit;
    })();
    await expect(kept.identity.groups.list()).rejects.toThrow();
  });
});

describe("a factory", () => {
  requirement("testing.factories", "keeps what the changes say, and makes only what they do not name", async () => {
    await using kit = await createTestIdentity();
    const { application } = await kit.factories.applications.create({ application: { name: "Shop" } });
    const { registration } = await kit.factories.registrations.create({
      registration: { applicationId: application.id, data: { floor: 1 } },
    });
    expect(registration).toMatchObject({ applicationId: application.id, data: { floor: 1 } });
    expect((await kit.identity.applications.list()).applications).toHaveLength(1);
    const { user } = await kit.factories.registrations.create({
      registration: { applicationId: application.id },
      user: { email: "new@example.com" },
    });
    expect(user?.email).toBe("new@example.com");
    const { entity } = await kit.factories.entities.create();
    await kit.factories.entityGrants.create({ grant: { recipientEntityId: entity.id } });
    const { grants } = await kit.identity.entityGrants.search({ search: {} });
    expect(grants).toMatchObject([{ recipientEntityId: entity.id }]);
    expect(await kit.factories.groupMembers.build({ members: { a: [] } })).toEqual({ members: { a: [] } });
  });

  requirement("testing.factories", "makes what belongs to a tenant in the tenant that the call says", async () => {
    await using kit = await createTestIdentity();
    const { tenant } = await kit.factories.tenants.create();
    const { registration } = await kit.factories.registrations.create({}, { tenantId: tenant.id });
    const { application } = await kit.identity.applications.retrieve({ applicationId: registration.applicationId });
    expect(application.tenantId).toBe(tenant.id);
    const { group } = await kit.factories.groups.create();
    expect(group.tenantId).toBe(kit.tenantId);
  });
});
