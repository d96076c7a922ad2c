import { globalScope, type MailOutcome, type Storage } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { mailsTable } from "../../src/operations/outbox/tables.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { keptMails, Mailbox, makeTemplate, startMailing } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, makeTenant, startWorld, TestClock, uuid, type World } from "../support/world.js";

const path = `/api/email/send/${uuid(800)}`;
const body = { toAddresses: [{ address: "ana@example.com" }] };
const minute = 60_000;

async function expectKept(world: World, ...expected: readonly object[]): Promise<void> {
  await vi.waitFor(
    async () => expect(await keptMails(world)).toEqual(expected.map((one) => expect.objectContaining(one))),
    10_000,
  );
}

forEachStorage((start) => {
  describe("a mail on its way", () => {
    requirement("email.send-outbox", "waits while nobody delivers, sealed, and leaves once somebody does", async () => {
      const box = new Mailbox();
      const world = await start({ mail: box.send });
      await makeTemplate(world, { defaultTextTemplate: "Your code is ${requestData.code}" });
      await world.caller.post(path, { ...body, requestData: { code: "the secret code" } });
      const kept = JSON.stringify(await world.storage.find(globalScope, mailsTable, undefined));
      expect(kept).not.toMatch(/secret code|ana@example|service@example|Welcome/);
      expect(await keptMails(world)).toMatchObject([{ emailTemplateId: uuid(800), isSealed: true, result: "Running" }]);
      expect(box.sent).toEqual([]);
      await world.identity.start();
      expect(await box.holds(1)).toMatchObject([{ text: "Your code is the secret code" }]);
      await expectKept(world, { result: "Succeeded", isSealed: false });
    });

    requirement("email.send-tenant", "is not kept for a tenant that was removed while the mails were made", async () => {
      const box = new Mailbox();
      const { storage } = await start();
      let remove: (() => Promise<unknown>) | undefined;
      const watched: Storage = {
        ...watchStorage(storage, {}),
        transaction: async (work, options) => {
          const now = remove;
          remove = undefined;
          await now?.();
          return storage.transaction(work, options);
        },
      };
      const world = await startWorld(watched, { mail: box.send });
      await makeTemplate(world);
      const tenantId = await makeTenant(world, "Short");
      remove = async () => expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
      expectRefusal(await world.caller.inTenant(tenantId).post(path, body), 400, "[invalid]tenantId");
      expect(await keptMails(world)).toEqual([]);
    });

    requirement("email.send-outbox", "commits or rolls back with the transaction that sends it", async () => {
      const { box, world } = await startMailing(start);
      const emailTemplateId = await makeTemplate(world);
      const lost = world.identity.transaction(async (tx) => {
        await tx.emailTemplates.send({ emailTemplateId, ...body });
        throw new Error("The host has changed its mind.");
      });
      await expect(lost).rejects.toThrow("changed its mind");
      expect((await world.caller.post(`${path}?dryRun=true`, body)).status).toBe(202);
      expect(await keptMails(world)).toEqual([]);
      await world.identity.transaction(async (tx) => {
        const { user } = await tx.users.create({ user: { email: "new@example.com" } });
        expect(await tx.emailTemplates.send({ emailTemplateId, userIds: [user.id] })).toEqual({
          anonymousResults: {},
          results: {},
        });
        expect(box.sent).toEqual([]);
      });
      expect(await box.holds(1)).toMatchObject([{ to: { address: "new@example.com" } }]);
    });

    requirement("email.send-outbox", "is tried again when it failed, with the same id", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world);
      box.outcomes.push({ kind: "failed", reason: "busy" }, new TypeError("ana@example.com is unknown"));
      await world.caller.post(path, body);
      await expectKept(world, { result: "Running", reason: "busy", isSealed: true });
      world.clock.advance(6_000);
      await world.identity.start();
      await box.holds(2);
      await expectKept(world, { result: "Running", reason: "TypeError" });
      world.clock.advance(6 * minute);
      await world.identity.start();
      const ids = (await box.holds(3)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(1);
      await expectKept(world, { result: "Succeeded", isSealed: false });
      expect(JSON.stringify(world.log)).not.toContain("ana@example.com");
      expect(world.log.map(({ fields, message }) => [message, fields.reason, fields.attempts])).toEqual([
        ["a mail could not be sent", "busy", 1],
        ["a mail could not be sent", "TypeError", 2],
      ]);
    });

    requirement("email.send-outbox", "is given up when it is refused, or has failed ten times", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world);
      box.outcomes.push({ kind: "refused", reason: "550" });
      await world.caller.post(path, body);
      await expectKept(world, { result: "Failed", reason: "550", isSealed: false });
      box.outcomes.push(...Array<MailOutcome>(10).fill({ kind: "failed", reason: "down" }));
      await world.caller.post(path, body);
      for (let attempt = 1; attempt < 10; attempt++) {
        await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ attempts: attempt, result: "Running" }), 10_000);
        world.clock.advance(30 * 60 * minute);
        await world.identity.start();
      }
      await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ attempts: 10, result: "Failed" }), 10_000);
      expect(box.sent).toHaveLength(11);
      expect((await keptMails(world)).map(({ result }) => result)).toEqual(["Failed", "Failed"]);
    });

    requirement("email.send-outbox", "is sent again under the same id when its sender dies", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world);
      const never = Promise.withResolvers<MailOutcome>();
      box.outcomes.push(never.promise);
      await world.caller.post(path, body);
      await box.holds(1);
      const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
      const second = new Mailbox();
      // The clock of the sender that hangs stands still, so that it never leases its own mail again.
      const clock = new TestClock();
      const other = await startWorld(storage, { mail: second.send, clock: clock.now });
      clock.advance(59_000);
      await other.identity.start();
      await other.caller.post(path, { toAddresses: [{ address: "bo@example.com" }] });
      await vi.waitFor(() => expect(box.sent.length + second.sent.length).toBe(2), 10_000);
      clock.advance(2_000);
      await other.identity.start();
      await vi.waitFor(() => expect(box.sent.length + second.sent.length).toBe(3), 10_000);
      const toAna = [...box.sent, ...second.sent].filter(({ to }) => to.address === "ana@example.com");
      expect(toAna).toEqual([box.sent[0], box.sent[0]]);
      await expectKept(world, { result: "Succeeded" }, { result: "Succeeded" });
      never.resolve({ kind: "failed", reason: "late" });
      await vi.waitFor(() => expect(world.log.at(-1)?.fields).toMatchObject({ reason: "late" }), 10_000);
      await expectKept(world, { result: "Succeeded" }, { result: "Succeeded" });
    });

    requirement("email.send-outbox", "delays no other mail, and several leave at a time", async () => {
      const { box, world } = await startMailing(start);
      await makeTemplate(world);
      const never = Promise.withResolvers<MailOutcome>();
      box.outcomes.push(...Array<Promise<MailOutcome>>(7).fill(never.promise));
      const toAddresses = Array.from({ length: 40 }, (_one, index) => ({ address: `number${index}@example.com` }));
      await world.caller.post(path, { toAddresses });
      await box.holds(40);
      never.resolve({ kind: "ok" });
      await vi.waitFor(async () => {
        expect((await keptMails(world)).filter(({ result }) => result === "Succeeded")).toHaveLength(40);
      }, 10_000);
    });

    requirement("email.send-outbox", "goes with its tenant", async () => {
      const box = new Mailbox();
      const world = await start({ mail: box.send });
      await makeTemplate(world);
      const tenantId = await makeTenant(world, "Other");
      await world.caller.inTenant(tenantId).post(path, body);
      expect(await keptMails(world)).toHaveLength(1);
      expectOk(await world.caller.delete(`/api/tenant/${tenantId}`));
      expect(await keptMails(world)).toEqual([]);
    });
  });
});
