import { globalScope, type MailOutcome, type SmsMessage } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { textMessagesTable } from "../../src/operations/outbox/tables.js";
import { expectOk } from "../support/answer.js";
import { Mailbox, makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { expectTexts, startTexting } from "../support/texts.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, type Start, startWorld, TestClock, uuid, type World } from "../support/world.js";

const text = { mobilePhone: "+1 555 0100", textMessage: "Your parcel is here" };
const minute = 60_000;

/** A service of an old version whose provider is this sink. */
async function startWithProvider(start: Start, url: string, options: object = {}): Promise<World> {
  const world = await start({ version: "1.25.0", allowPrivateNetwork: true, ...options });
  const account = { enabled: true, accountSID: "AC1", authToken: "token", fromPhoneNumber: "+1 555 0199" };
  await world.identity.integrations.update({ integrations: { sms: { ...account, url } } });
  await world.identity.start();
  return world;
}

forEachStorage((start) => {
  describe("a text on its way", () => {
    requirement(["sms.outbox", "sms.sealed"], "waits while nobody delivers, sealed, and leaves once somebody does", async () => {
      const box = new Mailbox<SmsMessage>();
      const world = await start({ sendSms: box.send });
      await world.identity.sms.send(text);
      const kept = JSON.stringify(await world.storage.find(globalScope, textMessagesTable, undefined));
      expect(kept).not.toMatch(/parcel|0100/);
      await expectTexts(world, { isSealed: true, result: "Running" });
      expect(box.sent).toEqual([]);
      await world.identity.start();
      expect(await box.holds(1)).toMatchObject([{ text: "Your parcel is here" }]);
      await expectTexts(world, { isSealed: false, result: "Succeeded" });
    });

    requirement("sms.outbox", "commits or rolls back with the transaction that sends it", async () => {
      const { box, world } = await startTexting(start);
      const lost = world.identity.transaction(async (tx) => {
        await tx.sms.send(text);
        throw new Error("The host has changed its mind.");
      });
      await expect(lost).rejects.toThrow("changed its mind");
      await expectTexts(world);
      await world.identity.transaction(async (tx) => {
        const { user } = await tx.users.create({ user: { email: "new@example.com", mobilePhone: "555-0101" } });
        await tx.sms.send({ userId: user.id, textMessage: "Welcome" });
        expect(box.sent).toEqual([]);
      });
      expect(await box.holds(1)).toMatchObject([{ text: "Welcome", to: "555-0101" }]);
    });

    requirement("sms.retry", "is tried again with the same id until it is taken, and not once more", async () => {
      const { box, world } = await startTexting(start);
      box.outcomes.push({ kind: "failed", reason: "busy" }, new TypeError("+1 555 0100 is unknown"));
      const { id } = await world.identity.sms.send(text);
      await expectTexts(world, { result: "Running", reason: "busy", isSealed: true });
      world.clock.advance(6_000);
      await world.identity.start();
      await expectTexts(world, { result: "Running", reason: "TypeError" });
      world.clock.advance(6 * minute);
      await world.identity.start();
      await expectTexts(world, { result: "Succeeded", isSealed: false });
      expect((await box.holds(3)).map((one) => one.id)).toEqual([id, id, id]);
      world.clock.advance(100 * 60 * minute);
      await world.identity.start();
      await world.identity.sms.send(text);
      expect((await box.holds(4)).filter((one) => one.id === id)).toHaveLength(3);
      expect(JSON.stringify(world.log)).not.toContain("0100");
      expect(world.log.map(({ fields, message }) => [message, fields.textMessageId, fields.reason])).toEqual([
        ["a text message could not be sent", id, "busy"],
        ["a text message could not be sent", id, "TypeError"],
      ]);
    });

    requirement("sms.retry", "survives a provider that flaps", async () => {
      let calls = 0;
      const sink = await startSink((_request, response) => {
        calls++;
        if (calls % 3 === 1) response.writeHead(503).end();
        else if (calls % 3 === 2) response.destroy();
        else response.writeHead(201).end();
      });
      const world = await startWithProvider(start, sink.url);
      await world.identity.sms.send(text);
      await expectTexts(world, { result: "Running", reason: "status 503" });
      world.clock.advance(6_000);
      await world.identity.start();
      await expectTexts(world, { result: "Running", reason: "unreachable" });
      world.clock.advance(6 * minute);
      await world.identity.start();
      await expectTexts(world, { result: "Succeeded" });
      expect(calls).toBe(3);
    });

    requirement("sms.given-up", "is in the event log when it is refused, or has failed ten times", async () => {
      const { box, world } = await startTexting(start);
      const { defaultTenantId: tenantId, identity } = world;
      const { user } = await identity.users.create({ user: { email: "ann@example.com", mobilePhone: "555-0101" } }, { tenantId });
      box.outcomes.push({ kind: "refused", reason: "30006" }, ...Array<MailOutcome>(10).fill({ kind: "failed", reason: "down" }));
      const first = await identity.sms.send({ userId: user.id, textMessage: "Hello" });
      await expectTexts(world, { result: "Failed", reason: "30006", isSealed: false });
      const second = await identity.sms.send(text);
      for (let attempt = 1; attempt < 10; attempt++) {
        await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ attempts: attempt, result: "Running" }), 10_000);
        expect((await identity.eventLogs.search()).total).toBe(1);
        world.clock.advance(30 * 60 * minute);
        await identity.start();
      }
      await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ attempts: 10, result: "Failed" }), 10_000);
      const noted = await identity.eventLogs.search({ search: { orderBy: "id" } });
      expect(noted.eventLogs.map(({ message, type }) => [type, message])).toEqual([
        ["Error", `The text message ${first.id} to the user ${user.id} was given up at attempt 1: 30006`],
        ["Error", `The text message ${second.id} was given up at attempt 10: down`],
      ]);
    });

    requirement("sms.given-up", "is given up when the provider says that it is no good", async () => {
      const sink = await startSink((_request, response) => void response.writeHead(400).end('{"message":"no number"}'));
      const world = await startWithProvider(start, sink.url);
      await world.identity.sms.send(text);
      await expectTexts(world, { result: "Failed", reason: "status 400" });
      expect((await world.identity.eventLogs.search()).total).toBe(1);
    });

    requirement("sms.retry", "is tried again where a function answers nothing that could be understood", async () => {
      const answers = ["null", '{"kind":"taken","reason":"of no kind"}'];
      const sendSms = async (): Promise<MailOutcome> => JSON.parse(answers.shift() ?? '{"kind":"ok"}');
      const { world } = await startTexting(start, { sendSms });
      await world.identity.sms.send(text);
      for (const reason of ["TypeError", "of no kind"]) {
        await expectTexts(world, { result: "Running", reason });
        world.clock.advance(6 * minute);
        await world.identity.start();
      }
      await expectTexts(world, { result: "Succeeded" });
    });

    requirement("sms.retry", "waits for a provider that was switched off meanwhile", async () => {
      const sink = await startSink();
      const box = new Mailbox<SmsMessage>();
      const world = await startWithProvider(start, sink.url, { sendSms: undefined });
      await world.identity.transaction(async (tx) => {
        await tx.sms.send(text);
        await tx.integrations.update({ integrations: {} });
      });
      await expectTexts(world, { result: "Running", reason: "notConfigured" });
      expect([sink.received.length, box.sent.length]).toEqual([0, 0]);
    });

    requirement("sms.crash", "leaves from another process when its own does not come back", async () => {
      const { box, world } = await startTexting(start);
      const never = Promise.withResolvers<MailOutcome>();
      box.outcomes.push(never.promise);
      const { id } = await world.identity.sms.send(text);
      await box.holds(1);
      const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
      const second = new Mailbox<SmsMessage>();
      // The clock of the sender that hangs stands still, so that it never leases its own text again.
      const clock = new TestClock();
      const other = await startWorld(storage, { sendSms: second.send, clock: clock.now });
      clock.advance(61_000);
      await other.identity.start();
      await vi.waitFor(() => expect(box.sent.length + second.sent.length).toBe(2), 10_000);
      expect([...box.sent, ...second.sent].map((one) => one.id)).toEqual([id, id]);
      await expectTexts(world, { result: "Succeeded" });
      never.resolve({ kind: "failed", reason: "late" });
      await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ reason: "late" }), 10_000);
      await expectTexts(world, { result: "Succeeded" });
    });

    requirement("sms.hostile", "delays no mail, event or call when nobody takes it", async () => {
      const mails = new Mailbox();
      const { box, world } = await startTexting(start, { allowPrivateNetwork: true, mail: mails.send });
      const never = Promise.withResolvers<MailOutcome>();
      box.outcomes.push(...Array<Promise<MailOutcome>>(20).fill(never.promise));
      const receiver = await startSink();
      const webhook = { url: receiver.url, connectTimeout: 20_000, readTimeout: 20_000, global: true };
      await world.identity.webhooks.create({ webhook: { ...webhook, eventsEnabled: { "user.create": true } } });
      const emailTemplateId = await makeTemplate(world);
      for (let count = 0; count < 20; count++) await world.identity.sms.send(text);
      await box.holds(8);
      await world.identity.emailTemplates.send({ emailTemplateId, toAddresses: [{ address: "ann@example.com" }] });
      expectOk(await world.caller.post(`/api/user/${uuid(1)}`, { user: { email: "bo@example.com" } }));
      await mails.holds(1);
      await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
      await expectTexts(world, ...Array<object>(20).fill({ result: "Running", isSealed: true }));
      never.resolve({ kind: "ok" });
      await box.holds(20);
    });
  });
});
