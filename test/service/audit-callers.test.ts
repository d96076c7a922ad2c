import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import type { AuditLog } from "latchkey/types";
import { describe, expect } from "vitest";
import { valueAt } from "../../src/shared/objects.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { auditing, entriesOf, readEntries } from "../support/audit-entries.js";
import { makeApplication, makeUser } from "../support/families.js";
import { anybody, arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { action, startModerated } from "../support/moderation.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { secret, startTwoFactor, stepMs } from "../support/two-factor.js";
import { watchStorage } from "../support/watched-storage.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, startWorld, uuid } from "../support/world.js";

const messages = (entries: readonly AuditLog[]): string[] => entries.map(({ message }) => message);

forEachStorage((startPlain) => {
  const start = auditing(startPlain);

  describe("a user", () => {
    requirement("audit.changes", "is recorded when deactivated, reactivated and registered", async () => {
      const world = await start();
      const applicationId = await makeApplication(world, world.defaultTenantId, "Blog");
      const path = `/api/user/${uuid(5)}`;
      const told = await entriesOf(world, async () => {
        const registration = { applicationId, id: uuid(6) };
        const body = { registration, user: { email: "ann@example.com" } };
        expectOk(await world.caller.post(`/api/user/registration/${uuid(5)}`, body));
        expectEmpty(await world.caller.delete(path), 200);
        expectOk(await world.caller.put(`${path}?reactivate=true`));
        expectEmpty(await world.caller.delete(`/api/application/${applicationId}`), 200);
      });
      expect(messages(told).map((text) => text.replace(/[\w-]{36}$/, ""))).toEqual([
        "Created the user ",
        "Created the registration ",
        "Changed the user ",
        "Changed the user ",
        "Changed the application ",
      ]);
      const flags = told
        .slice(2)
        .map(({ oldValue, newValue }) => [oldValue, newValue].map((value) => (value as { active: boolean }).active));
      expect(flags).toEqual([
        [true, false],
        [false, true],
        [true, false],
      ]);
    });

    requirement("audit.logins", "logs in, stays in and logs out without an entry", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { passwordChangeRequired: false } });
      const told = await entriesOf(world, async () => {
        const { refreshToken, token } = await logIn(world);
        expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken, token }));
        expect((await world.caller.post("/api/login", loginBody({ password: "wrong" }))).status).toBe(404);
        expectOk(await world.caller.post("/api/logout", { refreshToken }));
      });
      expect(told).toEqual([]);
    });

    requirement(["audit.changes", "audit.logins"], "takes a new password, which nobody is named for", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { passwordChangeRequired: true } });
      const asked = await world.caller.post("/api/login", loginBody());
      const path = `/api/user/change-password/${asked.textAt("changePasswordId")}`;
      const password = "another long password";
      const told = await entriesOf(world, async () => expectOk(await anybody(world).post(path, { password })));
      expect(told).toMatchObject([{ message: `Changed the user ${ids.user}`, insertUser: "anonymous" }]);
      expect(told[0]).toMatchObject({ oldValue: { passwordChangeRequired: true }, newValue: { passwordChangeRequired: false } });
    });

    requirement(["audit.changes", "audit.logins"], "gets and loses a second factor, and uses it without an entry", async () => {
      const world = await startTwoFactor(start, "1.65.0");
      const changed = `Changed the user ${world.userId}`;
      const method = { code: world.codeOf(secret), method: "authenticator", secret };
      const added = await entriesOf(world, async () => expectOk(await world.caller.post(world.path, method)));
      expect(messages(added)).toEqual([changed]);
      expect(added[0]?.newValue).toHaveProperty("twoFactor.methods");
      expect(JSON.stringify(added)).not.toContain(secret);
      world.clock.advance(stepMs);
      const used = await entriesOf(world, async () => {
        const login = await world.caller.post("/api/login", { loginId: "ada@example.com", password: "correct horse" });
        const body = { code: world.codeOf(secret), twoFactorId: login.textAt("twoFactorId") };
        expectOk(await world.caller.post("/api/two-factor/login", body));
      });
      expect(used).toEqual([]);
      const codes = await entriesOf(world, () => world.caller.post(`/api/user/two-factor/recovery-code/${world.userId}`));
      expect(messages(codes)).toEqual([changed]);
    });

    requirement("audit.changes", "whose username is moderated later is recorded, and so is the registration", async () => {
      const world = await startModerated(start);
      world.answer = action("queuedForApproval");
      const applicationId = await makeApplication(world, world.defaultTenantId, "Blog");
      const user = await world.caller.post(`/api/user/${uuid(5)}`, { user: { username: "ada" } });
      const registration = await world.caller.post(`/api/user/registration/${uuid(5)}`, {
        registration: { applicationId, username: "nick" },
      });
      const waiting = [user.textAt("user.moderationId"), registration.textAt("registration.moderationId")];
      const approvals = Object.fromEntries(waiting.map((id) => [id, "approved"]));
      const told = await entriesOf(world, () =>
        world.caller.post("/api/moderation/notify", { type: "contentApproval", approvals }),
      );
      expect(messages(told)).toEqual([
        `Changed the user ${uuid(5)}`,
        `Changed the registration ${registration.textAt("registration.id")}`,
      ]);
      for (const entry of told)
        expect(entry).toMatchObject({ oldValue: { usernameStatus: "PENDING" }, newValue: { usernameStatus: "ACTIVE" } });
    });
  });

  requirement("audit.changes", "A change that receivers approve is recorded once; a refused one is not recorded", async () => {
    const world = await start({ allowPrivateNetwork: true });
    let status = 500;
    const sink = await startSink((_request, response) => void response.writeHead(status).end());
    await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.create": true } });
    const events = { "user.create": { enabled: true, transactionType: "AbsoluteMajority" } };
    await world.identity.tenants.patch({
      tenantId: world.defaultTenantId,
      patch: { tenant: { eventConfiguration: { events } } },
    });
    const create = () => world.caller.post("/api/user", { user: { email: "ada@example.com" } });
    expect(await entriesOf(world, async () => expectRefusal(await create(), 504, "[WebhookTransactionException]"))).toEqual([]);
    status = 200;
    const told = await entriesOf(world, async () => expectOk(await create()));
    const { event } = JSON.parse(sink.received.at(-1)?.body ?? "{}");
    expect(told).toMatchObject([{ message: `Created the user ${event.user.id}`, newValue: event.user }]);
    const sent = (await readEvents(world.storage, "audit-log.create")).map(({ auditLog }) => auditLog);
    expect(sent.filter((entry) => valueAt(entry, "id") === told[0]?.id)).toEqual(told);
  });

  describe("the reason", () => {
    requirement("audit.reason", "is what the header says, and nothing where it says nothing", async () => {
      const world = await start();
      const reasonOf = async (header: string, number: number): Promise<unknown> => {
        const group = { name: `Group ${number}` };
        const headers = { "X-Audit-Reason": header };
        const [entry] = await entriesOf(world, async () => expectOk(await world.caller.post("/api/group", { group }, headers)));
        return entry?.reason;
      };
      const utf8 = Buffer.from("Prüfung żółć").toString("latin1");
      const cases = [
        ["Ticket 4711", "Ticket 4711"],
        ["  ", undefined],
        [utf8, "Prüfung żółć"],
        ["Pr\xfcfung", "Prüfung"],
        ["r".repeat(1_000), "r".repeat(1_000)],
      ] as const;
      for (const [index, [header, reason]] of cases.entries()) expect(await reasonOf(header, index)).toBe(reason);
      const found = expectOk(await world.caller.get("/api/system/audit-log/search?reason=ticket")).at("auditLogs");
      expect(found).toMatchObject([{ reason: "Ticket 4711" }]);
    });

    requirement(
      "audit.reason",
      "is refused with control characters and when it is too long, and nothing is changed",
      async () => {
        const world = await start();
        const create = (header: string) =>
          world.caller.post("/api/group", { group: { name: "G" } }, { "X-Audit-Reason": header });
        // What no storage keeps is refused in every header, under the name that Node gives it.
        expectRefusal(await create("a\0b"), 400, "[invalid]x-audit-reason");
        for (const header of ["a\nb", "a\x7fb", Buffer.from("a\u0085b").toString("latin1")])
          expectRefusal(await create(header), 400, "[invalid]X-Audit-Reason");
        expectRefusal(await create("r".repeat(1_001)), 400, "[tooLong]X-Audit-Reason");
        const inProcess = (auditReason: string) => world.identity.groups.create({ group: { name: "G" } }, { auditReason });
        await expect(inProcess("a\tb")).rejects.toMatchObject({ status: 400, code: "[invalid]auditReason" });
        await expect(inProcess("\ud800")).rejects.toMatchObject({ status: 400, code: "[invalid]auditReason" });
        await expect(inProcess("r".repeat(1_001))).rejects.toMatchObject({ code: "[tooLong]auditReason" });
        expect(await readEntries(world)).toEqual([]);
        const plain = await startPlain();
        expectOk(await plain.caller.post("/api/group", { group: { name: "G" } }, { "X-Audit-Reason": "a\nb" }));
      },
    );
  });

  requirement("audit.numbers", "Numbers differ however many changes are made at a time, without gaps in a line", async () => {
    const world = await start();
    const making = Array.from({ length: 40 }, (_one, index) =>
      world.caller.post("/api/group", { group: { name: `Group ${index % 30}` } }),
    );
    await Promise.all(making);
    const numbers = (await readEntries(world)).map(({ id }) => id);
    expect(new Set(numbers).size).toBe(30);
    // Side by side, a transaction that has to run again leaves the numbers of its first run unused.
    if (world.storage.capabilities.runsSideBySide !== true)
      expect(numbers).toEqual(Array.from({ length: 30 }, (_one, index) => index + 2));
  });
});

