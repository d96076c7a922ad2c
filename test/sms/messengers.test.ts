import type { SendOutcome } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { enableBroker, makeTestBroker } from "../support/broker.js";
import { eventually } from "../support/eventually.js";
import { Mailbox } from "../support/mails.js";
import { makeMessageTemplate, makeMessenger, patchTenant } from "../support/messengers.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { expectTexts } from "../support/texts.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

const text = { mobilePhone: "+1 555 0100", textMessage: "Your parcel is here" };

/** A service whose default tenant has a generic messenger at this address. */
async function startSending(start: Start, url: string, fields: object = {}, options: object = {}): Promise<World> {
  const world = await start({ allowPrivateNetwork: true, ...options });
  await patchTenant(world, { phoneConfiguration: { messengerId: await makeMessenger(world, url, fields) } });
  await world.identity.start();
  return world;
}

forEachStorage((start) => {
  describe("a text by a messenger", () => {
    requirement("messenger.generic", "is JSON for the host's address, with headers and credentials", async () => {
      const sink = await startSink();
      const credentials = { httpAuthenticationUsername: "ada", httpAuthenticationPassword: "secret" };
      const world = await startSending(start, `${sink.url}/texts`, { ...credentials, headers: { "X-Key": "k" } });
      const { user } = await world.identity.users.create({ user: { email: "a@example.com", mobilePhone: "+1 555 0101" } });
      const { id } = await world.identity.sms.send({ userId: user.id, textMessage: "Hello" });
      await vi.waitFor(() => expect(sink.received).toHaveLength(1), 10_000);
      const [request] = sink.received;
      expect(request).toMatchObject({ method: "POST", url: "/texts" });
      expect(request?.headers).toMatchObject({
        authorization: `Basic ${Buffer.from("ada:secret").toString("base64")}`,
        "content-type": "application/json; charset=utf-8",
        "idempotency-key": id,
        "x-key": "k",
      });
      expect(JSON.parse(request?.body ?? "")).toEqual({
        phoneNumber: "+1 555 0101",
        textMessage: "Hello",
        type: "SMS",
        userId: user.id,
      });
      await expectTexts(world, { result: "Succeeded", isSealed: false });
    });

    requirement("messenger.generic", "leaves by the messenger of second factors where the tenant names no other", async () => {
      const sink = await startSink();
      const world = await start({ allowPrivateNetwork: true, version: "1.30.0" });
      const sms = {
        enabled: true,
        messengerId: await makeMessenger(world, sink.url),
        templateId: await makeMessageTemplate(world),
      };
      await patchTenant(world, { multiFactorConfiguration: { sms } });
      await world.identity.sms.send({ ...text, wait: true });
      expect(sink.received).toHaveLength(1);
    });

    requirement("messenger.provider", "is a form for the provider", async () => {
      const sink = await startSink();
      const account = { type: "sms", accountSID: "AC1", authToken: "token", fromPhoneNumber: "+1 555 0199" };
      const world = await startSending(start, sink.url, account);
      await world.identity.sms.send({ ...text, wait: true });
      expect(sink.received).toMatchObject([
        {
          url: "/2010-04-01/Accounts/AC1/Messages.json",
          body: "To=%2B1+555+0100&Body=Your+parcel+is+here&From=%2B1+555+0199",
        },
      ]);
    });

    requirement("messenger.broker", "is published to the topic of a broker, and waits while there is none", async () => {
      const answers: SendOutcome[] = [{ kind: "failed", reason: "no leader" }];
      const { closed, factory, made, messages } = makeTestBroker(async () => answers.shift() ?? { kind: "ok" });
      const settings = { type: "broker", defaultTopic: "texts", producer: { "client.id": "texts" } };
      const world = await startSending(start, "", { ...settings, url: undefined }, { broker: factory });
      const { user } = await world.identity.users.create({ user: { email: "a@example.com", mobilePhone: "+1 555 0101" } });
      const { id } = await world.identity.sms.send({ userId: user.id, textMessage: "Hello" });
      await expectTexts(world, { result: "Running", reason: "no leader", isSealed: true });
      world.clock.advance(6_000);
      await world.identity.start();
      await expectTexts(world, { result: "Succeeded", isSealed: false });
      const text = { phoneNumber: "+1 555 0101", textMessage: "Hello", type: "SMS", userId: user.id };
      const sent = messages.filter(({ topic }) => topic === "texts");
      expect(sent).toHaveLength(2);
      for (const { headers, key, value, ...message } of sent) {
        expect([message.id, key, JSON.parse(value)]).toEqual([id, user.id, text]);
        expect(headers).toEqual({ "message-id": id, "message-type": "SMS", "tenant-id": world.defaultTenantId });
      }
      // Events have a connection of their own, and a new topic makes a new one.
      await enableBroker(world);
      await world.identity.users.remove({ userId: user.id });
      await eventually(() => expect(made.map(({ defaultTopic }) => defaultTopic).sort()).toEqual(["identity.events", "texts"]));
      const moved = { messenger: { defaultTopic: "moved" } };
      expectOk(await world.caller.patch(`/api/messenger/${uuid(820)}`, moved));
      await world.identity.sms.send({ mobilePhone: "+1 555 0100", textMessage: "Moved", wait: true });
      expect(closed.map(({ defaultTopic }) => defaultTopic)).toEqual(["texts"]);
      await world.identity.close();
      expect(closed.map(({ defaultTopic }) => defaultTopic).sort()).toEqual(["identity.events", "moved", "texts"]);
    });

    requirement(
      "messenger.broker",
      "is refused where the host has no broker, and where it knows that none is named",
      async () => {
        const messenger = { name: "Queue", type: "broker", defaultTopic: "texts", producer: { "client.id": "texts" } };
        const findError = (): string => "Name the servers.";
        const { factory } = makeTestBroker();
        const strict = await start({ broker: Object.assign(factory, { findError }) });
        expectRefusal(await strict.caller.post("/api/messenger", { messenger }), 400, "[invalid]messenger.producer");
        const world = await start();
        const messengerId = expectOk(await world.caller.post("/api/messenger", { messenger })).textAt("messenger.id");
        await patchTenant(world, { phoneConfiguration: { messengerId } });
        const { mobilePhone, textMessage } = text;
        await expect(world.identity.sms.send({ mobilePhone, textMessage, wait: true })).rejects.toMatchObject({ status: 503 });
      },
    );

    requirement("messenger.retry", "is retried with the same id until it is taken, and not once it is refused", async () => {
      const statuses = [503, 200, 400];
      const sink = await startSink((_request, response) => void response.writeHead(statuses.shift() ?? 500).end());
      const world = await startSending(start, sink.url);
      await world.identity.sms.send(text);
      await expectTexts(world, { result: "Running", reason: "status 503", isSealed: true });
      world.clock.advance(6_000);
      await world.identity.start();
      await expectTexts(world, { result: "Succeeded", isSealed: false });
      const ids = sink.received.map(({ headers }) => headers["idempotency-key"]);
      expect(new Set(ids).size).toBe(1);
      await world.identity.sms.send(text);
      await vi.waitFor(() => expect(sink.received).toHaveLength(3), 10_000);
      await vi.waitFor(async () => {
        const { eventLogs } = await world.identity.eventLogs.search({});
        expect(eventLogs).toMatchObject([{ type: "Error", message: expect.stringContaining("was given up at attempt 1") }]);
        expect(JSON.stringify(eventLogs)).not.toMatch(/0100|parcel/);
      }, 10_000);
    });

    requirement("messenger.guard", "does not leave for a private address", async () => {
      const sink = await startSink();
      const world = await startSending(start, sink.url, {}, { allowPrivateNetwork: false });
      await world.identity.sms.send(text);
      await expectTexts(world, { result: "Running", reason: "forbiddenAddress" });
      expect(sink.received).toEqual([]);
    });

    requirement("messenger.debug", "is in the event log where the messenger says debug", async () => {
      const sink = await startSink();
      const world = await startSending(start, sink.url, { debug: true });
      await world.identity.sms.send({ ...text, wait: true });
      const { eventLogs } = await world.identity.eventLogs.search({});
      expect(eventLogs).toMatchObject([
        { type: "Debug", message: expect.stringMatching(/^The messenger Ours .* It was taken\.$/) },
      ]);
      expect(JSON.stringify(eventLogs)).not.toMatch(/0100|parcel/);
    });

    requirement("messenger.host", "is the host's where the host sends texts", async () => {
      const sink = await startSink();
      const box = new Mailbox<object>();
      const world = await startSending(start, sink.url, {}, { sendSms: box.send });
      await world.identity.sms.send(text);
      expect(await box.holds(1)).toMatchObject([{ text: "Your parcel is here", messengerId: expect.any(String) }]);
      expect(sink.received).toEqual([]);
    });

    requirement("sms.not-configured", "needs a messenger", async () => {
      const world = await start();
      const error = await world.identity.sms.send(text).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        status: 400,
        fieldErrors: { "integrations.sms": [{ code: "[notConfigured]integrations.sms" }] },
      });
      expectOk(await world.caller.get("/api/messenger"));
    });
  });
});
