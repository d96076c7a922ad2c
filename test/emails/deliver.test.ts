import { memoryStorage } from "latchkey/memory";
import { globalScope, type MailOutcome } from "latchkey/ports";
import { afterEach, describe, expect, test, vi } from "vitest";
import { mailsTable } from "../../src/operations/outbox/tables.js";
import { keptMails, Mailbox, makeTemplate, startMailing } from "../support/mails.js";
import { watchStorage } from "../support/watched-storage.js";
import { startWorld, testSecret, uuid, type World } from "../support/world.js";

const send = (world: World, count = 1): Promise<unknown> =>
  world.identity.emailTemplates.send({
    emailTemplateId: uuid(800),
    toAddresses: Array.from({ length: count }, (_one, index) => ({ address: `number${index}@example.com` })),
  });

const newSecret = "another secret of the tests, long enough";
const start: Parameters<typeof startMailing>[0] = (options) => startWorld(memoryStorage(), options);

describe("the deliverer of mails", () => {
  afterEach(() => void vi.useRealTimers());

  test("gives a transport thirty seconds for a mail", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const { box, world } = await startMailing(start);
    await makeTemplate(world);
    box.outcomes.push(new Promise(() => undefined));
    await send(world);
    await box.holds(1);
    const reasons = async (): Promise<unknown> => (await keptMails(world)).map(({ reason }) => reason);
    await vi.advanceTimersByTimeAsync(28_000);
    expect(await reasons()).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await reasons()).toEqual(["timedOut"]);
    expect(world.log.at(-1)?.fields).toMatchObject({ reason: "timedOut", attempts: 1, result: "Running" });
  });

  test("hands over eight mails at a time, and no more", async () => {
    let running = 0;
    let most = 0;
    const mail = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return { kind: "ok" } as const;
    };
    const world = await start({ mail });
    await makeTemplate(world);
    await world.identity.start();
    await send(world, 100);
    const done = async (): Promise<number> => (await keptMails(world)).filter(({ result }) => result === "Succeeded").length;
    await vi.waitFor(async () => expect(await done()).toBe(100), 10_000);
    expect(most).toBe(8);
  });

  test("sends the oldest first", async () => {
    const { box, world } = await startMailing(start);
    await makeTemplate(world, { defaultSubject: "${requestData.number}" });
    await world.identity.transaction(async (tx) => {
      for (let number = 0; number < 20; number++) {
        world.clock.advance(1);
        const toAddresses = [{ address: "a@example.com" }];
        await tx.emailTemplates.send({ emailTemplateId: uuid(800), toAddresses, requestData: { number } });
      }
    });
    const sent = await box.holds(20);
    expect(sent.map(({ subject }) => subject)).toEqual(Array.from({ length: 20 }, (_one, number) => String(number)));
  });

  test("gives back at its end what it has claimed and not begun", async () => {
    const [first, second] = [new Mailbox(), new Mailbox()];
    const world = await start({ mail: second.send });
    await makeTemplate(world);
    await send(world, 20);
    const never = Promise.withResolvers<MailOutcome>();
    first.outcomes.push(...Array<Promise<MailOutcome>>(20).fill(never.promise));
    const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
    const other = await startWorld(storage, { mail: first.send, clock: world.clock.now });
    await other.identity.start();
    await first.holds(8);
    const closing = other.identity.close();
    never.resolve({ kind: "ok" });
    await closing;
    expect(first.sent).toHaveLength(8);
    await world.identity.start();
    await second.holds(12);
    expect(new Set([...first.sent, ...second.sent].map(({ to }) => to.address)).size).toBe(20);
  });

  test("opens what was sealed before the secret changed", async () => {
    const world = await start({ mail: async () => ({ kind: "failed", reason: "not this one" }) });
    await makeTemplate(world);
    await send(world);
    const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
    const box = new Mailbox();
    const other = await startWorld(storage, { mail: box.send, secret: [newSecret, testSecret], clock: world.clock.now });
    await other.identity.start();
    expect(await box.holds(1)).toMatchObject([{ subject: "Welcome", to: { address: "number0@example.com" } }]);
  });

  test("goes on with others where one cannot be opened", async () => {
    const { box, world } = await startMailing(start);
    await makeTemplate(world);
    await world.identity.transaction(async (tx) => {
      await tx.emailTemplates.send({ emailTemplateId: uuid(800), toAddresses: [{ address: "a@example.com" }] });
    });
    await box.holds(1);
    await world.storage.transaction(async (tx) => {
      const [kept] = await tx.find(globalScope, mailsTable, undefined);
      if (kept === undefined) throw new Error("There is no mail.");
      const now = world.clock.instant;
      const state = { receiverId: "mail", attempts: 0, result: "Running", dueInstant: now };
      const json = kept.json.replace(kept.id, uuid(1));
      const spoiled = { ...kept, id: uuid(1), json, version: 1, hidden: JSON.stringify({ sealed: "v1.x.y.z", state }) };
      const columns = { claimedUntil: 0, dueInstant: now };
      await tx.insert(globalScope, mailsTable, [{ ...spoiled, insertInstant: now, lastUpdateInstant: now, columns }]);
    });
    await send(world);
    await box.holds(2);
    await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ reason: "Error", result: "Running" }), 10_000);
  });
});