/** A storage that says that its transactions run side by side, and counts how often the row with the numbers is written. */
function sideBySide(): { readonly storage: Storage; readonly counted: () => number } {
  let count = 0;
  const onWrite = ({ id }: { readonly id: string }): void => void (/^[0-]+$/.test(id) && count++);
  const inner = watchStorage(memoryStorage(), { onWrite });
  return {
    storage: { ...inner, capabilities: { ...inner.capabilities, runsSideBySide: true } },
    counted: () => count,
  };
}

requirement("audit.numbers", "Where transactions run side by side, they do not meet at the row that counts", async () => {
  const { storage, counted } = sideBySide();
  const world = await startWorld(storage, { auditChanges: true });
  for (let number = 0; number < 150; number++)
    expectOk(await world.caller.post("/api/group", { group: { name: `Group ${number}` } }));
  const entries = await readEntries(world);
  const numbers = entries.map(({ id }) => id);
  expect(new Set(numbers).size).toBe(150);
  expect(entries.map(({ newValue }) => (newValue as { name: string }).name)).toEqual(
    numbers.map((_one, index) => `Group ${index}`),
  );
  expect(counted()).toBeLessThan(5);
  const { auditLog } = await world.identity.auditLogs.create({ auditLog: { message: "By request" } });
  expect(numbers).not.toContain(auditLog.id);
  await makeUser(world, world.defaultTenantId, "ann@example.com");
  expect(new Set((await readEntries(world)).map(({ id }) => id)).size).toBe(152);
});

requirement(
  ["audit.numbers", "audit.bulk"],
  "More changes at once than a process has numbers for have numbers of their own",
  async () => {
    const { storage } = sideBySide();
    const world = await startWorld(storage, { auditChanges: true });
    const groupId = expectOk(await world.caller.post("/api/group", { group: { name: "All" } })).textAt("group.id");
    const userIds: string[] = [];
    for (let number = 0; number < 200; number++)
      userIds.push(await makeUser(world, world.defaultTenantId, `u${number}@example.com`));
    const members = { [groupId]: userIds.map((userId) => ({ userId })) };
    expectOk(await world.caller.post("/api/group/member", { members }));
    expect(new Set((await readEntries(world)).map(({ id }) => id)).size).toBe(401);
  },
);
